import { seeded } from './random.ts';

/** Enough for a percentile interval (Efron & Tibshirani 1993, 13.3: 1000 or more). */
export const RESAMPLES = 1000;
/** Both ends together: a 95 % interval. */
const OUTSIDE = 0.05;

type Interval = { low: number; high: number };

/**
 * The statistic of each resample (R13): `n` units drawn with replacement, `resamples` times. `statistic` is given the
 * drawn units' indices, 0 to n - 1, in an array that is used again; null where it is undefined. The same `n` and `seed`
 * draw the same units, so statistics of the same units may be joined resample by resample.
 */
export function bootstrap(
  n: number,
  statistic: (drawn: Uint32Array) => number | null,
  resamples: number,
  seed: number,
): (number | null)[] {
  if (n < 2) return [];
  const draw = seeded(seed);
  const drawn = new Uint32Array(n);
  return Array.from({ length: resamples }, () => {
    draw(drawn, n);
    return statistic(drawn);
  });
}

/**
 * The percentile interval (Efron 1979; Efron & Tibshirani 1993, 13.3): between the 2.5 % and 97.5 % quantiles of the
 * resampled statistics. Null when there are none, or when the statistic is undefined in half of them or more: what is left
 * would not speak for the rest.
 */
export function percentileInterval(replicates: readonly (number | null)[]): Interval | null {
  const defined = Float64Array.from(replicates.filter((value) => value !== null)).sort();
  if (defined.length === 0 || defined.length * 2 <= replicates.length) return null;
  return { low: quantile(defined, OUTSIDE / 2), high: quantile(defined, 1 - OUTSIDE / 2) };
}

/** Linear between order statistics (Hyndman & Fan 1996, type 7). `sorted` ascends and is not empty. */
function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at - Math.floor(at));
}
