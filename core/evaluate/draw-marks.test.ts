import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { drawMarks } from './draw-marks.ts';

const grey = (width: number, height: number): RgbImage => ({
  width,
  height,
  rgb: new Uint8Array(width * height * 3).fill(128),
});
const at = ({ rgb, width }: RgbImage, x: number, y: number) =>
  [...rgb.slice((y * width + x) * 3, (y * width + x) * 3 + 3)].join();
const GREY = '128,128,128';

describe('marks on a picture', () => {
  test('stand around their box, which stays as it was, and beside it is the number', () => {
    const image = grey(200, 100);
    const marked = drawMarks(image, [[50, 50, 40, 20]]);
    for (let y = 50; y < 70; y++) for (let x = 50; x < 90; x++) expect(at(marked, x, y)).toBe(GREY);
    for (const [x, y] of [
      [49, 49],
      [90, 70],
      [49, 60],
      [70, 70],
    ] as const)
      expect(at(marked, x, y)).not.toBe(GREY);
    // White digits on a dark label above it.
    const label = Array.from({ length: 18 }, (_, i) => i + 32).flatMap((y) =>
      Array.from({ length: 14 }, (_, x) => at(marked, 50 + x, y)),
    );
    expect(label).toContain('255,255,255');
    expect([...image.rgb].every((value) => value === 128)).toBe(true);
  });

  test('different numbers look different', () => {
    const pictures = Array.from({ length: 12 }, (_, n) => {
      const boxes = Array.from({ length: n + 1 }, (_, i): [number, number, number, number] => [
        10,
        20 + i * 45,
        60,
        20,
      ]);
      const marked = drawMarks(grey(120, 600), boxes);
      // The label of the last one, in black and white.
      const y = 20 + n * 45;
      return Array.from({ length: 18 }, (_, row) =>
        Array.from({ length: 30 }, (_, x) => (at(marked, 10 + x, y - 18 + row) === '255,255,255' ? '#' : '.')).join(''),
      ).join('\n');
    });
    expect(new Set(pictures).size).toBe(12);
  });

  test('numbers do not lie on each other where there is room', () => {
    const one = drawMarks(grey(300, 300), [[100, 100, 30, 30]]);
    const two = drawMarks(grey(300, 300), [
      [100, 100, 30, 30],
      [100, 135, 30, 30],
    ]);
    // The first number's place is the same with and without the second.
    for (let y = 82; y < 99; y++) for (let x = 100; x < 114; x++) expect(at(two, x, y)).toBe(at(one, x, y));
  });

  test('any boxes on any picture, also beyond its edges: nothing else is written, and it repeats (law)', () => {
    const size = fc.integer({ min: 1, max: 80 });
    const boxes = fc.array(fc.tuple(fc.integer({ min: -20, max: 90 }), fc.integer({ min: -20, max: 90 }), size, size), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(size, size, boxes, (width, height, list) => {
        const image = grey(width, height);
        const marked = drawMarks(image, list);
        expect(marked.rgb).toHaveLength(width * height * 3);
        expect(drawMarks(image, list).rgb).toEqual(marked.rgb);
        if (list.length === 0) expect(marked.rgb).toEqual(image.rgb);
      }),
      { numRuns: 60 },
    );
  });
});
