import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { screenHash } from '../../core/curate/screen-hash.ts';
import { type ErrorBody, errorBody, isPassing, whyNot } from '../../schemas/errors.ts';
import { openFound } from '../files/inside.ts';
import { readRgb } from '../files/picture.ts';

/** One of the threads of pool.ts: hashes files and screens that it is named. */

export type FileHash = { bytes: number; sha256: string };
/** `pixels`: of all of them, to tell equal from alike. */
export type ScreenHashes = { hash: string; pixels: string };
export type HashOrder = { n: number; kind: 'file' | 'screen'; file: string };
/** `error`: of the machine, and no fault of the file. */
export type HashAnswer =
  | { n: number; value: FileHash | ScreenHashes }
  | { n: number; problem: string }
  | { n: number; error: ErrorBody };

const CHUNK = 1 << 20;
const chunk = Buffer.allocUnsafe(CHUNK);

parentPort?.on('message', async ({ n, kind, file }: HashOrder) => {
  let answer: HashAnswer;
  try {
    answer = { n, value: kind === 'file' ? hashFile(file) : await hashScreen(file) };
  } catch (error) {
    const body = errorBody(error);
    answer = isPassing(body.code) ? { n, error: body } : { n, problem: whyNot(error) };
  }
  parentPort?.postMessage(answer);
});

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
  const image = await readRgb(file);
  const pixels = createHash('sha256').update(`${image.width}x${image.height}\n`).update(image.rgb).digest('hex');
  return { hash: screenHash(image), pixels };
}
