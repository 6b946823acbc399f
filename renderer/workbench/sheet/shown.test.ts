import fc from 'fast-check';
import { expect, it } from 'vitest';
import { movedBy } from './shown.ts';

const places = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 }).map((all) => all.toSorted((a, b) => a - b));

it('a move ends on a tile that is shown, and no further than the way asks', () => {
  fc.assert(
    fc.property(places, fc.nat(59), fc.integer({ min: -12, max: 12 }), (shown, index, by) => {
      const here = index % shown.length;
      const to = shown.indexOf(movedBy(shown, shown[here]!, by));
      expect(to).toBeGreaterThanOrEqual(0);
      expect(Math.abs(to - here)).toBeLessThanOrEqual(Math.abs(by));
      expect(Math.sign(to - here) === Math.sign(by) || to === here).toBe(true);
    }),
  );
});

it('a row up and a row down stay in their column', () => {
  const shown = [0, 1, 2, 3, 4, 5, 6, 7];
  expect(movedBy(shown, 1, 3)).toBe(4);
  expect(movedBy(shown, 4, -3)).toBe(1);
  expect(movedBy(shown, 1, -3)).toBe(1);
  // The last row is shorter.
  expect(movedBy(shown, 5, 3)).toBe(7);
  expect(movedBy(shown, 7, 3)).toBe(7);
});

it('a step that is not shown leads to the first that is', () => {
  expect(movedBy([4, 9], 5, 1)).toBe(4);
  expect(movedBy([], 5, 1)).toBe(5);
});
