import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Codes that sign a browser in, secrets that follow from the token without telling it, and the name that nobody else knows. */

/**
 * The pages' name, `<this>.localhost`: browsers send a cookie to every port of a host, so a server of somebody else on
 * 127.0.0.1 or localhost would be given ours. Browsers take every name under .localhost for this machine by themselves.
 */
export const newPagesName = (): string => `studio-${randomBytes(10).toString('hex')}`;

/** For a browser that this program opens itself: used once, and soon. ms. */
const ONCE_MS = 2 * 60_000;
/** For a person who copies the address, perhaps into a second browser or through a tunnel. ms. */
const PRINTED_MS = 10 * 60_000;
/** Codes that wait to be used; the oldest goes first. */
const MOST = 200;

export type Logins = {
  /** A new code. `once`: it dies when it is used. */
  issue(kind: 'once' | 'printed'): string;
  /** True for a code that may be used now. */
  knows(code: string): boolean;
  /** Uses it. False when it is unknown, used or too old. */
  take(code: string): boolean;
};

export function createLogins(now: () => number = Date.now): Logins {
  // By their hash: looking one up then tells nothing of how much of it was right.
  const codes = new LRUCache<string, { once: boolean; until: number }>({ max: MOST });

  function find(code: string): { key: string; once: boolean } | null {
    const key = createHash('sha256').update(code).digest('hex');
    const found = codes.peek(key);
    if (!found) return null;
    if (now() < found.until) return { key, once: found.once };
    codes.delete(key);
    return null;
  }

  return {
    issue(kind) {
      const code = randomBytes(24).toString('base64url');
      const once = kind === 'once';
      const until = now() + (once ? ONCE_MS : PRINTED_MS);
      codes.set(createHash('sha256').update(code).digest('hex'), { once, until });
      return code;
    },
    knows: (code) => find(code) !== null,
    take(code) {
      const found = find(code);
      if (found?.once) codes.delete(found.key);
      return found !== null;
    },
  };
}

/**
 * The value of a browser's cookie: no token, and good at this host and port alone. The same after a restart with the same
 * token, so that open pages stay signed in where TRAJECTORY_STUDIO_TOKEN is given.
 */
export const sessionOf = (token: string, host: string): string => derived(token, `session ${host}`);

/** Proves to who knows the token, too, that this is the studio that it belongs to; the token itself is not sent for it. */
export const proofOf = (token: string, nonce: string): string => derived(token, `proof ${nonce}`);

const derived = (token: string, purpose: string): string =>
  createHmac('sha256', token).update(purpose).digest('base64url');

/** Compares in a time that tells nothing of how much was right. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
