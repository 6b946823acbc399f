import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import { plural } from '../words.ts';
import { type Placing, placingOf } from './layers.ts';
import {
  around,
  BLOCK,
  blockAt,
  CARET_BLOCKS,
  cornerOf,
  greyOf,
  inside,
  isOther,
  markedSquares,
  NO_BLOCKS,
} from './likeness.ts';
import type { Shift, SightAfter, SightBefore } from './player.ts';

/**
 * Compares the screen of a play with the pictures of the demonstration. Pictures are of the same rectangle of the desktop,
 * so a pixel of one is the pixel of the other, unless its window has moved.
 */

/**
 * Squares of a step with a place that may look different, as a share of those that it changes: marks that follow the pointer
 * (on a ruler, in a status line) are never quite where they were. Of typed text every square counts.
 */
const LET_PASS = 0.01;
/** Changes elsewhere on the screen that are let pass, as a share of it: a caret, a status line. */
const ELSEWHERE = 0.03;
/** A step that changes next to nothing needs its screen: at most this share of the squares with something to see may be other. */
const OTHER_MARKS = 0.25;
/** A target that is lit up, and its hint, reach so far from the pointer, px. */
const LIT = 120;

export const NOWHERE: Shift = { x: 0, y: 0 };

/** The squares (index `row * columns + column`) in which two pictures of one size differ; null: their sizes do. */
export function changedBlocks(a: RgbImage, b: RgbImage): ReadonlySet<number> | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  const columns = Math.ceil(a.width / BLOCK);
  const changed = new Set<number>();
  for (let y = 0; y < a.height; y++) {
    const row = Math.floor(y / BLOCK) * columns;
    for (let x = 0; x < a.width; x++) {
      const block = row + Math.floor(x / BLOCK);
      if (changed.has(block)) {
        x = (Math.floor(x / BLOCK) + 1) * BLOCK - 1;
        continue;
      }
      if (isOther(a, x, y, b, x, y)) changed.add(block);
    }
  }
  return changed;
}

/** Whether a square, moved by `shift`, looks other in two pictures of one size. One that is outside does not. */
export function isOtherBlock(a: RgbImage, b: RgbImage, block: number, shift = NOWHERE): boolean {
  const corner = cornerOf(block, a.width);
  const [left, top] = [corner.x + shift.x, corner.y + shift.y];
  for (let y = Math.max(0, top); y < Math.min(top + BLOCK, a.height); y++)
    for (let x = Math.max(0, left); x < Math.min(left + BLOCK, a.width); x++)
      if (isOther(a, x, y, b, x, y)) return true;
  return false;
}

/** The squares of a picture that have something to see. */
export function markedBlocks(still: RgbImage): ReadonlySet<number> {
  const marks = markedSquares(greyOf(still), { x: 0, y: 0, width: still.width, height: still.height });
  return new Set(marks.map(({ x, y }) => blockAt(x, y, still.width)));
}

/** So many squares may be other before a step without a place (PL32). */
const fewOf = (effect: ReadonlySet<number>): number => Math.min(CARET_BLOCKS, effect.size * LET_PASS);

/**
 * Whether the screen is as it was before a step without a place, there where the step will change something. `marks`: squares
 * of which most must look as before, for a step that changes next to nothing. `butFew`: some squares may be other (PL32).
 */
export function beforeEffect(
  still: RgbImage,
  live: RgbImage,
  { effect, marks = NO_BLOCKS }: { effect: ReadonlySet<number>; marks?: ReadonlySet<number> },
  shifts: readonly Shift[],
  butFew = false,
): SightBefore {
  const few = butFew ? fewOf(effect) : 0;
  let least = { unlike: Number.POSITIVE_INFINITY, of: effect.size, blocks: [] as number[], shift: NOWHERE };
  for (const shift of shifts) {
    const blocks = unlikeBlocks(still, live, effect, shift);
    const unlike = blocks.length;
    const unlikeMarks = unlike > 0 ? 0 : unlikeBlocks(still, live, marks, shift).length;
    if (unlike <= few && unlikeMarks <= marks.size * OTHER_MARKS) return { there: true, shift };
    const here = unlike > 0 ? { unlike, of: effect.size } : { unlike: unlikeMarks, of: marks.size };
    if (here.unlike < least.unlike) least = { ...here, blocks, shift };
  }
  return {
    there: false,
    why: `the screen is not as it was before the step: ${least.unlike} of ${plural(least.of, 'part')} differ`,
    ...(least.blocks.length > 0 && { unlike: { blocks: least.blocks, shift: least.shift } }),
  };
}

