import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { BLOCK, CARET_BLOCKS, NO_BLOCKS } from './likeness.ts';
import { changedBlocks, isAlike } from './sight.ts';

/**
 * Where the caret is after a step (PL28). It blinks, so that the picture after a step may be one without it, and then nothing tells
 * whether it is where it was in the demonstration.
 */

/**
 * The squares of a caret, and the place of the picture in which it shows, among those that were given; null where both of its looks
 * are new, as after typing.
 */
export type Caret = { blocks: ReadonlySet<number>; shown: number | null };

/**
 * The places of three frames: before a small change, after it, and after the next small one. They are the last of that kind between
 * the end of a step (`after`) and the next input (`until`), both µs; none where there are fewer. `frames` in order.
 */
export function caretFrames(frames: readonly Frame[], { after, until }: { after: number; until: number }): number[] {
  const isSmall = ({ t, changed = 0 }: Frame): boolean =>
    t > after && t < until && changed > 0 && changed <= CARET_BLOCKS * BLOCK ** 2;
  const small = [...frames.entries()].flatMap(([place, frame]) => (isSmall(frame) ? [place] : []));
  const [first, second] = small.slice(-2);
  return first !== undefined && second !== undefined && first > 0 ? [first - 1, first, second] : [];
}

/**
 * The caret in these pictures: what is other in the second, and in the third again as in the first. It shows in the one that is
 * other there than the picture before the step. All pictures are of one size. Null: nothing blinks, or neither of its looks was there before, as after typing.
 */
export function caretIn(before: RgbImage, pictures: readonly RgbImage[], restless = NO_BLOCKS): Caret | null {
  const [first, second, third] = pictures;
  if (!first || !second || !third) return null;
  const changed = changedBlocks(first, second);
  if (!changed) return null;
  const blocks = new Set([...changed].filter((block) => !restless.has(block)));
  if (blocks.size === 0 || blocks.size > CARET_BLOCKS) return null;
  const isLike = (a: RgbImage, b: RgbImage): boolean => isAlike(a, b, blocks, { x: 0, y: 0 });
  if (!isLike(first, third)) return null;
  if (isLike(before, first)) return { blocks, shown: 1 };
  return { blocks, shown: isLike(before, second) ? 0 : null };
}
