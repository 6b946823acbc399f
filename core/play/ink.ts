import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';

/**
 * A line of text as a reader of printed pages knows it: dark on white, with a margin. Of selected text, in the colours of another
 * theme, or beside the edge of its selection a reader makes nothing (PL33).
 */

/** How far a line reaches beyond the part of it that is given, px. */
const FAR = { x: 240, y: 8 };
/** Letters that touch the picture's edge are not read. */
const MARGIN = 10;

/** `at`: where the first pixel of `picture` lies in the whole one. */
export type InkLine = { picture: RgbImage; at: { x: number; y: number } };

/** The line that `part` is a part of: as far as its paper's colour goes. Null where nothing is on it. */
export function inkLine(whole: RgbImage, part: Rect): InkLine | null {
  const paper = commonest(whole, part);
  const columnHas = (x: number, top: number, bottom: number): boolean => {
    for (let y = top; y < bottom; y++) if (colourAt(whole, x, y) === paper) return true;
    return false;
  };
  const rowHas = (y: number, left: number, right: number): boolean => {
    for (let x = left; x < right; x++) if (colourAt(whole, x, y) === paper) return true;
    return false;
  };
  let [left, right, top, bottom] = [part.x, part.x + part.width, part.y, part.y + part.height];
  const [first, last] = [Math.max(0, left - FAR.x), Math.min(whole.width, right + FAR.x)];
  const [highest, lowest] = [Math.max(0, top - FAR.y), Math.min(whole.height, bottom + FAR.y)];
  while (top > highest && rowHas(top - 1, left, right)) top--;
  while (bottom < lowest && rowHas(bottom, left, right)) bottom++;
  while (left > first && columnHas(left - 1, top, bottom)) left--;
  while (right < last && columnHas(right, top, bottom)) right++;
  return drawn(whole, { x: left, y: top, width: right - left, height: bottom - top }, paper);
}

function drawn(whole: RgbImage, line: Rect, paper: number): InkLine | null {
  const marks = new Uint8Array(line.width * line.height);
  let most = 0;
  for (let y = 0, i = 0; y < line.height; y++)
    for (let x = 0; x < line.width; x++, i++) {
      marks[i] = apart(colourAt(whole, line.x + x, line.y + y), paper);
      most = Math.max(most, marks[i] ?? 0);
    }
  if (most === 0) return null;
  const [width, height] = [line.width + 2 * MARGIN, line.height + 2 * MARGIN];
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0, i = 0; y < line.height; y++)
    for (let x = 0; x < line.width; x++, i++) {
      const at = 3 * ((y + MARGIN) * width + x + MARGIN);
      rgb.fill(255 - Math.round((255 * (marks[i] ?? 0)) / most), at, at + 3);
    }
  return { picture: { width, height, rgb }, at: { x: line.x - MARGIN, y: line.y - MARGIN } };
}

function colourAt({ width, rgb }: RgbImage, x: number, y: number): number {
  const at = 3 * (y * width + x);
  return ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
}

/** How far two colours are apart in the channel that tells them best, 0 to 255. */
function apart(a: number, b: number): number {
  return Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );
}

function commonest(picture: RgbImage, { x, y, width, height }: Rect): number {
  const counts = new Map<number, number>();
  let [best, most] = [0, 0];
  for (let row = y; row < Math.min(y + height, picture.height); row++)
    for (let column = x; column < Math.min(x + width, picture.width); column++) {
      const colour = colourAt(picture, column, row);
      const count = (counts.get(colour) ?? 0) + 1;
      counts.set(colour, count);
      if (count > most) [best, most] = [colour, count];
    }
  return best;
}
