import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostDisplay, Rect } from './api.ts';
import {
  fitWindow,
  frameSides,
  leavesOut,
  overlap,
  placeBar,
  type Screen,
  screensOf,
  toDip,
  toPx,
} from './geometry.ts';

const display = (id: number, bounds: Rect, scaleFactor = 1, nativeOrigin = { x: 0, y: 0 }): HostDisplay => ({
  id,
  bounds,
  workArea: bounds,
  scaleFactor,
  nativeOrigin,
});
const same = (rect: Rect): Rect => rect;
const one = (rect: Rect): Screen[] => screensOf([display(1, rect)], 'linux', same);
const FULL = { x: 0, y: 0, width: 1920, height: 1080 };
const BAR = { width: 560, height: 56 };

describe('px and DIP', () => {
  test('X11: the origin in px is the display’s own', () => {
    const screens = screensOf(
      [display(1, FULL), display(2, { x: 1920, y: 0, width: 1280, height: 720 }, 2, { x: 1920, y: 0 })],
      'linux',
      same,
    );
    expect(screens[1]?.px).toEqual({ x: 1920, y: 0, width: 2560, height: 1440 });
    expect(toDip({ x: 2120, y: 100, width: 400, height: 300 }, screens)).toEqual({
      x: 2020,
      y: 50,
      width: 200,
      height: 150,
    });
  });

  test('macOS: the origin in points times the largest scale, as the recorder has it', () => {
    const screens = screensOf(
      [
        display(1, { x: 0, y: 0, width: 1440, height: 900 }, 2),
        display(2, { x: 1440, y: 0, width: 1920, height: 1080 }, 1),
      ],
      'darwin',
      same,
    );
    expect(screens.map(({ px }) => px)).toEqual([
      { x: 0, y: 0, width: 2880, height: 1800 },
      { x: 2880, y: 0, width: 1920, height: 1080 },
    ]);
  });

  test('Windows converts by itself', () => {
    const px = { x: -2560, y: 0, width: 2560, height: 1440 };
    const screens = screensOf([display(1, { x: -2048, y: 0, width: 2048, height: 1152 }, 1.25)], 'win32', () => px);
    expect(screens[0]?.px).toEqual(px);
    expect(toDip(px, screens)).toEqual({ x: -2048, y: 0, width: 2048, height: 1152 });
  });

  test('a window’s px cover every pixel that it lies on, at any scale', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 1.25, 1.5, 1.75, 2),
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 1, max: 500 }),
        (scale, x, width) => {
          const screens = screensOf([display(1, { x: 0, y: 0, width: 1600, height: 900 }, scale)], 'linux', same);
          const px = toPx({ x, y: 0, width, height: 10 }, screens);
          expect(px.x).toBeLessThanOrEqual(x * scale);
          expect(px.x + px.width).toBeGreaterThanOrEqual((x + width) * scale);
        },
      ),
    );
  });
});

describe('the recording bar', () => {
  const region = { x: 200, y: 100, width: 900, height: 600 };

  test('lies below the region, or above where there is no room below', () => {
    expect(placeBar(region, one(FULL), BAR, false)).toEqual({ x: 370, y: 712, ...BAR });
    expect(placeBar({ ...region, y: 400, height: 680 }, one(FULL), BAR, false)).toMatchObject({ y: 400 - 12 - 56 });
  });

  test('is on another display when a whole one is recorded, over it only where captures leave it out, else nowhere', () => {
    const two = screensOf([display(1, FULL), display(2, { ...FULL, x: 1920 }, 1, { x: 1920, y: 0 })], 'linux', same);
    const place = placeBar(FULL, two, BAR, false);
    expect(place && overlap(place, FULL)).toBe(0);
    expect(placeBar(FULL, one(FULL), BAR, true)).toEqual({ x: 680, y: 1012, ...BAR });
    expect(placeBar(FULL, one(FULL), BAR, false)).toBeNull();
  });

  test('is never in the picture where it would be seen there', () => {
    const side = fc.integer({ min: 0, max: 1900 });
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 16, max: 1920 }),
        fc.integer({ min: 16, max: 1080 }),
        (x, y, width, height) => {
          const view = { x: Math.min(x, 1920 - width), y: Math.min(y, 1080 - height), width, height };
          fc.pre(view.x >= 0 && view.y >= 0);
          const place = placeBar(view, one(FULL), BAR, false);
          if (place === null) return;
          expect(overlap(place, view)).toBe(0);
          expect(overlap(place, FULL)).toBe(BAR.width * BAR.height);
        },
      ),
    );
  });
});

describe('the frame', () => {
  test('lies around the region and not in it; around a whole display there is none', () => {
    const view = { x: 100, y: 50, width: 300, height: 200 };
    const sides = frameSides(view, one(FULL), 3);
    expect(sides).toHaveLength(4);
    expect(sides.map((side) => overlap(side, view))).toEqual([0, 0, 0, 0]);
    expect(frameSides(FULL, one(FULL), 3)).toEqual([]);
  });

  test('leaves out the sides that no display shows', () => {
    expect(frameSides({ x: 0, y: 0, width: 300, height: 1080 }, one(FULL), 3)).toEqual([
      { x: 300, y: 0, width: 3, height: 1080 },
    ]);
  });
});

test('which systems leave a protected window out of captures', () => {
  expect(leavesOut('win32', '10.0.19041')).toBe(true);
  expect(leavesOut('win32', '10.0.18363')).toBe(false);
  expect(leavesOut('darwin', '23.6.0')).toBe(true);
  expect(leavesOut('darwin', '24.1.0')).toBe(false);
  expect(leavesOut('linux', '6.8.0')).toBe(false);
});

describe('a remembered window', () => {
  test('comes back where it was', () => {
    const bounds = { x: 100, y: 100, width: 1000, height: 700 };
    expect(fitWindow(bounds, one(FULL))).toEqual(bounds);
  });

  test('of a display that is gone is placed anew; a larger one shrinks', () => {
    expect(fitWindow({ x: 3000, y: 0, width: 1000, height: 700 }, one(FULL))).toBeNull();
    expect(fitWindow({ x: 0, y: 0, width: 4000, height: 3000 }, one(FULL))).toEqual({
      x: 0,
      y: 0,
      width: 1920,
      height: 1080,
    });
    expect(fitWindow(null, one(FULL))).toBeNull();
  });

  test('can always be reached by its title bar', () => {
    const wild = fc.integer({ min: -3000, max: 3000 });
    fc.assert(
      fc.property(
        wild,
        wild,
        fc.integer({ min: 120, max: 4000 }),
        fc.integer({ min: 120, max: 3000 }),
        (x, y, width, height) => {
          const fitted = fitWindow({ x, y, width, height }, one(FULL));
          if (fitted === null) return;
          expect(fitted.y).toBeGreaterThanOrEqual(0);
          expect(overlap({ ...fitted, height: 30 }, FULL)).toBeGreaterThanOrEqual(30 * 120);
        },
      ),
    );
  });
});
