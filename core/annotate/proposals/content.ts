import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import type { Pixel } from '../picture.ts';
import { distance, pixelAt } from './image.ts';

/**
 * Content is what stands on a background: letters, an icon. A pixel belongs to it when it differs from the background by
 * more than this.
 */
const CONTRAST = 28;
/** Content this far from the point (px) is still what was meant. */
const REACH = 8;
/** Letters of a word, and the parts of an icon, are at most this far apart at first (px). */
const LETTER_GAP = 5;
const LINE_GAP = 2;
/** Words of one text are at most this share of its height apart, and never farther than the limit (px). */
const WORD_GAP = 0.75;
const MOST_GAP = 10;
/** Content that is at least so large (px) and not much wider than high is an icon: the next one may stand close by. */
const ICON = 14;
const ICON_SHAPE = 1.7;
const ICON_GAP = 3;

const isContent = (image: RgbImage, background: number, x: number, y: number): boolean =>
  distance(pixelAt(image, x, y), background) > CONTRAST;

/**
 * The letters or the icon at a point, without padding, inside `within`; null when there is none near, or when it has no
 * end (then the background was no background). At most `most` px wide and high.
 */
export function contentAt(
  image: RgbImage,
  point: Pixel,
  background: number,
  within: Rect,
  most: { width: number; height: number },
): Rect | null {
  const start = nearestContent(image, point, background, within);
  if (!start) return null;
  // Where letters stand near a line of a frame, words are taken less far apart.
  for (const gap of [MOST_GAP, LETTER_GAP, ICON_GAP]) {
    const box = grownFrom(image, start, background, within, most, gap);
    if (box) return box;
  }
  return null;
}

function grownFrom(
  image: RgbImage,
  start: Pixel,
  background: number,
  within: Rect,
  most: { width: number; height: number },
  mostGap: number,
): Rect | null {
  const box = { left: start.x, right: start.x, top: start.y, bottom: start.y };
  const bounds = {
    left: within.x,
    top: within.y,
    right: within.x + within.width - 1,
    bottom: within.y + within.height - 1,
  };
  for (;;) {
    const gap = Math.min(mostGap, gapBeside(box.right - box.left + 1, box.bottom - box.top + 1));
    const wide = {
      left: Math.max(bounds.left, box.left - gap),
      right: Math.min(bounds.right, box.right + gap),
      top: Math.max(bounds.top, box.top - LINE_GAP),
      bottom: Math.min(bounds.bottom, box.bottom + LINE_GAP),
    };
    let grown = false;
    const look = (x: number, y: number): void => {
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return;
      if (!isContent(image, background, x, y)) return;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      grown = true;
    };
    // Only what lies around the box so far; its inside is known.
    const { left, right, top, bottom } = box;
    for (let y = wide.top; y <= wide.bottom; y++) {
      for (let x = wide.left; x <= wide.right; x++) {
        if (y >= top && y <= bottom && x === left) x = right + 1;
        if (x <= wide.right) look(x, y);
      }
    }
    if (box.right - box.left + 1 > most.width || box.bottom - box.top + 1 > most.height) return null;
    if (!grown) break;
  }
  return { x: box.left, y: box.top, width: box.right - box.left + 1, height: box.bottom - box.top + 1 };
}

function gapBeside(width: number, height: number): number {
  const isIcon = width >= ICON && height >= ICON && width < height * ICON_SHAPE && height < width * ICON_SHAPE;
  return isIcon ? ICON_GAP : Math.max(LETTER_GAP, Math.round(height * WORD_GAP));
}

function nearestContent(image: RgbImage, point: Pixel, background: number, within: Rect): Pixel | null {
  let best: Pixel | null = null;
  let least = REACH * REACH + 1;
  for (let y = Math.max(within.y, point.y - REACH); y <= Math.min(within.y + within.height - 1, point.y + REACH); y++) {
    for (
      let x = Math.max(within.x, point.x - REACH);
      x <= Math.min(within.x + within.width - 1, point.x + REACH);
      x++
    ) {
      const far = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (far < least && isContent(image, background, x, y)) {
        least = far;
        best = { x, y };
      }
    }
  }
  return best;
}

/** Corners may be round: what shows there is what is behind the box, px. */
const CORNER = 8;

/** How many lines and, in the fullest of them, how many parts (words far apart, icons) stand in a box. */
export function countParts(image: RgbImage, box: Rect, background: number): { lines: number; parts: number } {
  const { width, height } = box;
  const corner = Math.min(CORNER, Math.floor(height / 3), Math.floor(width / 3));
  const inCorner = (x: number, y: number): boolean =>
    (x < corner || x >= width - corner) && (y < corner || y >= height - corner);
  const counts = (x: number, y: number): boolean =>
    !inCorner(x, y) && isContent(image, background, box.x + x, box.y + y);
  const rows = new Uint8Array(height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width && rows[y] === 0; x++) if (counts(x, y)) rows[y] = 1;
  }
  const lines = runsOf(rows, 2);
  let parts = 0;
  for (const [from, to] of lines) {
    const columns = new Uint8Array(width);
    for (let x = 0; x < width; x++) {
      for (let y = from; y <= to && columns[x] === 0; y++) if (counts(x, y)) columns[x] = 1;
    }
    parts = Math.max(parts, runsOf(columns, MOST_GAP).length);
  }
  return { lines: lines.length, parts };
}

/** Stretches of ones, as [first, last], those that are at most `gap` zeros apart taken as one. */
function runsOf(marks: Uint8Array, gap: number): [number, number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < marks.length; at++) {
    if (marks[at] === 0) continue;
    const last = runs.at(-1);
    if (last && at - last[1] - 1 <= gap) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/** The box with free space around it, up to `most` px on each side: what one would click is larger than its letters. */
export function padded(image: RgbImage, box: Rect, background: number, within: Rect, most: number): Rect {
  let { x, y, width, height } = box;
  const free = (x0: number, y0: number, w: number, h: number): boolean => {
    if (x0 < within.x || y0 < within.y || x0 + w > within.x + within.width || y0 + h > within.y + within.height) {
      return false;
    }
    for (let j = y0; j < y0 + h; j++)
      for (let i = x0; i < x0 + w; i++) if (isContent(image, background, i, j)) return false;
    return true;
  };
  for (let step = 0; step < most; step++) {
    if (free(x - 1, y, 1, height) && free(x + width, y, 1, height)) {
      x -= 1;
      width += 2;
    }
    if (free(x, y - 1, width, 1) && free(x, y + height, width, 1)) {
      y -= 1;
      height += 2;
    }
  }
  return { x, y, width, height };
}
