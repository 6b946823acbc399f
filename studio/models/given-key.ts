import type { GivenKey } from '../../schemas/api/given-key.ts';
import { StudioError } from '../../schemas/errors.ts';

/** The key that a page names. Throws USAGE for a variable that is not there. */
export function givenKey(key: GivenKey): string | null {
  if (key.from === 'none') return null;
  if (key.from === 'typed') return key.key;
  const value = process.env[key.variable];
  if (value) return value;
  throw new StudioError(
    'USAGE',
    `The studio's environment has no variable ${key.variable}, or it is empty. Set it and start the studio again, or type the key.`,
    { variable: key.variable },
  );
}
