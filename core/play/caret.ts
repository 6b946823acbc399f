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

/** A caret is there, or away, for longer than this, µs: the shortest time that programs have is 250 ms (gvim), seen a frame or two late. */
const LEAST_LOOK = 200_000;
/**
 * Programs begin the blinking anew at each input, with the caret's longer time, 500 ms or more. What comes so soon after a step, µs,
 * and goes again sooner than that, shows that a button or a key is held down: xterm's cursor is hollow until the button is released,
 * and a busy machine shows that late.
 */
const WITH_STEP = 300_000;
const LEAST_FIRST_LOOK = 350_000;

/** From the end of a step to the next input, µs. */
export type Pause = { after: number; until: number };

/**
 * For each pause the places of three frames: before a small change, after it, and after the next small one. They are the last of that
 * kind in the pause; none where there are fewer, and where the one in the middle was there too short for a caret. `frames` and
 * `pauses` in order.
 */
export function caretFrames(frames: readonly Frame[], pauses: readonly Pause[]): number[][] {
  let place = 0;
  return pauses.map(({ after, until }) => {
    const small: number[] = [];
    for (let frame = frames[place]; frame && frame.t < until; frame = frames[++place])
      if (frame.t > after && isSmall(frame)) small.push(place);
    const [first, second] = small.slice(-2);
    if (first === undefined || second === undefined || first === 0) return [];
    const [came, went] = [frames[first]!.t, frames[second]!.t];
    const least = came - after < WITH_STEP ? LEAST_FIRST_LOOK : LEAST_LOOK;
    return went - came >= least ? [first - 1, first, second] : [];
  });
}

const isSmall = ({ changed = 0 }: Frame): boolean => changed > 0 && changed <= CARET_BLOCKS * BLOCK ** 2;

/**
 * The caret in these pictures: what is other in the second, and in the third again as in the first. It shows in the one that is
 * other there than the picture before the step. All pictures are of one size. Null: nothing blinks.
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
