import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';

/** A channel may differ by this before a pixel counts as other: encoders of pictures round. */
const ROUNDING = 8;

/** The part of the pixels that are other, 0 to 1; null where the sizes differ. */
export function otherPixels(a: RgbImage, b: RgbImage): number | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  let other = 0;
  for (let at = 0; at < a.rgb.length; at += 3) {
    const near = (channel: number): boolean => Math.abs(a.rgb[at + channel]! - b.rgb[at + channel]!) <= ROUNDING;
    if (!near(0) || !near(1) || !near(2)) other++;
  }
  return other / (a.width * a.height);
}

/** A picture of one colour (`#rrggbb`). */
export function plainPicture(width: number, height: number, colour: string): RgbImage {
  const value = Number.parseInt(colour.slice(1), 16);
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 3) {
    rgb[at] = value >> 16;
    rgb[at + 1] = (value >> 8) & 255;
    rgb[at + 2] = value & 255;
  }
  return { width, height, rgb };
}

/** A part of a picture; null when it is not all inside. */
export function cutOut({ width, height, rgb }: RgbImage, rect: Rect): RgbImage | null {
  if (rect.x < 0 || rect.y < 0 || rect.x + rect.width > width || rect.y + rect.height > height) return null;
  const cut = new Uint8Array(rect.width * rect.height * 3);
  for (let row = 0; row < rect.height; row++) {
    const from = ((rect.y + row) * width + rect.x) * 3;
    cut.set(rgb.subarray(from, from + rect.width * 3), row * rect.width * 3);
  }
  return { width: rect.width, height: rect.height, rgb: cut };
}

/** Side of the cells in which light and dark are told apart, and how many of them around one are looked at, each way. */
const CELL = 8;
const AROUND = 2;

/**
 * The picture in grey with a light background everywhere: what is light on dark (a dark window, a desktop around a light one)
 * is turned over there alone, since texts are read as dark on light.
 */
export function darkOnLight({ width, height, rgb }: RgbImage): RgbImage {
  const grey = new Uint8Array(width * height);
  const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const dark = new Uint16Array(columns * rows);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const j = 3 * i;
      const value = 0.3 * (rgb[j] ?? 0) + 0.6 * (rgb[j + 1] ?? 0) + 0.1 * (rgb[j + 2] ?? 0);
      grey[i] = value;
      const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL);
      if (value < 128) dark[cell] = (dark[cell] ?? 0) + 1;
    }
  }
  const turned = new Uint8Array(width * height * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [left, right] = [Math.max(0, column - AROUND), Math.min(columns, column + AROUND + 1)];
      const [top, bottom] = [Math.max(0, row - AROUND), Math.min(rows, row + AROUND + 1)];
      let count = 0;
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) count += dark[y * columns + x] ?? 0;
      const all = (Math.min(width, right * CELL) - left * CELL) * (Math.min(height, bottom * CELL) - top * CELL);
      const turn = 2 * count > all ? 255 : 0;
      for (let y = row * CELL; y < Math.min(height, (row + 1) * CELL); y++)
        for (let x = column * CELL; x < Math.min(width, (column + 1) * CELL); x++) {
          const i = y * width + x;
          // With all bits turned over, light is dark.
          turned.fill((grey[i] ?? 0) ^ turn, 3 * i, 3 * i + 3);
        }
    }
  }
  return { width, height, rgb: turned };
}
