import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import {
  ALIKE,
  AROUND,
  around,
  BLOCK,
  blockAt,
  cornerOf,
  correlation,
  type Grey,
  greyOf,
  inside,
  isOther,
  markedSquares,
  NO_BLOCKS,
  spread,
} from './likeness.ts';
import type { Shift } from './player.ts';

/** Where the target of a step is on the screen of a play. */

/** When these are plain, or several places look like them, more is compared, px each way. */
const WIDER = [48, 96];
/** How far a target may have moved, px each way. */
const FARTHEST = 120;
/** Every so many pixels are looked at in the first search. */
const COARSE = 4;
const COARSE_ALIKE = 0.9;
/** Surroundings whose lightness varies less (standard deviation of 255) are plain. */
const PLAIN = 4;
/** Two places that look alike are one when they are this near, px. */
const ONE_PLACE = 6;
/** So many places with much to see are looked for, this far from each other, px, until so many agree where a window has moved. */
const PLACES = 12;
const AGREED = 2;
const APART = 96;
/** Pixels that differ may be a caret's when they are not wider than this, px, or not more than so many. */
const CARET_WIDTH = 3;
const FEW = 8;
/** The label that a target lies in: half its height, how far it reaches each way, and what ends it, px. */
const LABEL = { half: 8, reach: 72, gap: 12 };
/** It is another mark when its likeness is below this, and so many of a target's marks may be (its caret, its focus). */
const SAME_MARK = 0.5;
const OTHER_MARKS = 0.1;

/**
 * Whether what was around `at` before the step is there, at `shift` from its place; what is restless may look other, and a
 * caret. Where more is other it must be alike as a whole (a button is still itself when it is lit up), and in its marks: of a
 * button with another label the frame alone is much alike. A label is compared as far as it goes.
 */
export function isAt(still: RgbImage, live: RgbImage, at: Pixel, shift: Shift, restless = NO_BLOCKS): boolean {
  const box = around(still, at);
  if (!box || !inside(box, shift, live)) return false;
  const label = labelOf(still, at);
  const boxes = inside(label, shift, live) ? [box, label] : [box];
  const other = boxes.filter((one) => !isSameBox(still, live, one, shift, restless));
  if (other.length === 0) return true;
  const [a, b] = [greyOf(still), greyOf(live)];
  if (other.includes(box) && correlation(a, b, box, shift, 1) < ALIKE) return false;
  return other.every((one) => {
    const marks = markedSquares(a, one).filter(({ x, y }) => !restless.has(blockAt(x, y, still.width)));
    const others = marks.filter((mark) => correlation(a, b, mark, shift, 1) < SAME_MARK);
    return others.length <= Math.max(one === label ? 1 : 0, marks.length * OTHER_MARKS);
  });
}

/** Whether two boxes look the same but for a few pixels, or a caret, and what is restless. */
function isSameBox(still: RgbImage, live: RgbImage, box: Rect, shift: Shift, restless: ReadonlySet<number>): boolean {
  let [other, looked, left, right] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (restless.has(blockAt(x, y, still.width))) continue;
      looked++;
      if (!isOther(still, x, y, live, x + shift.x, y + shift.y)) continue;
      other++;
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  // Little that stands still says little.
  const stands = looked >= (box.width * box.height) / 2;
  return stands && (other <= FEW || (other <= looked / 50 && right - left < CARET_WIDTH));
}

/** The label that a place lies in: it goes on to both sides until there is nothing to see for a while. */
function labelOf(still: RgbImage, { x: at, y }: Pixel): Rect {
  const top = Math.max(0, y - LABEL.half);
  const bottom = Math.min(still.height, y + LABEL.half);
  const isMarked = (x: number): boolean => {
    for (let row = top + 1; row < bottom; row++) if (isOther(still, x, top, still, x, row)) return true;
    return false;
  };
  const end = (step: 1 | -1): number => {
    let last = at;
    for (let x = at; x >= 0 && x < still.width && Math.abs(x - at) <= LABEL.reach; x += step) {
      if (isMarked(x)) last = x;
      else if (Math.abs(x - last) > LABEL.gap) break;
    }
    return last;
  };
  const left = end(-1);
  return { x: left, y: top, width: end(1) + 1 - left, height: bottom - top };
}

/**
 * Which of these shifts the target is at; null: none. Where several look like it (cells of a table, plain surroundings),
 * more of what lies around it decides, and what that leaves open the order: the likeliest shift comes first.
 */
export function shiftOf(
  still: RgbImage,
  live: RgbImage,
  at: Pixel,
  shifts: readonly Shift[],
  restless = NO_BLOCKS,
): Shift | null {
  let left = shifts.filter((shift) => isAt(still, live, at, shift, restless));
  if (left.length < 2) return left[0] ?? null;
  const [a, b] = [greyOf(still), greyOf(live)];
  for (const far of WIDER) {
    const box = around(still, at, far);
    if (!box) break;
    const alike = left.filter((shift) => !inside(box, shift, live) || correlation(a, b, box, shift, 1) >= ALIKE);
    if (alike.length === 1) return alike[0] ?? null;
    if (alike.length > 0) left = alike;
  }
  return left[0] ?? null;
}

