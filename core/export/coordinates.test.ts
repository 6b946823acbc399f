import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, relative, relativePoint, relativeXywh, relativeXyxy, xywh, xyxy } from './coordinates.ts';

test('a pixel comes back from its relative coordinate, for every picture of up to 9,999 px', () => {
  const place = fc
    .integer({ min: 1, max: 9_999 })
    .chain((size) => fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size)));
  fc.assert(
    fc.property(place, ([px, size]) => {
      const value = relative(px, size);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      // As a reader of the export gets the pixel back.
      expect(Math.round(value * size)).toBe(px);
    }),
  );
});

test('the first and the last pixel of a screen', () => {
  expect(relativePoint([0, 0], { width: 1920, height: 1080 })).toEqual({ x: 0, y: 0 });
  expect(relativePoint([1919, 1079], { width: 1920, height: 1080 })).toEqual({ x: 0.9995, y: 0.9991 });
});

test('the two conventions of boxes: left, top, width, height; left, top, right, bottom', () => {
  const box = { x: 10, y: 20, width: 30, height: 5 };
  expect(xywh(box)).toEqual([10, 20, 30, 5]);
  expect(xyxy(box)).toEqual([10, 20, 40, 25]);
  expect(relativeXywh(box, { width: 100, height: 50 })).toEqual([0.1, 0.4, 0.3, 0.1]);
  expect(relativeXyxy(box, { width: 100, height: 50 })).toEqual([0.1, 0.4, 0.4, 0.5]);
});

test('a box holds its first pixel and its last, and not the next', () => {
  const box = { x: 10, y: 20, width: 30, height: 5 };
  expect([contains(box, [10, 20]), contains(box, [39, 24]), contains(box, [40, 24]), contains(box, [39, 25])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
