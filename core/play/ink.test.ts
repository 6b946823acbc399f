import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { inkLine } from './ink.ts';

/** Paper of one colour from `left` to `right`, with marks of another at some columns of the rows 20 to 29. */
function line(paper: number[], ink: number[], marks: readonly number[], [left, right] = [30, 170]): RgbImage {
  const [width, height] = [200, 50];
  const rgb = new Uint8Array(width * height * 3).fill(240);
  for (let y = 15; y < 35; y++)
    for (let x = left; x < right; x++)
      rgb.set(marks.includes(x) && y >= 20 && y < 30 ? ink : paper, 3 * (y * width + x));
  return { width, height, rgb };
}
const PART = { x: 96, y: 16, width: 16, height: 16 };
const darkAt = ({ width, rgb }: RgbImage, x: number, y: number): number => 255 - (rgb[3 * (y * width + x)] ?? 0);

test('PL33: a selected line is read as dark on white, as far as its selection goes, with a margin around it', () => {
  const found = inkLine(line([53, 132, 228], [255, 255, 255], [100, 120]), PART);
  if (!found) throw new Error('there is a line');
  const { picture, at } = found;
  expect(at).toEqual({ x: 20, y: 5 });
  expect([picture.width, picture.height]).toEqual([160, 40]);
  for (const x of [100, 120]) expect(darkAt(picture, x - at.x, 25 - at.y)).toBe(255);
  // Paper, and the margin.
  expect(darkAt(picture, 110 - at.x, 25 - at.y)).toBe(0);
  expect(darkAt(picture, 0, 0)).toBe(0);
});

test('PL33: dark on light comes out alike; a place with nothing on it is no line', () => {
  const dark = inkLine(line([250, 250, 250], [20, 20, 20], [100, 120]), PART);
  const light = inkLine(line([20, 20, 20], [250, 250, 250], [100, 120]), PART);
  expect(dark).toEqual(light);
  expect(inkLine(line([20, 20, 20], [250, 250, 250], []), PART)).toBeNull();
});
