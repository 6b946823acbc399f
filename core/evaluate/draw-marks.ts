import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { sharedArea } from '../rect.ts';
import type { Box } from './aids.ts';

/** Numbered frames on a picture (M26). Our own digits: the same bytes on every machine, whatever fonts it has. */

/** Rows of five pixels, the highest bit at the left. */
const DIGITS: readonly (readonly number[])[] = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 6, 8, 16, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
];
const [GLYPH_WIDTH, GLYPH_HEIGHT] = [5, 7];
/** Dark enough for white digits; neighbours in the list are told apart. */
const COLOURS = [0xd1203a, 0x1b5fc1, 0x0b7a3b, 0x7b2cbf, 0xa84f00, 0x00747a, 0xb5179e, 0x374151];
/** The same, lighter: a line of one pixel must be seen on dark and on light. */
const LINES = [0xff4d63, 0x4d94ff, 0x2fbf71, 0xb06bff, 0xff9233, 0x1fb5bd, 0xff4fd8, 0x9aa5b5];
const WHITE = 0xffffff;
/** A digit's pixel on a screen of this height is two of the picture's. */
const USUAL_HEIGHT = 540;

/** The picture with a frame around each box and its number, from 1, beside it. The given one stays as it is. */
export function drawMarks(image: RgbImage, boxes: readonly Box[]): RgbImage {
  const marked: RgbImage = { ...image, rgb: Uint8Array.from(image.rgb) };
  const scale = Math.max(2, Math.round(image.height / USUAL_HEIGHT));
  const areas = boxes.map(([x, y, width, height]): Rect => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
  });
  for (const [i, area] of areas.entries()) frame(marked, area, LINES[i % LINES.length]!, Math.max(1, scale - 1));
  const labels: Rect[] = [];
  for (const [i, area] of areas.entries()) {
    const text = String(i + 1);
    const size = { width: (text.length * (GLYPH_WIDTH + 1) + 1) * scale, height: (GLYPH_HEIGHT + 2) * scale };
    const label = labelPlace(area, size, image, labels, areas, i);
    labels.push(label);
    fill(marked, label, colourOf(i));
    for (const [at, digit] of [...text].entries()) {
      const x = label.x + (at * (GLYPH_WIDTH + 1) + 1) * scale;
      glyph(marked, DIGITS[Number(digit)]!, x, label.y + scale, scale);
    }
  }
  return marked;
}

const colourOf = (i: number): number => COLOURS[i % COLOURS.length]!;

/** Beside its box, where it hides the least of other numbers (counted ten times) and other elements. */
function labelPlace(
  box: Rect,
  { width, height }: { width: number; height: number },
  image: RgbImage,
  labels: readonly Rect[],
  areas: readonly Rect[],
  own: number,
): Rect {
  const right = box.x + box.width - width;
  const below = box.y + box.height;
  const places: (readonly [number, number])[] = [
    [box.x, box.y - height],
    [box.x - width, box.y],
    [right, box.y - height],
    [box.x, below],
    [box.x + box.width, box.y],
    [right, below],
    [box.x, box.y],
  ];
  let best: Rect | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [x, y] of places) {
    const area = {
      x: Math.max(0, Math.min(image.width - width, x)),
      y: Math.max(0, Math.min(image.height - height, y)),
      width,
      height,
    };
    let hidden = sharedArea(area, box) * 2;
    for (const label of labels) hidden += sharedArea(area, label) * 10;
    for (const [i, other] of areas.entries()) if (i !== own) hidden += sharedArea(area, other);
    if (hidden < least) {
      least = hidden;
      best = area;
    }
  }
  return best!; // There are seven places.
}

/** Around the box, so that the element itself stays as it was. */
function frame(image: RgbImage, { x, y, width, height }: Rect, colour: number, thick: number): void {
  const wide = width + 2 * thick;
  fill(image, { x: x - thick, y: y - thick, width: wide, height: thick }, colour);
  fill(image, { x: x - thick, y: y + height, width: wide, height: thick }, colour);
  fill(image, { x: x - thick, y, width: thick, height }, colour);
  fill(image, { x: x + width, y, width: thick, height }, colour);
}

function glyph(image: RgbImage, rows: readonly number[], x: number, y: number, scale: number): void {
  for (const [row, bits] of rows.entries()) {
    for (let column = 0; column < GLYPH_WIDTH; column++) {
      if (((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 0) continue;
      fill(image, { x: x + column * scale, y: y + row * scale, width: scale, height: scale }, WHITE);
    }
  }
}

/** The part of it that is inside the picture. */
function fill({ rgb, width: across, height: down }: RgbImage, { x, y, width, height }: Rect, colour: number): void {
  for (let row = Math.max(0, y); row < Math.min(down, y + height); row++) {
    for (let column = Math.max(0, x); column < Math.min(across, x + width); column++) {
      const at = (row * across + column) * 3;
      rgb[at] = colour >> 16;
      rgb[at + 1] = (colour >> 8) & 255;
      rgb[at + 2] = colour & 255;
    }
  }
}
