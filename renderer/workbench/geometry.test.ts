import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundPan,
  boxToCss,
  centreOn,
  clampPixel,
  fitViewport,
  fromCss,
  isInPicture,
  keepInSight,
  percentOfScale,
  pixelToCss,
  scaleOfPercent,
  toPicture,
  zoomAt,
} from './geometry.ts';

const rect = (x: number, y: number, width = 100, height = 50) => ({ x, y, width, height });

test('a place on a second display left of the first lies in the picture by the view origin', () => {
  const view = rect(-1920, 0, 1920, 1080);
  expect(toPicture({ x: -1900, y: 20 }, view)).toEqual({ x: 20, y: 20 });
});

test('the last pixel lies inside and the next one does not', () => {
  const size = { width: 100, height: 50 };
  expect(isInPicture({ x: 99, y: 49 }, size)).toBe(true);
  expect(isInPicture({ x: 100, y: 49 }, size)).toBe(false);
  expect(clampPixel({ x: 100.7, y: -3 }, size)).toEqual({ x: 99, y: 0 });
});

test('a marker stands over the middle of its pixel', () => {
  expect(pixelToCss({ x: 10, y: 20 }, { scale: 2, x: 5, y: 7 })).toEqual({ x: 26, y: 48 });
});

test('a box covers its pixels whole', () => {
  expect(boxToCss(rect(10, 20, 3, 4), { scale: 2, x: 5, y: 7 })).toEqual(rect(25, 47, 6, 8));
});

test('100 % is one picture pixel on one pixel of the display', () => {
  expect(scaleOfPercent(100, 2)).toBe(0.5);
  expect(percentOfScale(0.5, 2)).toBe(100);
  expect(percentOfScale(scaleOfPercent(200, 1.25), 1.25)).toBe(200);
});

test('a fitted picture lies whole in the middle of the stage', () => {
  const viewport = fitViewport({ width: 1920, height: 1080 }, { width: 976, height: 800 });
  expect(viewport).toEqual({ scale: 0.5, x: 8, y: 130 });
});

const viewports = fc.record({
  scale: fc.double({ min: 0.05, max: 16, noNaN: true }),
  x: fc.integer({ min: -5000, max: 5000 }),
  y: fc.integer({ min: -5000, max: 5000 }),
});
const pixels = fc.record({ x: fc.integer({ min: 0, max: 7679 }), y: fc.integer({ min: 0, max: 4319 }) });

test('a click on the middle of a pixel is that pixel, at any zoom (law)', () => {
  fc.assert(
    fc.property(viewports, pixels, (viewport, pixel) => {
      const back = fromCss(pixelToCss(pixel, viewport), viewport);
      expect({ x: Math.floor(back.x), y: Math.floor(back.y) }).toEqual(pixel);
    }),
  );
});

test('zooming keeps what is under the pointer there (law)', () => {
  fc.assert(
    fc.property(viewports, pixels, fc.double({ min: 0.05, max: 16, noNaN: true }), (viewport, at, scale) => {
      const before = fromCss(at, viewport);
      const after = fromCss(at, zoomAt(viewport, at, scale));
      expect(after.x).toBeCloseTo(before.x, 5);
      expect(after.y).toBeCloseTo(before.y, 5);
    }),
  );
});

test('the zoom stays from step to step and moves only for a target out of sight', () => {
  const stage = { width: 800, height: 600 };
  const viewport = { scale: 2, x: 0, y: 0 };
  expect(keepInSight(viewport, { x: 100, y: 100 }, stage)).toBe(viewport);
  const moved = keepInSight(viewport, { x: 900, y: 100 }, stage);
  expect(moved).toEqual(centreOn(viewport, { x: 900, y: 100 }, stage));
  expect(moved.scale).toBe(2);
  expect(pixelToCss({ x: 900, y: 100 }, moved)).toEqual({ x: 400, y: 300 });
});

test('a picture cannot be pushed out of the stage', () => {
  const bound = boundPan({ scale: 1, x: -9000, y: 9000 }, { width: 100, height: 100 }, { width: 500, height: 400 });
  expect(bound).toEqual({ scale: 1, x: -52, y: 352 });
});
