import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MOST_PIXELS } from '../../schemas/limits.ts';
import type { Segment } from '../../schemas/recording.ts';
import { firstBytes } from '../files/first-bytes.ts';
import { pathExists } from '../files/folder.ts';
import { breathe } from '../store/breathe.ts';

/** PNG's signature, the length and name of its first chunk, and the picture's width and height. */
const HEAD = 24;
const SIGNATURE = '89504e470d0a1a0a';

/**
 * Stills are cut from the recording's pictures, so none is larger than all of them: a still that says so was made to fill
 * the memory of who looks at it. Gives the first few that are, in words.
 */
export async function oddStills(folder: string, segments: readonly Segment[], signal: AbortSignal): Promise<string[]> {
  const dir = join(folder, 'keyframes');
  if (!(await pathExists(dir))) return [];
  let [wide, high] = [0, 0];
  for (const { width, height } of segments) [wide, high] = [Math.max(wide, width), Math.max(high, height)];
  const odd: string[] = [];
  for (const name of await readdir(dir)) {
    await breathe();
    signal.throwIfAborted();
    if (!name.endsWith('.png') || !(await lstat(join(dir, name))).isFile()) continue;
    const size = pngSize(firstBytes(join(dir, name), HEAD));
    if (size === null) continue; // No PNG: it says so where it is opened.
    const { width, height } = size;
    const tooLarge = segments.length > 0 ? width > wide || height > high : width * height > MOST_PIXELS;
    if (!tooLarge) continue;
    const than =
      segments.length > 0
        ? `the recording's pictures are ${wide} x ${high}`
        : `at most ${MOST_PIXELS} pixels are taken`;
    odd.push(`keyframes/${name.slice(0, 60)}: it is ${width} x ${height} pixels large; ${than}`);
    if (odd.length >= 20) break;
  }
  return odd;
}

function pngSize(head: Buffer): { width: number; height: number } | null {
  if (head.length < HEAD || head.toString('hex', 0, 8) !== SIGNATURE) return null;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}
