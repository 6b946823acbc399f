import type { RgbImage } from '../../schemas/picture.ts';
import { plural } from '../words.ts';
import type { Shift, SightAfter, SightBefore } from './player.ts';

/**
 * Compares the screen of a play with the pictures of the demonstration. Pictures are of the same rectangle of the desktop,
 * so a pixel of one is the pixel of the other, unless its window has moved.
 */

/** Side of the squares in which changes are counted, px. */
export const BLOCK = 8;
/** A pixel is another when a channel differs by more than this (of 255): smoothing of letters differs by less. */
const OTHER = 40;
/** The surroundings of a target that are compared, px each way. */
const AROUND = 24;
/** When these are plain, or several places look like them, more is compared, px each way. */
const WIDER = [48, 96];
/** Likeness (normalized correlation) of a target's surroundings that is enough: a highlighted button is still itself. */
const ALIKE = 0.95;
/** How far a target may have moved, px each way. */
const FARTHEST = 120;
/** Every so many pixels are looked at in the first search. */
const COARSE = 4;
const COARSE_ALIKE = 0.9;
/** Surroundings whose lightness varies less (standard deviation of 255) are plain. */
const PLAIN = 4;
/** Two places that look alike are one when they are this near, px. */
const ONE_PLACE = 6;
/**
 * Squares of a step with a place that may look different, as a share of those that it changes: marks that follow the pointer
 * (on a ruler, in a status line) are never quite where they were. Of typed text every square counts.
 */
const LET_PASS = 0.01;
/** Changes elsewhere on the screen that are let pass, as a share of it: a caret, a status line. */
const ELSEWHERE = 0.03;

const NO_BLOCKS: ReadonlySet<number> = new Set();

type Pixel = { x: number; y: number };
type Box = { x: number; y: number; width: number; height: number };

/** The surroundings of a place, inside the picture; null where hardly anything of it is. */
function around({ width, height }: { width: number; height: number }, at: Pixel, far = AROUND): Box | null {
  const x = Math.max(0, at.x - far);
  const y = Math.max(0, at.y - far);
  const box = { x, y, width: Math.min(width, at.x + far) - x, height: Math.min(height, at.y + far) - y };
  return box.width >= 8 && box.height >= 8 ? box : null;
}

/** Whether what was around `at` before the step is there, at `shift` from its place; what is restless may look other. */
export function isAt(still: RgbImage, live: RgbImage, at: Pixel, shift: Shift, restless = NO_BLOCKS): boolean {
  const box = around(still, at);
  if (!box || !inside(box, shift, live)) return false;
  const columns = Math.ceil(still.width / BLOCK);
  let [other, looked] = [0, 0];
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (restless.has(Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK))) continue;
      looked++;
      if (isOther(still, x, y, live, x + shift.x, y + shift.y)) other++;
    }
  }
  const all = box.width * box.height;
  // Little that stands still says little.
  if (other <= looked / 100 && looked >= all / 2) return true;
  return likeness(greyOf(still), greyOf(live), box, shift, 1) >= ALIKE;
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
    const alike = left.filter((shift) => !inside(box, shift, live) || likeness(a, b, box, shift, 1) >= ALIKE);
    if (alike.length === 1) return alike[0] ?? null;
    if (alike.length > 0) left = alike;
  }
  return left[0] ?? null;
}

/**
 * Where the surroundings of a target are now, up to 120 px away: found when exactly one place looks like them. When they are
 * plain, or several places look like them, more of what lies around the target is compared; what is plain even then (a blank
 * page) looks the same everywhere and is not searched for.
 */
export function findMoved(still: RgbImage, live: RgbImage, at: Pixel): { shift: Shift } | { why: string } {
  if (!around(still, at)) return { why: 'the target lies at the edge of the picture' };
  const [a, b] = [greyOf(still), greyOf(live)];
  const boxes = [AROUND, ...WIDER].flatMap((far) => {
    const box = around(still, at, far);
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
      inside(box, one.shift, live) ? alikeAt(a, b, box, one.shift, (COARSE * far) / AROUND) : [one],
    );
  }
  const shift = placeOf(found);
  return shift ? { shift } : { why: 'several places look like it' };
}

type Found = { shift: Shift; alike: number };

