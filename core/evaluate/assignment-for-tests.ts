/** The least total cost of a one-to-one assignment by trying every one: what `assign` and whatever matches is held against. */
export function leastCost(cost: readonly (readonly number[])[]): number {
  const columns = cost[0]?.length ?? 0;
  const best = (row: number, taken: ReadonlySet<number>, left: number): number => {
    if (row === cost.length) return 0;
    // More rows than columns: this many may stay without one.
    const without = left > 0 ? best(row + 1, taken, left - 1) : Number.POSITIVE_INFINITY;
    let least = without;
    for (let column = 0; column < columns; column++) {
      if (taken.has(column)) continue;
      least = Math.min(least, cost[row]![column]! + best(row + 1, new Set([...taken, column]), left));
    }
    return least;
  };
  return best(0, new Set(), Math.max(0, cost.length - columns));
}
