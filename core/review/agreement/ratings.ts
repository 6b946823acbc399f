import { krippendorffAlpha } from './alpha.ts';
import { cohenKappa, fleissKappa } from './kappa.ts';
import { NO_SAY } from './units.ts';

/** A chance-corrected coefficient of rows of ratings (`RatingCounts`), as a function of how often each row comes. */
export function ratingStatistic(
  rows: readonly string[],
  coefficient: 'cohen' | 'fleiss' | 'alpha',
): (weights: Float64Array) => number | null {
  const categories = [...new Set(rows.join('').replaceAll(NO_SAY, ''))].sort();
  const codes = rows.map((row) => [...row].map((said) => (said === NO_SAY ? null : categories.indexOf(said))));
  if (coefficient === 'alpha') {
    return (weights) =>
      krippendorffAlpha(
        codes.map((values, at) => ({ values, times: weights[at]! })),
        'nominal',
      );
  }
  if (coefficient === 'fleiss') {
    const counts = codes.map((values) => categories.map((_, code) => values.filter((value) => value === code).length));
    return (weights) => fleissKappa(counts.map((of, at) => ({ counts: of, units: weights[at]! })));
  }
  return (weights) => {
    const table = categories.map(() => new Array<number>(categories.length).fill(0));
    for (const [at, [first, second]] of codes.entries()) {
      if (first != null && second != null) table[first]![second]! += weights[at]!;
    }
    return cohenKappa(table);
  };
}
