/**
 * Raw indices as flat runs: [first, last, first, last, …]. Consecutive indices cost one pair however many they are,
 * so that memory grows with the actions, not with the moves (A15).
 */
export type Runs = number[];

/** Adds one raw index. Mostly it follows the last one; out of order arrivals may leave runs to be merged by `toPairs`. */
export function addIndex(runs: Runs, index: number): void {
  const n = runs.length;
  if (n > 0) {
    if (runs[n - 1] === index - 1) {
      runs[n - 1] = index;
      return;
    }
    if (runs[n - 2] === index + 1) {
      runs[n - 2] = index;
      return;
    }
  }
  runs.push(index, index);
}

export function addRuns(runs: Runs, more: readonly number[]): void {
  for (let i = 0; i < more.length; i += 2) {
    const n = runs.length;
    if (n > 0 && runs[n - 1] === more[i]! - 1) runs[n - 1] = more[i + 1]!;
    else runs.push(more[i]!, more[i + 1]!);
  }
}

/** Ascending, merged [first, last] pairs, as contracts want them. */
export function toPairs(runs: readonly number[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < runs.length; i += 2) pairs.push([runs[i]!, runs[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const pair of pairs) {
    const last = merged.at(-1);
    if (last && last[1] === pair[0] - 1) last[1] = pair[1];
    else merged.push(pair);
  }
  return merged;
}
