import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic, writeNewFile } from './atomic.ts';
import { readBoundedIn } from './bounded.ts';

/** A random key of 32 bytes in a file, as hexadecimal digits, for its owner alone. */

const KEY_BYTES = 32;

/** Null where there is none yet. */
export function readOwnKey(folder: string, name: string): string | null {
  try {
    const key = readBoundedIn(folder, name, 1000).toString('utf8').trim();
    return /^[0-9a-f]{64}$/.test(key) ? key : null;
  } catch {
    return null;
  }
}

/** Of two programs that make one at once both take the first's. What is there and is no key is replaced. */
export function makeOwnKey(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = randomBytes(KEY_BYTES).toString('hex');
  const umask = process.umask(0o077);
  try {
    const isMade = writeNewFile(join(folder, name), `${key}\n`);
    if (!isMade && readOwnKey(folder, name) === null) writeFileAtomic(join(folder, name), `${key}\n`);
  } finally {
    process.umask(umask);
  }
  return readOwnKey(folder, name) ?? key;
}
