import type { WithheldWhy } from '../schemas/events.ts';
import { plural } from './words.ts';

/** Why keys were withheld, in words. */
const WHY: Readonly<Record<WithheldWhy, string>> = {
  field: 'typed into a field for passwords',
  'was-field': 'typed into a field that was one for passwords',
  program: 'typed into a program that asks for secrets',
  echo: 'typed in a terminal whose program hides what is typed',
  'on-screen': 'pressed on an on-screen keyboard while a secret was asked for',
  unanswered: 'the program did not answer, so it could have been a password',
};

/** What was withheld, one reason after the other; null where nothing was. */
export function withheldWords(lines: readonly { keys: number; why?: WithheldWhy | undefined }[]): string | null {
  const counts = new Map<WithheldWhy, number>();
  for (const { keys, why = 'field' } of lines) counts.set(why, (counts.get(why) ?? 0) + keys);
  const parts = [...counts]
    .filter(([, keys]) => keys > 0)
    .map(([why, keys]) => `${plural(keys, 'key')} withheld: ${WHY[why]}`);
  return parts.length > 0 ? parts.join('; ') : null;
}
