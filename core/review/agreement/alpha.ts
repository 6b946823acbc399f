/** How far two values are apart: by name, by rank, by difference, by difference in proportion to their size. */
export type ScaleOfMeasure = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** The values that one unit was given, in any order; null where a rater has no say. `times`: units that look so. */
type RatedUnit = { values: readonly (number | null)[]; times?: number };

/**
 * Krippendorff's alpha (R5): Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of
 * Pennsylvania, Annenberg School for Communication; Content Analysis, 4th ed. 2019, ch. 12.
 *   alpha = 1 - D_o / D_e
 *   D_o = 1/n sum_u 1/(m_u - 1) sum_{i != j in u} delta^2(v_i, v_j),  D_e = 1/(n (n - 1)) sum_{c,k} n_c n_k delta^2(c, k)
 * over the units with m_u >= 2 values, n = sum of m_u. Any number of raters, values may be missing. Null when there is no
 * such unit or no variation (D_e = 0): nothing can be told from that. Ratio values are 0 or more.
 */
export function krippendorffAlpha(units: readonly RatedUnit[], metric: ScaleOfMeasure): number | null {
  const rated = units.flatMap(({ values, times = 1 }) => {
    const given = values.filter((value) => value !== null);
    return given.length >= 2 && times > 0 ? [{ given, times }] : [];
  });
  const counts = new Map<number, number>();
  for (const { given, times } of rated) for (const v of given) counts.set(v, (counts.get(v) ?? 0) + times);
  const levels = [...counts].sort(([a], [b]) => a - b);
  if (levels.length < 2) return null;
  const n = levels.reduce((sum, [, count]) => sum + count, 0);
  const distance = distances(levels, metric);

  let observed = 0;
  for (const { given, times } of rated) {
    let within = 0;
    for (const [i, a] of given.entries()) for (const b of given.slice(i + 1)) within += 2 * distance(a, b);
    observed += (times * within) / (given.length - 1);
  }
  let expected = 0;
  for (const [i, [a, many]] of levels.entries()) {
    for (const [b, more] of levels.slice(i + 1)) expected += 2 * many * more * distance(a, b);
  }
  return 1 - observed / n / (expected / (n * (n - 1)));
}

/** delta^2 of the metric. `levels`: the values that came with their counts, ascending. */
function distances(
  levels: readonly (readonly [number, number])[],
  metric: ScaleOfMeasure,
): (a: number, b: number) => number {
  switch (metric) {
    case 'nominal':
      return (a, b) => (a === b ? 0 : 1);
    case 'interval':
      return (a, b) => (a - b) ** 2;
    case 'ratio':
      return (a, b) => (a === b ? 0 : ((a - b) / (a + b)) ** 2);
    case 'ordinal': {
      // The values from c to k, both ends counted half: the difference of their middle ranks.
      const middle = new Map<number, number>();
      let below = 0;
      for (const [value, count] of levels) {
        middle.set(value, below + count / 2);
        below += count;
      }
      return (a, b) => (middle.get(a)! - middle.get(b)!) ** 2;
    }
  }
}