/** Of what a step changes so much must be there to be compared, where its windows have moved by different ways. */
const LEAST_COMPARED = 0.5;
const isEnough = (blocks: ReadonlySet<number>, { at }: Placing): boolean => {
  let seen = 0;
  for (const block of blocks) if (at(block)) seen++;
  return seen >= blocks.size * LEAST_COMPARED;
};

/** The same, but for few squares, where each window has moved by its own way (PL35); null where that is not how it was, or too little of it is to be seen. */
export function beforeInWindows(
  still: RgbImage,
  live: RgbImage,
  { effect, marks = NO_BLOCKS }: { effect: ReadonlySet<number>; marks?: ReadonlySet<number> },
  placing: Placing,
): (SightBefore & { there: true }) | null {
  if (!isEnough(effect, placing) || !isEnough(marks, placing)) return null;
  if (unlikeBlocks(still, live, effect, placing).length > fewOf(effect)) return null;
  if (unlikeBlocks(still, live, marks, placing).length > marks.size * OTHER_MARKS) return null;
  return { there: true, shift: placing.front };
}

/** In another theme or font most of what is to see is other. */
const OTHER_LOOK = 0.7;
/** So few squares say nothing of a whole window. */
const LEAST_MARKS = 40;

/** Whether most of what is to see on the whole screen looks other than it did, wherever it has moved to: another theme, another font, another window. */
export function looksOther(still: RgbImage, live: RgbImage, by: Shift | Placing = NOWHERE): boolean {
  if (still.width !== live.width || still.height !== live.height) return false;
  const marks = markedBlocks(still);
  return marks.size >= LEAST_MARKS && unlikeBlocks(still, live, marks, by).length >= marks.size * OTHER_LOOK;
}

/** The squares around a place, as far as a target's surroundings are compared, or `far` px each way. */
export function blocksAround(still: RgbImage, at: Pixel, far?: number): ReadonlySet<number> {
  const box = around(still, at, far);
  const columns = Math.ceil(still.width / BLOCK);
  const blocks = new Set<number>();
  if (!box) return blocks;
  for (let row = Math.floor(box.y / BLOCK); row * BLOCK < box.y + box.height; row++)
    for (let column = Math.floor(box.x / BLOCK); column * BLOCK < box.x + box.width; column++)
      blocks.add(row * columns + column);
  return blocks;
}

/**
 * The squares that changed by themselves between the pictures after a step and before the next one: a status line, a preview
 * (PL27). Not what lies around the next target (`next`): that was lit up by the pointer, which is not there yet.
 */
export function followers(
  after: RgbImage,
  later: RgbImage,
  next: Pixel | null,
  restless: ReadonlySet<number> = NO_BLOCKS,
): ReadonlySet<number> {
  const isLit = (block: number): boolean => {
    const { x, y } = cornerOf(block, after.width);
    return next !== null && Math.hypot(x - next.x, y - next.y) < LIT;
  };
  return new Set([...(changedBlocks(after, later) ?? [])].filter((block) => !restless.has(block) && !isLit(block)));
}

/** Whether they are there; of so few as a caret has nothing is said. */
export const hasFollowed = (later: RgbImage, live: RgbImage, blocks: ReadonlySet<number>, shift: Shift): boolean =>
  blocks.size <= CARET_BLOCKS || isAlike(later, live, blocks, shift);

/** Whether all of these squares look alike, where they have moved by `shift`. */
export const isAlike = (still: RgbImage, live: RgbImage, blocks: ReadonlySet<number>, shift: Shift): boolean =>
  unlikeBlocks(still, live, blocks, shift).length === 0;

/**
 * The squares of `area`, where the next step will act, that a step made look other than they did before that next step in the
 * demonstration (`still`); none where it is no more than a caret. `live`: the screen of the play before and after the step.
 */
export function spoiledBlocks(
  still: RgbImage,
  area: ReadonlySet<number>,
  live: { before: RgbImage; now: RgbImage },
  shift: Shift,
): number[] {
  const sizes = [live.before, live.now].every(({ width, height }) => width === still.width && height === still.height);
  if (!sizes) return [];
  const columns = Math.ceil(still.width / BLOCK);
  const { before, now } = live;
  const spoiled = unlikeBlocks(still, now, area, shift).filter((block) =>
    blocksUnder(block, shift, columns).some((near) => isOtherBlock(before, now, near)),
  );
  return spoiled.length <= CARET_BLOCKS ? [] : spoiled;
}

