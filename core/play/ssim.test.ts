import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { structuralLikeness } from './ssim.ts';

function image(width: number, height: number, at: (x: number, y: number) => [number, number, number]): RgbImage {
  const places = Array.from({ length: width * height }, (_, n) => at(n % width, Math.floor(n / width)));
  return { width, height, rgb: Uint8Array.from(places.flat()) };
}
/** A pattern in one colour on black. */
const stripes = (colour: [number, number, number]) => image(32, 24, (x, y) => ((x + y) % 6 < 3 ? colour : [0, 0, 0]));

test.each([false, true])('a picture is like itself, and of another size like nothing (in colour: %s)', (inColour) => {
  const likeness = (a: RgbImage, b: RgbImage) => structuralLikeness(a, b, inColour);
  expect(likeness(stripes([200, 30, 90]), stripes([200, 30, 90]))).toBeCloseTo(1, 12);
  expect(
    likeness(
      stripes([200, 30, 90]),
      image(31, 24, () => [0, 0, 0]),
    ),
  ).toBeNull();
  expect(
    likeness(
      image(7, 7, () => [0, 0, 0]),
      image(7, 7, () => [0, 0, 0]),
    ),
  ).toBeNull();
});

test('another hue of the same lightness is another picture in colour alone', () => {
  // 0.299 * 196 and 0.587 * 100 are nearly the same grey.
  const [red, green] = [stripes([196, 0, 0]), stripes([0, 100, 0])];
  expect(structuralLikeness(red, green)).toBeGreaterThan(0.99);
  expect(structuralLikeness(red, green, true)).toBeLessThan(0.5);
});
