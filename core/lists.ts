/**
 * Lists as long as the data. Spreading one into arguments (`push(...list)`, `Math.max(...list)`) puts each entry on the stack,
 * which ends at some hundred thousand with "Maximum call stack size exceeded" (studio/growth/spread.test.ts looks for it).
 */

export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** The largest value; -Infinity of none. */
export function largestOf(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** The smallest value; Infinity of none. */
export function smallestOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < least) least = value;
  return least;
}

/** The middle value; of an even count the mean of the two, of none NaN. */
export function median(values: readonly number[]): number {
  // Numbers sort by their value there, and ten times as fast.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
