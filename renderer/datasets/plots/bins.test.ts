import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binLabel, binsOf, niceTicks } from './bins.ts';

describe('bins', () => {
  it('count every value once, in its own bin, without a gap', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 200 }), (values) => {
        const bins = binsOf(values);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        expect(bins.length).toBeLessThanOrEqual(24);
        bins.forEach((bin, i) => {
          expect(bin.count).toBe(values.filter((value) => value >= bin.from && value < bin.to).length);
          if (i > 0) expect(bin.from).toBe(bins[i - 1]?.to);
        });
        expect(bins[0]?.count).toBeGreaterThan(0);
        expect(bins.at(-1)?.count).toBeGreaterThan(0);
      }),
    );
  });
  it('are one for each whole number while there is room, and round after', () => {
    expect(binsOf([2, 3, 3, 5])).toEqual([
      { from: 2, to: 3, count: 1 },
      { from: 3, to: 4, count: 2 },
      { from: 4, to: 5, count: 0 },
      { from: 5, to: 6, count: 1 },
    ]);
    expect(
      binsOf([1, 95])
        .map(({ from }) => from)
        .slice(0, 3),
    ).toEqual([0, 5, 10]);
    expect(binsOf([])).toEqual([]);
  });
  it('are written as the values they hold', () => {
    expect(binLabel({ from: 3, to: 4, count: 1 }, true)).toBe('3');
    expect(binLabel({ from: 10, to: 20, count: 1 }, true)).toBe('10–19');
    expect(binLabel({ from: 1000, to: 1200, count: 1 }, false)).toBe('1,000–1,200');
  });
});

it('an axis begins at 0, reaches the largest value and has at most six marks', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), (most) => {
      const marks = niceTicks(most);
      expect(marks[0]).toBe(0);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(marks.length).toBeLessThanOrEqual(6);
      expect(marks.length).toBeGreaterThanOrEqual(2);
    }),
  );
});