/**
 * Whether what the step changed in the demonstration (`effect`, squares of `after`) looks the same on the screen now, and
 * nothing much changed elsewhere since before it. `later`: how the demonstration looked before its next step: programs bring
 * some of what follows (a preview, a status line) later than the rest, so that a square may look as in either. `strict`: every
 * square counts. `restless`: squares that change by themselves. `by`: how far all of it, or each part, has moved.
 */
export function afterEffect(
  effect: ReadonlySet<number>,
  after: RgbImage,
  later: RgbImage | null,
  live: { before: RgbImage; now: RgbImage },
  by: Shift | Placing,
  { strict = true, restless = NO_BLOCKS }: { strict?: boolean; restless?: ReadonlySet<number> } = {},
): SightAfter {
  const placing = placingOf(by);
  if (!isEnough(effect, placing)) return { same: false, why: 'most of what the step changes is not on the screen' };
  const atOnce = unlikeBlocks(after, live.now, effect, placing);
  const same = later !== null && later.width === after.width && later.height === after.height;
  const unlike = same && atOnce.length > 0 ? unlikeBlocks(later, live.now, new Set(atOnce), placing) : atOnce;
  if (unlike.length > (strict ? 0 : effect.size * LET_PASS)) {
    const { x, y } = cornerOf(unlike[0] ?? 0, after.width);
    return {
      same: false,
      why: `${unlike.length} of the ${plural(effect.size, 'part')} that the step changes look different, first at ${x}, ${y}`,
      unlike,
    };
  }
  const changed = changedBlocks(live.before, live.now);
  if (!changed) return { same: false, why: 'the screen has another size' };
  const columns = Math.ceil(after.width / BLOCK);
  const ours = new Set<number>(restless);
  for (const block of [...effect, ...restless])
    for (const shift of placing.all) for (const near of blocksUnder(block, shift, columns)) ours.add(near);
  const most = columns * Math.ceil(after.height / BLOCK);
  let elsewhere = [...changed].filter((block) => !ours.has(block) && !placing.isBare(block));
  // A program may have been still painting before the step: parts that now look as in the demonstration are no difference.
  for (const still of same ? [after, later] : [after]) {
    for (const back of [NOWHERE, ...placing.all.map(({ x, y }) => ({ x: -x, y: -y }))]) {
      if (elsewhere.length > most * ELSEWHERE) elsewhere = unlikeBlocks(live.now, still, new Set(elsewhere), back);
    }
  }
  if (elsewhere.length <= most * ELSEWHERE) return { same: true };
  return {
    same: false,
    why: `${Math.round((100 * elsewhere.length) / most)} % of the screen changed where the step changes nothing`,
  };
}

/** The squares that a square covers when it is moved, and their neighbours. */
export function blocksUnder(block: number, shift: Shift, columns: number): number[] {
  const column = (block % columns) + Math.round(shift.x / BLOCK);
  const row = Math.floor(block / columns) + Math.round(shift.y / BLOCK);
  const near: number[] = [];
  for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) near.push((row + y) * columns + column + x);
  return near;
}

/**
 * Squares of `still` that look different in `live`, where they have moved so. What is outside is unlike; what cannot be compared by
 * its windows is not.
 */
function unlikeBlocks(still: RgbImage, live: RgbImage, blocks: ReadonlySet<number>, by: Shift | Placing): number[] {
  const { at } = placingOf(by);
  const unlike: number[] = [];
  for (const block of blocks) {
    const shift = at(block);
    if (!shift) continue;
    const { x, y } = cornerOf(block, still.width);
    const box = { x, y, width: Math.min(BLOCK, still.width - x), height: Math.min(BLOCK, still.height - y) };
    if (!inside(box, shift, live) || countOther(still, live, box, shift) > 1) unlike.push(block);
  }
  return unlike;
}

function countOther(still: RgbImage, live: RgbImage, box: Rect, shift: Shift): number {
  let other = 0;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (isOther(still, x, y, live, x + shift.x, y + shift.y)) other++;
    }
  }
  return other;
}
