import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { screenHash } from '../../../core/curate/screen-hash.ts';
import { serveCalls } from '../../../native/process/serve.ts';
import { errorBody, isPassing, StudioError, whyNot } from '../../../schemas/errors.ts';
import { openFound } from '../../files/inside.ts';

/** One of the threads of hash-pool.ts: hashes files and screens that it is named. */

export type FileHash = { bytes: number; sha256: string };
/** `pixels`: of all of them, to tell equal from alike. */
export type ScreenHashes = { hash: string; pixels: string };

const CHUNK = 1 << 20;
const chunk = Buffer.allocUnsafe(CHUNK);

const calls = {
  file: (file: string): Promise<FileHash> => named(file, 'cannot be read', () => hashFile(file)),
  screen: (file: string): Promise<ScreenHashes> => named(file, 'is no picture', () => hashScreen(file)),
};
export type HashCalls = typeof calls;
serveCalls(calls);

/** An error says which file it is about, unless it is the machine's and no fault of the file. */
async function named<T>(file: string, what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isPassing(errorBody(error).code)) throw error;
    throw new StudioError('BAD_FILE', `${file} ${what}: ${whyNot(error)}.`, { file });
  }
}

function hashFile(path: string): FileHash {
  const file = openFound(path);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK, null);
      if (length === 0) break;
      hash.update(chunk.subarray(0, length));
      bytes += length;
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

async function hashScreen(file: string): Promise<ScreenHashes> {
  // Most threads hash files, and never decode a picture.
  const { readRgb } = await import('../../files/picture.ts');
  const image = await readRgb(file);
  const pixels = createHash('sha256').update(`${image.width}x${image.height}\n`).update(image.rgb).digest('hex');
  return { hash: screenHash(image), pixels };
}
