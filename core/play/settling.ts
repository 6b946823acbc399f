import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { lastUntil } from '../keyframes/choose.ts';
import { BLOCK, NO_BLOCKS } from './likeness.ts';

/**
 * The parts of a demonstration's screen that were still on their way when a step began (PL46): a scroll bar that fades out after the
 * pointer has rested. The picture before the step caught them in the middle, and a play that looks a moment earlier or later never
 * sees that picture.
 */

/** So long before its first input, µs. */
const WATCHED = 500_000;

/**
 * The places of two frames: the one that was shown `WATCHED` before a step, and the middle one of those until it. Null: the screen
 * changed fewer than two times, or the step before had not ended by then. `began`: the first input of the step, `ended`: the last one
 * of the step before, both µs. `lead`: so much before an input nothing of it shows, µs. `frames` in order.
 */
export function settlingFrames(
  frames: readonly Frame[],
  { ended, began, lead }: { ended: number; began: number; lead: number },
): [number, number] | null {
  const until = began - lead;
  if (until - WATCHED < ended) return null;
  const first = lastUntil(frames, until - WATCHED);
  const last = lastUntil(frames, until);
  const changes = frames.slice(first + 1, last + 1).filter(({ changed }) => changed !== 0).length;
  return first < 0 || changes < 2 ? null : [first, Math.floor((first + last) / 2)];
}

/**
 * The squares in which something changed from the first picture to the second and again from that to the third: what was late, and
 * came once, is none of them. A change of any pixel counts, since a fade has small steps. All pictures are of one size, or there are
 * none.
 */
export function settlingBlocks(first: RgbImage, second: RgbImage, third: RgbImage): ReadonlySet<number> {
  const [one, two] = [anyChange(first, second), anyChange(second, third)];
  return one && two ? new Set([...one].filter((block) => two.has(block))) : NO_BLOCKS;
}

function anyChange(a: RgbImage, b: RgbImage): Set<number> | null {
  const { width, height } = a;
  if (width !== b.width || height !== b.height) return null;
  const columns = Math.ceil(width / BLOCK);
  const changed = new Set<number>();
  for (let at = 0; at < a.rgb.length; at++) {
    if (a.rgb[at] === b.rgb[at]) continue;
    const pixel = Math.floor(at / 3);
    changed.add(Math.floor(Math.floor(pixel / width) / BLOCK) * columns + Math.floor((pixel % width) / BLOCK));
  }
  return changed;
}