function everyShift(): Shift[] {
  const length = 2 * FARTHEST + 1;
  return Array.from({ length: length ** 2 }, (_, n) => ({
    x: (n % length) - FARTHEST,
    y: Math.floor(n / length) - FARTHEST,
  }));
}

function alikeAt(still: Grey, live: Grey, box: Box, shift: Shift, every: number): Found[] {
  if (!inside(box, shift, live) || likeness(still, live, box, shift, every) < COARSE_ALIKE) return [];
  const alike = likeness(still, live, box, shift, 1);
  return alike >= ALIKE ? [{ shift, alike }] : [];
}

/** The shift that is found, when all that look alike are one place. */
function placeOf(found: readonly Found[]): Shift | null {
  const best = found.reduce<Found | null>((most, one) => (most && most.alike >= one.alike ? most : one), null);
  if (!best) return null;
  const other = found.some(({ shift }) => Math.hypot(shift.x - best.shift.x, shift.y - best.shift.y) > ONE_PLACE);
  return other ? null : best.shift;
}

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

/** Whether one of the squares looks other in two pictures of one size. */
export function isOtherBlock(a: RgbImage, b: RgbImage, block: number): boolean {
  const columns = Math.ceil(a.width / BLOCK);
  const [left, top] = [(block % columns) * BLOCK, Math.floor(block / columns) * BLOCK];
  for (let y = top; y < Math.min(top + BLOCK, a.height); y++)
    for (let x = left; x < Math.min(left + BLOCK, a.width); x++) if (isOther(a, x, y, b, x, y)) return true;
  return false;
}

/** Whether the screen is as it was before a step without a place, there where the step will change something. */
export function beforeEffect(
  still: RgbImage,
  live: RgbImage,
  effect: ReadonlySet<number>,
  shifts: readonly Shift[],
): SightBefore {
  let least = Number.POSITIVE_INFINITY;
  for (const shift of shifts) {
    const unlike = unlikeBlocks(still, live, effect, shift).length;
    if (unlike === 0) return { there: true, shift };
    least = Math.min(least, unlike);
  }
  return {
    there: false,
    why: `the screen is not as it was before the step: ${least} of ${plural(effect.size, 'part')} differ`,
  };
}

/**
 * Whether what the step changed in the demonstration (`effect`, squares of `after`) looks the same on the screen now, and
 * nothing much changed elsewhere since before it. `later`: how the demonstration looked before its next step: programs bring
 * some of what follows (a preview, a status line) later than the rest, so that a square may look as in either. `strict`: every
 * square counts. `restless`: squares that change by themselves.
 */
export function afterEffect(
  effect: ReadonlySet<number>,
  after: RgbImage,
  later: RgbImage | null,
  live: { before: RgbImage; now: RgbImage },
  shift: Shift,
  { strict = true, restless = NO_BLOCKS }: { strict?: boolean; restless?: ReadonlySet<number> } = {},
): SightAfter {
  const atOnce = unlikeBlocks(after, live.now, effect, shift);
  const same = later !== null && later.width === after.width && later.height === after.height;
  const unlike = same && atOnce.length > 0 ? unlikeBlocks(later, live.now, new Set(atOnce), shift) : atOnce;
  if (unlike.length > (strict ? 0 : effect.size * LET_PASS)) {
    const [first] = unlike;
    const columns = Math.ceil(after.width / BLOCK);
    const place = `${((first ?? 0) % columns) * BLOCK}, ${Math.floor((first ?? 0) / columns) * BLOCK}`;
    return {
      same: false,
      why: `${unlike.length} of the ${plural(effect.size, 'part')} that the step changes look different, first at ${place}`,
    };
  }
  const changed = changedBlocks(live.before, live.now);
  if (!changed) return { same: false, why: 'the screen has another size' };
  const columns = Math.ceil(after.width / BLOCK);
  const ours = new Set<number>(restless);
  for (const block of [...effect, ...restless]) for (const near of blocksUnder(block, shift, columns)) ours.add(near);
  const most = columns * Math.ceil(after.height / BLOCK);
  let elsewhere = [...changed].filter((block) => !ours.has(block));
  // A program may have been still painting before the step: parts that now look as in the demonstration are no difference.
  for (const still of same ? [after, later] : [after]) {
    for (const by of [NOWHERE, { x: -shift.x, y: -shift.y }]) {
      if (elsewhere.length > most * ELSEWHERE) elsewhere = unlikeBlocks(live.now, still, new Set(elsewhere), by);
    }
  }
  if (elsewhere.length <= most * ELSEWHERE) return { same: true };
  return {
    same: false,
    why: `${Math.round((100 * elsewhere.length) / most)} % of the screen changed where the step changes nothing`,
  };
}

