import type { LerobotFigures } from '../../../schemas/export-lerobot.ts';

/**
 * The figures that LeRobot's training normalizes by: of each number of a feature the least, the most, the mean, the deviation
 * and five quantiles. Those of a data set are made of its episodes' as LeRobot does it: quantiles as their weighted mean.
 */

const QUANTILES = { q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99 } as const;
const NAMES = Object.keys(QUANTILES) as (keyof typeof QUANTILES)[]; // Its own keys.

/** Of rows of equally many numbers; at least one row. */
export function figuresOf(rows: readonly (readonly number[])[]): LerobotFigures {
  const columns = (rows[0] ?? []).map((_, at) => rows.map((row) => row[at]!)); // Each row has as many.
  const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const sorted = columns.map((values) => values.toSorted((a, b) => a - b));
  const quantiles = NAMES.map((name) => [name, sorted.map((values) => quantile(values, QUANTILES[name]))] as const);
  return {
    min: sorted.map((values) => values[0]!),
    max: sorted.map((values) => values.at(-1)!),
    mean: means,
    std: columns.map((values, at) => Math.sqrt(mean(values.map((value) => (value - means[at]!) ** 2)))),
    count: [rows.length],
    ...(Object.fromEntries(quantiles) as Pick<LerobotFigures, keyof typeof QUANTILES>), // One of each name.
  };
}

/** Of the shares of a colour, counted by its 256 values. */
export function figuresOfColours(counts: readonly (readonly number[])[], pictures: number): LerobotFigures {
  const of = (one: (values: readonly number[], total: number) => number): number[] =>
    counts.map(
      (values) =>
        one(
          values,
          values.reduce((sum, count) => sum + count, 0),
        ) / 255,
    );
  const average = (values: readonly number[], total: number): number =>
    values.reduce((sum, count, value) => sum + count * value, 0) / total;
  const deviation = (values: readonly number[], total: number): number => {
    const middle = average(values, total);
    return Math.sqrt(values.reduce((sum, count, value) => sum + count * (value - middle) ** 2, 0) / total);
  };
  const at =
    (share: number) =>
    (values: readonly number[], total: number): number => {
      let sum = 0;
      return values.findIndex((count) => {
        sum += count;
        return sum >= share * total;
      });
    };
  return {
    min: of((values) => values.findIndex((count) => count > 0)),
    max: of((values) => values.findLastIndex((count) => count > 0)),
    mean: of(average),
    std: of(deviation),
    count: [pictures],
    q01: of(at(QUANTILES.q01)),
    q10: of(at(QUANTILES.q10)),
    q50: of(at(QUANTILES.q50)),
    q90: of(at(QUANTILES.q90)),
    q99: of(at(QUANTILES.q99)),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Between the two nearest, as numpy does. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!; // `share` is at most 1.
  return below + (sorted[Math.ceil(at)]! - below) * (at - Math.floor(at));
}

/** The figures of both together. */
export function joinedFigures(one: LerobotFigures | undefined, other: LerobotFigures): LerobotFigures {
  if (one === undefined) return other;
  const [first, second] = [one.count[0]!, other.count[0]!]; // A list of one number.
  const total = first + second;
  const both = (a: readonly number[], b: readonly number[], join: (a: number, b: number, at: number) => number) =>
    a.map((value, at) => join(value, b[at]!, at)); // Of the same feature.
  const weighted = (a: readonly number[], b: readonly number[]) =>
    both(a, b, (x, y) => (x * first + y * second) / total);
  const means = weighted(one.mean, other.mean);
  const std = means.map((middle, at) => {
    const [a, b] = [one, other].map(({ std: deviations, mean: averages, count }) => {
      return (deviations[at]! ** 2 + (averages[at]! - middle) ** 2) * count[0]!; // As above.
    });
    return Math.sqrt((a! + b!) / total);
  });
  return {
    min: both(one.min, other.min, Math.min),
    max: both(one.max, other.max, Math.max),
    mean: means,
    std,
    count: [total],
    q01: weighted(one.q01, other.q01),
    q10: weighted(one.q10, other.q10),
    q50: weighted(one.q50, other.q50),
    q90: weighted(one.q90, other.q90),
    q99: weighted(one.q99, other.q99),
  };
}
