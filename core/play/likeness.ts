import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import type { Shift } from './player.ts';

/** How alike two places of two pictures are. */

/** Side of the squares in which changes are counted, px. */
export const BLOCK = 8;
/** A pixel is another when a channel differs by more than this (of 255): smoothing of letters differs by less. */
const OTHER = 40;
/** The surroundings of a target that are compared, px each way. */
export const AROUND = 24;
/** Likeness (normalized correlation) of a target's surroundings that is enough: a highlighted button is still itself. */
export const ALIKE = 0.95;

export const NO_BLOCKS: ReadonlySet<number> = new Set();
/** A caret covers at most so many squares. */
export const CARET_BLOCKS = 8;

/** The top left pixel of a square (index `row * columns + column`) of a picture of this width. */
export function cornerOf(block: number, width: number): Pixel {
  const columns = Math.ceil(width / BLOCK);
  return { x: (block % columns) * BLOCK, y: Math.floor(block / columns) * BLOCK };
}

/** The square that a pixel of a picture of this width lies in. */
export const blockAt = (x: number, y: number, width: number): number =>
  Math.floor(y / BLOCK) * Math.ceil(width / BLOCK) + Math.floor(x / BLOCK);

/** The surroundings of a place, inside the picture; null where hardly anything of it is. */
export function around({ width, height }: { width: number; height: number }, at: Pixel, far = AROUND): Rect | null {
  const x = Math.max(0, at.x - far);
  const y = Math.max(0, at.y - far);
  const box = { x, y, width: Math.min(width, at.x + far) - x, height: Math.min(height, at.y + far) - y };
  return box.width >= 8 && box.height >= 8 ? box : null;
}

export function inside(box: Rect, shift: Shift, { width, height }: { width: number; height: number }): boolean {
  const x = box.x + shift.x;
  const y = box.y + shift.y;
  return x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height;
}

export function isOther(a: RgbImage, ax: number, ay: number, b: RgbImage, bx: number, by: number): boolean {
  const i = (ay * a.width + ax) * 3;
  const j = (by * b.width + bx) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const difference = (a.rgb[i + channel] ?? 0) - (b.rgb[j + channel] ?? 0);
    if (difference > OTHER || difference < -OTHER) return true;
  }
  return false;
}

/** The lightness of each pixel, 0 to 255. */
export type Grey = { width: number; height: number; grey: Float32Array };
export function greyOf({ rgb, width, height }: RgbImage): Grey {
  const grey = new Float32Array(width * height);
  for (let i = 0, j = 0; i < grey.length; i++, j += 3) {
    grey[i] = 0.3 * (rgb[j] ?? 0) + 0.6 * (rgb[j + 1] ?? 0) + 0.1 * (rgb[j + 2] ?? 0);
  }
  return { width, height, grey };
}

/** Standard deviation of the lightness in a box. */
export function spread({ grey, width }: Grey, box: Rect): number {
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

/** A square of 8 px has something to see when its lightness varies by this (standard deviation of 255). */
const MARKED = 12;

/** The squares of the picture within a box that have something to see. */
export function markedSquares(grey: Grey, box: Rect): Rect[] {
  const marks: Rect[] = [];
  for (let y = Math.ceil(box.y / BLOCK) * BLOCK; y + BLOCK <= box.y + box.height; y += BLOCK) {
    for (let x = Math.ceil(box.x / BLOCK) * BLOCK; x + BLOCK <= box.x + box.width; x += BLOCK) {
      const square = { x, y, width: BLOCK, height: BLOCK };
      if (spread(grey, square) >= MARKED) marks.push(square);
    }
  }
  return marks;
}

/** Normalized correlation of the lightness, -1 to 1; of two plain boxes 1. */
export function correlation(still: Grey, live: Grey, box: Rect, shift: Shift, every: number): number {
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