const NOWHERE: Shift = { x: 0, y: 0 };

/** The squares that a square covers when it is moved, and their neighbours. */
function blocksUnder(block: number, shift: Shift, columns: number): number[] {
  const column = (block % columns) + Math.round(shift.x / BLOCK);
  const row = Math.floor(block / columns) + Math.round(shift.y / BLOCK);
  const near: number[] = [];
  for (let y = -1; y <= 1; y++) for (let x = -1; x <= 1; x++) near.push((row + y) * columns + column + x);
  return near;
}

/** Squares of `still` that look different in `live`, where they have moved by `shift`. What is outside is unlike. */
function unlikeBlocks(still: RgbImage, live: RgbImage, blocks: ReadonlySet<number>, shift: Shift): number[] {
  const columns = Math.ceil(still.width / BLOCK);
  const unlike: number[] = [];
  for (const block of blocks) {
    const left = (block % columns) * BLOCK;
    const top = Math.floor(block / columns) * BLOCK;
    const box = {
      x: left,
      y: top,
      width: Math.min(BLOCK, still.width - left),
      height: Math.min(BLOCK, still.height - top),
    };
    if (!inside(box, shift, live) || countOther(still, live, box, shift) > 1) unlike.push(block);
  }
  return unlike;
}

function countOther(still: RgbImage, live: RgbImage, box: Box, shift: Shift): number {
  let other = 0;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (isOther(still, x, y, live, x + shift.x, y + shift.y)) other++;
    }
  }
  return other;
}

function inside(box: Box, shift: Shift, { width, height }: { width: number; height: number }): boolean {
  const x = box.x + shift.x;
  const y = box.y + shift.y;
  return x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height;
}

function isOther(a: RgbImage, ax: number, ay: number, b: RgbImage, bx: number, by: number): boolean {
  const i = (ay * a.width + ax) * 3;
  const j = (by * b.width + bx) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const difference = (a.rgb[i + channel] ?? 0) - (b.rgb[j + channel] ?? 0);
    if (difference > OTHER || difference < -OTHER) return true;
  }
  return false;
}

/** The lightness of each pixel, 0 to 255. */
type Grey = { width: number; height: number; grey: Float32Array };
function greyOf({ rgb, width, height }: RgbImage): Grey {
  const grey = new Float32Array(width * height);
  for (let i = 0, j = 0; i < grey.length; i++, j += 3) {
    grey[i] = 0.3 * (rgb[j] ?? 0) + 0.6 * (rgb[j + 1] ?? 0) + 0.1 * (rgb[j + 2] ?? 0);
  }
  return { width, height, grey };
}

/** Standard deviation of the lightness in a box. */
function spread({ grey, width }: Grey, box: Box): number {
  let [sum, squares, n] = [0, 0, 0];
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const value = grey[y * width + x] ?? 0;
      sum += value;
      squares += value * value;
      n++;
    }
  }
  return Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}

/** Normalized correlation of the lightness, -1 to 1; of two plain boxes 1. */
function likeness(still: Grey, live: Grey, box: Box, shift: Shift, every: number): number {
  let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let y = box.y; y < box.y + box.height; y += every) {
    let i = y * still.width + box.x;
    let j = (y + shift.y) * live.width + box.x + shift.x;
    for (let x = 0; x < box.width; x += every, i += every, j += every) {
      const p = still.grey[i] ?? 0;
      const q = live.grey[j] ?? 0;
      n++;
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const va = aa / n - (a / n) ** 2;
  const vb = bb / n - (b / n) ** 2;
  if (va < 1 && vb < 1) return Math.abs(a - b) / n < OTHER ? 1 : 0;
  if (va < 1 || vb < 1) return 0;
  return (ab / n - (a / n) * (b / n)) / Math.sqrt(va * vb);
}
