import { createHash, randomBytes } from 'node:crypto';

/** Secrets that this server gives out once and knows again by their hash. */

/** 256 bits: no rate of guessing reaches it. `kind` tells them apart for people, and for tools that look for lost secrets. */
export const newSecret = (kind: 'session' | 'invitation' | 'token'): string =>
  `${PREFIXES[kind]}${randomBytes(32).toString('base64url')}`;

const PREFIXES = { session: 'tss_', invitation: 'tsi_', token: 'tst_' } as const;

/**
 * sha256 is enough for a secret of 256 random bits. Rows are looked up by it, so how long a look takes tells nothing of the
 * secret; null for what cannot be one, so that nothing long is hashed.
 */
export function hashOfSecret(kind: keyof typeof PREFIXES, given: string): string | null {
  if (given.length > 100 || !given.startsWith(PREFIXES[kind])) return null;
  return createHash('sha256').update(given).digest('hex');
}
