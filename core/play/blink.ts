import type { RgbImage } from '../../schemas/picture.ts';
import { largestOf, smallestOf } from '../lists.ts';
import type { Eyes } from './eyes.ts';
import type { InHand } from './in-hand.ts';
import { nextReadingFrom } from './lateness.ts';
import { BLOCK, CARET_BLOCKS, cornerOf } from './likeness.ts';
import type { PlayPicture } from './part.ts';
import type { Shift } from './player.ts';
import { isAlike } from './sight.ts';

/** Longer than a caret is shown or not, ms, and how long between two looks at its squares. */
const BLINK_MS = 900;
const LOOK_MS = 40;

/** Squares that look other than in each of `stills`, where all of it has moved by `shift`. */
type Unlike = { blocks: readonly number[]; shift: Shift };

/**
 * The squares that do not look as in one of the pictures at one moment or another (PL45); all of them where they are too many to be
 * watched, or were watched in vain just now. A caret blinks, and a busy machine
 * looks at the whole screen a few times in all its patience: each time the caret may be shown that the picture lacks, or the other
 * way round. So few squares are looked at alone, which costs next to nothing, for as long as a caret takes to come and go; where that
 * was in vain, not again for as long.
 */
export async function unseenInTurn(
  eyes: Eyes,
  inHand: InHand,
  view: PlayPicture,
  stills: readonly RgbImage[],
  { blocks, shift }: Unlike,
): Promise<readonly number[]> {
  const began = eyes.now();
  if (blocks.length === 0 || blocks.length > CARET_BLOCKS || began < inHand.watchFrom) return blocks;
  const corners = blocks.map((block) => cornerOf(block, view.width));
  const [xs, ys] = [corners.map(({ x }) => x + shift.x), corners.map(({ y }) => y + shift.y)];
  const [left, top] = [smallestOf(xs), smallestOf(ys)];
  const right = Math.min(view.width, largestOf(xs) + BLOCK);
  const bottom = Math.min(view.height, largestOf(ys) + BLOCK);
  if (left < 0 || top < 0 || right <= left || bottom <= top) return blocks;
  const size = { width: right - left, height: bottom - top };
  const within = { x: shift.x - left, y: shift.y - top };
  let unseen = blocks;
  for (;;) {
    const live = eyes.look({ x: view.x + left, y: view.y + top, ...size });
    if (live?.width !== size.width || live.height !== size.height) return blocks;
    unseen = unseen.filter((block) => !stills.some((still) => isAlike(still, live, new Set([block]), within)));
    if (unseen.length === 0) return unseen;
    if (eyes.now() >= began + BLINK_MS) {
      inHand.watchFrom = nextReadingFrom(began, eyes.now());
      return unseen;
    }
    await eyes.wait(LOOK_MS);
  }
}
