import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { isSameRect } from '../rect.ts';
import { BLOCK, CARET_BLOCKS, NO_BLOCKS } from './likeness.ts';
import { changedBlocks, isOtherBlock } from './sight.ts';

/**
 * Finds the parts of a demonstration's screen that change by themselves (a clock, a film), by looking at the times in which
 * nobody touched anything (PL24).
 */

/** A stretch of session time [start, end), µs. */
type Stretch = { start: number; end: number };

/** So long after an input what it did may still be painted, µs. */
const SETTLE = 1_000_000;
/** A shorter look says little, µs. */
const LEAST = 2_000_000;
const MOST_STRETCHES = 8;
const MOST_FRAMES = 8;
/** Looks of a square in one stretch from which on it is restless: a caret, or a light that goes on and off, has two. */
const LOOKS = 3;
/** In how many stretches it must be so, and in which part of all that were looked at: what a step sets off is not always there. */
const TIMES = 2;
const MOSTLY = 0.75;
/** Squares this near to a restless one that changed at all are restless, too: a clock's tens beside its seconds. */
const NEAR = 4;
/** When more of the screen than this is restless nothing would be compared any more, so nothing is learnt. */
const MOST = 0.25;

/** The stretches in which nobody touched anything, the longest first. `inputs`: times in order, µs. */
export function idleStretches(inputs: readonly number[], span: Stretch, pauses: readonly Stretch[]): Stretch[] {
  const times = [span.start, ...inputs.filter((t) => t > span.start && t < span.end), span.end];
  return times
    .slice(1)
    .map((end, n) => ({ start: (times[n] ?? 0) + SETTLE, end }))
    .filter(({ start, end }) => end - start >= LEAST && !pauses.some((one) => one.start < end && one.end > start))
    .sort((a, b) => b.end - b.start - (a.end - a.start))
    .slice(0, MOST_STRETCHES);
}

/** The frames that show a stretch: what stood at its beginning, and changes in it, spread evenly. */
export function framesOf({ start, end }: Stretch, frames: readonly Frame[]): Frame[] {
  const standing = frames.findLast(({ t }) => t <= start);
  const later = frames.filter(({ t, changed }) => t > start && t < end && changed !== 0);
  const all = standing ? [standing, ...later] : later;
  if (all.length <= MOST_FRAMES) return all;
  const at = (n: number): number => Math.round((n * (all.length - 1)) / (MOST_FRAMES - 1));
  return Array.from({ length: MOST_FRAMES }, (_, n) => all[at(n)]).flatMap((frame) => frame ?? []);
}

/** The restless squares (as `changedBlocks` counts them), from what `looksOf` gave of each stretch; `size`: the pictures'. */
export function restlessBlocks(
  seen: readonly ReadonlyMap<number, number>[],
  size: { width: number; height: number },
): ReadonlySet<number> {
  const times = new Map<number, number>();
  for (const looks of seen)
    for (const [block, count] of looks) if (count >= LOOKS) times.set(block, (times.get(block) ?? 0) + 1);
  const least = Math.max(TIMES, MOSTLY * seen.length);
  const sure = [...times].filter(([, count]) => count >= least).map(([block]) => block);
  const columns = Math.ceil(size.width / BLOCK);
  const rows = Math.ceil(size.height / BLOCK);
  const restless = new Set(sure);
  const changed = new Set(seen.flatMap((looks) => [...looks.keys()]));
  for (const block of sure) {
    for (const near of blocksAround(block, NEAR, columns, rows)) if (changed.has(near)) restless.add(near);
  }
  return isTooRestless(restless.size, size) ? new Set() : restless;
}

/** Whether so many restless squares are too many to be left out of comparisons. */
export const isTooRestless = (squares: number, { width, height }: { width: number; height: number }): boolean =>
  squares > MOST * Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK);

function* blocksAround(block: number, far: number, columns: number, rows: number): Generator<number> {
  const [column, row] = [block % columns, Math.floor(block / columns)];
  for (let y = Math.max(0, row - far); y <= Math.min(rows - 1, row + far); y++)
    for (let x = Math.max(0, column - far); x <= Math.min(columns - 1, column + far); x++) yield y * columns + x;
}

/** The squares of a picture that are known to be restless, where it shows the rectangle that they were learnt of. */
export const restlessIn = (known: (Rect & { blocks: readonly number[] }) | null, picture: Rect): ReadonlySet<number> =>
  known && isSameRect(known, picture) ? new Set(known.blocks) : NO_BLOCKS;

/**
 * The squares that a step changes itself, of all that `changed` in it: no restless ones, and, where it changes more than that, no few
 * squares that touch restless ones. A clock has looks that are too rare to be learnt (a terminal that was just cleared), and
 * one of them may be in a picture of the step.
 */
export function ownEffect(
  changed: ReadonlySet<number>,
  restless: ReadonlySet<number>,
  size: { width: number; height: number },
): ReadonlySet<number> {
  const effect = new Set([...changed].filter((block) => !restless.has(block)));
  if (restless.size === 0) return effect;
  const columns = Math.ceil(size.width / BLOCK);
  const rows = Math.ceil(size.height / BLOCK);
  const around = (block: number): number[] => [...blocksAround(block, 1, columns, rows)];
  const rest = new Set(effect);
  const own = new Set<number>();
  for (const first of effect) {
    if (!rest.delete(first)) continue;
    const group = [first];
    for (const block of group) group.push(...around(block).filter((near) => rest.delete(near)));
    const isRare =
      group.length <= CARET_BLOCKS && group.every((block) => around(block).some((near) => restless.has(near)));
    if (!isRare) for (const block of group) own.add(block);
  }
  return own.size > 0 ? own : effect;
}

/** How many looks each square had that changed in a stretch, by the pictures of it. */
export function looksOf(pictures: readonly RgbImage[]): ReadonlyMap<number, number> {
  const looks = new Map<number, RgbImage[]>();
  const [first, ...rest] = pictures;
  let before = first;
  for (const picture of rest) {
    if (!first || !before) break;
    for (const block of changedBlocks(before, picture) ?? []) {
      const known = looks.get(block) ?? [first];
      if (known.length < LOOKS && known.every((one) => isOtherBlock(one, picture, block))) known.push(picture);
      looks.set(block, known);
    }
    before = picture;
  }
  return new Map([...looks].map(([block, known]) => [block, known.length]));
}
