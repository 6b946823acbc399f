import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';
import { StudioError } from '../../../schemas/errors.ts';
import { PASSWORD_LENGTH } from '../../../schemas/team-terms.ts';

/** Passwords as argon2id, by OWASP's smallest recommended costs: 19 MiB, two passes, one lane. */
const COSTS = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;
/** Each takes 19 MiB and some tens of ms of the process: more than so many at once would keep everybody else waiting. */
const MOST_WAITING = 20;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** One after another. Throws TOO_MANY_TRIES when too many wait. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING) {
    throw new StudioError(
      'TOO_MANY_TRIES',
      'Too many people are signing in at this moment. Try again in a few seconds.',
      {
        seconds: 5,
      },
    );
  }
  waiting++;
  const turn = last.then(work);
  last = turn.catch(() => undefined).finally(() => waiting--);
  return turn;
}

/** One form for what looks alike, so that a password typed on another keyboard is the same. */
const normal = (password: string): string => password.normalize('NFKC');

/** Throws USAGE for one that is too short, too long or made of one sign or the person's own address. */
export function checkNewPassword(password: string, email: string): void {
  const { least, most } = PASSWORD_LENGTH;
  const length = [...normal(password)].length;
  const why =
    length < least
      ? `has fewer than ${least} characters`
      : length > most
        ? `has more than ${most} characters`
        : new Set(normal(password)).size < 4
          ? 'is made of the same few characters'
          : normal(password).toLowerCase().includes(email)
            ? 'has your address in it'
            : null;
  if (why !== null) {
    throw new StudioError('USAGE', `The password ${why}. Take a few words that are easy to remember.`, {
      field: 'password',
    });
  }
}

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => argon2id({ ...COSTS, password: normal(password), salt: randomBytes(16), outputType: 'encoded' }));

/** `hash` null: nobody has it, which takes as long to say as that a password is wrong. */
export async function fitsPassword(password: string, hash: string | null): Promise<boolean> {
  const given = normal(password).slice(0, 4 * PASSWORD_LENGTH.most);
  // Argon2 takes no empty password.
  if (given === '') return false;
  const against = hash ?? (await nobody());
  const fits = await inTurn(() => argon2Verify({ password: given, hash: against }));
  return fits && hash !== null;
}

let nobodys: Promise<string> | null = null;
function nobody(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(16).toString('hex'));
  return nobodys;
}