/**
 * Where the surroundings of a target are now, up to 120 px away: found when exactly one place looks like them. When they are
 * plain, or several places look like them, more of what lies around the target is compared; what is plain even then (a blank
 * page) looks the same everywhere and is not searched for. What is found must be the target by `isAt`, too.
 */
export function findMoved(
  still: RgbImage,
  live: RgbImage,
  at: Pixel,
  restless = NO_BLOCKS,
): { shift: Shift } | { why: string } {
  const found = findMovedIn(greyOf(still), greyOf(live), at);
  // Likeness alone takes a button for itself whose label ends in another word.
  if ('shift' in found && !isAt(still, live, at, found.shift, restless))
    return { why: 'what looks most like it has another label' };
  return found;
}

function findMovedIn(a: Grey, b: Grey, at: Pixel): { shift: Shift } | { why: string } {
  if (!around(a, at)) return { why: 'the target lies at the edge of the picture' };
  const boxes = [AROUND, ...WIDER].flatMap((far) => {
    const box = around(a, at, far);
    return box && spread(a, box) >= PLAIN ? [{ box, far }] : [];
  });
  const [first, ...wider] = boxes;
  if (!first) return { why: 'its surroundings are plain, so it cannot be looked for elsewhere' };
  let found = everyShift().flatMap((shift) => alikeAt(a, b, first.box, shift, (COARSE * first.far) / AROUND));
  if (found.length === 0) return { why: `nothing within ${FARTHEST} px looks like it` };
  for (const { box, far } of wider) {
    if (placeOf(found)) break;
    // Too near the edge of the screen to compare the wider box: the place stays a candidate.
    found = found.flatMap((one) =>
      inside(box, one.shift, b) ? alikeAt(a, b, box, one.shift, (COARSE * far) / AROUND) : [one],
    );
  }
  const shift = placeOf(found);
  return shift ? { shift } : { why: 'several places look like it' };
}

/**
 * How far a window may have moved: the shifts at which places among `blocks` with most to see are found elsewhere, the one that
 * most of them have first, with how many have it.
 */
export function shiftsOf(
  still: RgbImage,
  live: RgbImage,
  blocks: Iterable<number>,
): { shift: Shift; places: number }[] {
  const shifts: { shift: Shift; places: number }[] = [];
  const [a, b] = [greyOf(still), greyOf(live)];
  for (const at of markedPlaces(a, blocks)) {
    const found = findMovedIn(a, b, at);
    if ('why' in found) continue;
    const { x, y } = found.shift;
    const same = shifts.find(({ shift }) => shift.x === x && shift.y === y);
    if (!same) shifts.push({ ...found, places: 1 });
    else if (++same.places >= AGREED) break;
  }
  return shifts.toSorted((a, b) => b.places - a.places);
}

/** The middles of the squares with most to see around them, apart from each other. */
function markedPlaces(still: Grey, blocks: Iterable<number>): Pixel[] {
  const places = [...blocks]
    .map((block) => {
      const { x, y } = cornerOf(block, still.width);
      const at = { x: x + BLOCK / 2, y: y + BLOCK / 2 };
      const box = around(still, at);
      return { at, seen: box ? leastSpread(still, quarters(box)) : 0 };
    })
    .toSorted((a, b) => b.seen - a.seen);
  const chosen: Pixel[] = [];
  for (const { at } of places) {
    if (chosen.length === PLACES) break;
    if (chosen.every((other) => Math.hypot(other.x - at.x, other.y - at.y) >= APART)) chosen.push(at);
  }
  return chosen;
}

const leastSpread = (grey: Grey, boxes: readonly Rect[]): number =>
  boxes.reduce((least, box) => Math.min(least, spread(grey, box)), Number.POSITIVE_INFINITY);

/** Something is to see in each of them: along an edge one place looks like the next. */
function quarters({ x, y, width, height }: Rect): Rect[] {
  const [w, h] = [width >> 1, height >> 1];
  return [0, w].flatMap((dx) => [0, h].map((dy) => ({ x: x + dx, y: y + dy, width: w, height: h })));
}

type Found = { shift: Shift; alike: number };

function everyShift(): Shift[] {
  const length = 2 * FARTHEST + 1;
  return Array.from({ length: length ** 2 }, (_, n) => ({
    x: (n % length) - FARTHEST,
    y: Math.floor(n / length) - FARTHEST,
  }));
}

function alikeAt(still: Grey, live: Grey, box: Rect, shift: Shift, every: number): Found[] {
  if (!inside(box, shift, live) || correlation(still, live, box, shift, every) < COARSE_ALIKE) return [];
  const alike = correlation(still, live, box, shift, 1);
  return alike >= ALIKE ? [{ shift, alike }] : [];
}

/** The shift that is found, when all that look alike are one place. */
function placeOf(found: readonly Found[]): Shift | null {
  const best = found.reduce<Found | null>((most, one) => (most && most.alike >= one.alike ? most : one), null);
  if (!best) return null;
  const other = found.some(({ shift }) => Math.hypot(shift.x - best.shift.x, shift.y - best.shift.y) > ONE_PLACE);
  return other ? null : best.shift;
}
