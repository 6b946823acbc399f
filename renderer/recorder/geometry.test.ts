import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Display } from '../../schemas/events.ts';
import {
  desktopBounds,
  fitMap,
  mayLieOn,
  middleOf,
  regionBetween,
  regionProblem,
  toDesktop,
  toMap,
} from './geometry.ts';

const display = (id: number, x: number, y: number, width: number, height: number): Display => ({
  id,
  name: `D${id}`,
  x,
  y,
  width,
  height,
  scale: 1,
  primary: id === 1,
});
/** A laptop with a larger display at its left, higher up. */
const DISPLAYS = [display(1, 0, 0, 1920, 1080), display(2, -2560, -360, 2560, 1440)];

describe('the map of displays', () => {
  it('spans all of them, also left of and above 0', () => {
    expect(desktopBounds(DISPLAYS)).toEqual({ x: -2560, y: -360, width: 4480, height: 1440 });
  });

  it('fits into the space in both directions and keeps the proportion', () => {
    const map = fitMap(DISPLAYS, 448, 100);
    expect(map.scale).toBeCloseTo(100 / 1440);
    expect(map.height).toBeCloseTo(100);
    expect(map.width / map.height).toBeCloseTo(4480 / 1440);
  });

  it('finds a desktop pixel again after drawing it', () => {
    const map = fitMap(DISPLAYS, 600, 220);
    fc.assert(
      fc.property(fc.integer({ min: -2560, max: 1920 }), fc.integer({ min: -360, max: 1080 }), (x, y) => {
        const { left, top } = toMap(map, { x, y, width: 1, height: 1 });
        expect(toDesktop(map, left, top)).toEqual({ x, y });
      }),
    );
  });

  it('keeps a pointer that left the map at its edge', () => {
    expect(toDesktop(fitMap(DISPLAYS, 448, 200), -50, 9999)).toEqual({ x: -2560, y: 1080 });
  });
});

describe('a region', () => {
  it('lies between two corners in any order', () => {
    expect(regionBetween({ x: 30, y: 5 }, { x: 10, y: 25 })).toEqual({ x: 10, y: 5, width: 20, height: 20 });
    expect(regionBetween({ x: 3, y: 5 }, { x: 3, y: 9 })).toBeNull();
  });

  it('may span two displays but not what no display shows', () => {
    expect(regionProblem({ x: -100, y: 100, width: 300, height: 300 }, DISPLAYS)).toBeNull();
    expect(regionProblem({ x: 100, y: -200, width: 300, height: 300 }, DISPLAYS)).toContain('A part of the region');
    expect(regionProblem({ x: 5000, y: 0, width: 300, height: 300 }, DISPLAYS)).toContain('outside every display');
    expect(regionProblem({ x: 0, y: 0, width: 4, height: 300 }, DISPLAYS)).toContain('too small');
  });

  it('begins as the middle of its display, inside it', () => {
    for (const one of DISPLAYS) expect(regionProblem(middleOf(one), [one])).toBeNull();
  });
});

it('a page lies on a part of the desktop when its window may reach it, with or without the system’s scale', () => {
  const place = { screenX: 0, screenY: 0, outerWidth: 600, outerHeight: 400, devicePixelRatio: 1 };
  const view = { x: 700, y: 0, width: 300, height: 300 };
  expect(mayLieOn(place, view)).toBe(false);
  expect(mayLieOn(place, { ...view, x: 599 })).toBe(true);
  // At twice the px its window is 1200 wide.
  expect(mayLieOn({ ...place, devicePixelRatio: 2 }, view)).toBe(true);
  // Moved beside it, on a display at the left.
  expect(mayLieOn({ ...place, screenX: -600 }, { ...view, x: 0 })).toBe(false);
});
