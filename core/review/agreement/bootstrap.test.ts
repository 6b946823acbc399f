import { expect, test } from 'vitest';
import { bootstrap, percentileInterval } from './bootstrap.ts';
import { seeded } from './random.ts';

const meanOf = (values: readonly number[]) => (drawn: Uint32Array) =>
  drawn.reduce((sum, at) => sum + values[at]!, 0) / drawn.length;

test('a 95 % interval of a mean holds the true mean in about 95 of 100 samples (R13)', () => {
  const samples = 500;
  let covered = 0;
  for (let seed = 1; seed <= samples; seed++) {
    // Uniform between 0 and 1: the mean is 0.5.
    const drawn = new Uint32Array(40);
    seeded(seed)(drawn, 2 ** 31);
    const values = [...drawn].map((value) => value / 2 ** 31);
    const { low, high } = percentileInterval(bootstrap(values.length, meanOf(values), 400, seed))!;
    if (low <= 0.5 && high >= 0.5) covered++;
  }
  expect(covered / samples).toBeGreaterThan(0.9);
  expect(covered / samples).toBeLessThan(0.98);
});

test('one unit has no interval, and equal units have one without width (R13)', () => {
  expect(percentileInterval(bootstrap(1, meanOf([0.3]), 1000, 1))).toBeNull();
  expect(percentileInterval(bootstrap(0, meanOf([]), 1000, 1))).toBeNull();
  expect(percentileInterval(bootstrap(3, meanOf([2, 2, 2]), 1000, 1))).toEqual({ low: 2, high: 2 });
});

test('the interval lies between the quantiles of the resamples; half of them undefined gives none (R13)', () => {
  const thousand = Array.from({ length: 1001 }, (_, at) => 1000 - at);
  expect(percentileInterval(thousand)).toEqual({ low: 25, high: 975 });
  expect(percentileInterval([1, 2, null])).toEqual({ low: 1.025, high: 1.975 });
  expect(percentileInterval([1, 2, null, null])).toBeNull();
});

test('the same seed draws the same units, another others (R13)', () => {
  const drawn = (seed: number) => bootstrap(50, (units) => units.reduce((sum, at) => sum * 31 + at, 7), 3, seed);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});

test('numbers of the generator fall evenly and do not follow each other', () => {
  const n = 80_000;
  const drawn = new Uint32Array(2 * n);
  seeded(1)(drawn, 8);
  const bins = new Array<number>(64).fill(0);
  for (let i = 0; i < n; i++) bins[drawn[2 * i]! * 8 + drawn[2 * i + 1]!]! += 1;
  // Chi squared with 63 degrees of freedom: above 103.4 in one of a thousand fair generators.
  const chi = bins.reduce((sum, count) => sum + (count - n / 64) ** 2 / (n / 64), 0);
  expect(chi).toBeLessThan(103.4);
});
