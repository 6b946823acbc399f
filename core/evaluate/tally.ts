import type { EvaluateOptions, Metric } from '../../schemas/evaluate.ts';
import { gaussian, type Random } from './random.ts';

/**
 * A mean with its interval (M18), in memory that does not grow with the cases: up to a few thousand values are kept and
 * resampled; beyond that the mean is normal to within the width of a line, and sums are enough.
 */
export type Tally = {
  n: number;
  sum: number;
  /** Sum of squared distances from the mean (Welford), for the normal case. */
  squares: number;
  /** Null once there are too many. */
  values: number[] | null;
};

const MOST_VALUES = 4096;

export const emptyTally = (): Tally => ({ n: 0, sum: 0, squares: 0, values: [] });

export function addTo(tally: Tally, value: number): void {
  const before = tally.n === 0 ? value : tally.sum / tally.n;
  tally.n++;
  tally.sum += value;
  tally.squares += (value - before) * (value - tally.sum / tally.n);
  if (tally.values !== null) {
    if (tally.values.length < MOST_VALUES) tally.values.push(value);
    else tally.values = null;
  }
}

const meanOf = ({ n, sum }: Tally): number | null => (n === 0 ? null : sum / n);

/** A value and what it might have been with other cases of the same kind. Empty `replicates`: no interval. */
export type Estimate = {
  value: number | null;
  n: number;
  replicates: Float64Array;
  method: 'bootstrap' | 'normal';
};

/** `times` means of as many cases, drawn with replacement (the bootstrap), or from the normal distribution. */
export function estimate(tally: Tally, times: number, random: Random): Estimate {
  const { n, values } = tally;
  const value = meanOf(tally);
  if (value === null) return { value, n, replicates: new Float64Array(0), method: 'bootstrap' };
  const replicates = new Float64Array(times);
  if (values === null) {
    const error = Math.sqrt(tally.squares / (n - 1) / n);
    for (let i = 0; i < times; i++) replicates[i] = value + error * gaussian(random);
    return { value, n, replicates, method: 'normal' };
  }
  for (let i = 0; i < times; i++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += values[Math.floor(random() * n)]!;
    replicates[i] = sum / n;
  }
  return { value, n, replicates, method: 'bootstrap' };
}

/** The mean of several estimates, each with the same weight; one without a value counts 0 (M17, M19). */
export function meanEstimate(parts: readonly Estimate[], times: number): Estimate {
  const replicates = new Float64Array(times);
  for (const part of parts) {
    for (let i = 0; i < part.replicates.length; i++) replicates[i]! += part.replicates[i]! / parts.length;
  }
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  return {
    value: n === 0 ? null : parts.reduce((sum, part) => sum + (part.value ?? 0), 0) / parts.length,
    n,
    replicates: n === 0 ? new Float64Array(0) : replicates,
    method: parts.some((part) => part.method === 'normal') ? 'normal' : 'bootstrap',
  };
}

export function scaled({ value, n, replicates, method }: Estimate, factor: number): Estimate {
  return {
    value: value === null ? null : value * factor,
    n,
    replicates: replicates.map((one) => one * factor),
    method,
  };
}

/** An estimate as a metric of the result, with the percentile interval. `bounds`: what a metric can be at all. */
export function toMetric(
  metric: string,
  unit: Metric['unit'],
  { value, n, replicates, method }: Estimate,
  { level }: Pick<EvaluateOptions, 'level'>,
  bounds: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): Metric {
  const sorted = replicates.toSorted();
  if (value === null || sorted.length === 0) return { metric, value, unit, n, interval: null };
  const inside = (one: number) => Math.min(bounds[1], Math.max(bounds[0], one));
  const low = inside(quantile(sorted, (1 - level) / 2));
  const high = inside(quantile(sorted, (1 + level) / 2));
  return { metric, value, unit, n, interval: { low, high, method } };
}

/** Between the two nearest of an ascending list. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const rest = place - low;
  const next = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return sorted[low]! + (next - sorted[low]!) * rest;
}
