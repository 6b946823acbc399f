import type { Agreement, Figure } from '../../../schemas/api/review-models.ts';
import { largestOf } from '../../lists.ts';
import { bootstrap, percentileInterval } from './bootstrap.ts';
import { ratingStatistic } from './ratings.ts';
import { type AgreementUnits, MEAN_KINDS, type MeanKind, type RatingCounts } from './units.ts';

/** From so many recordings on, whole recordings are resampled instead of units (R14). */
const LEAST_RECORDINGS = 10;

/** The kinds of data in the overall figure, each by the one of its figures that lies between 0 and 1 (R15). */
const OVERALL: readonly MeanKind[] = [
  'boxIou',
  'subtaskIou',
  'removedShare',
  'dragKindShare',
  'elementSimilarity',
  'narrationSimilarity',
  'titleSimilarity',
  'textSimilarity',
  'thoughtSimilarity',
];

/** A figure with what it was in each resample. */
type Resampled = { value: number | null; n: number; replicates: (number | null)[] };

/**
 * All figures of these comparisons taken together, from their units and not from their figures (R14). `resamples` 0: no
 * intervals. The same comparisons give the same intervals; in which order they stand matters to the intervals alone.
 */
export function agreementOf(comparisons: readonly AgreementUnits[], resamples: number): Agreement {
  const byKind = new Map<MeanKind, Resampled>();
  for (const [place, kind] of MEAN_KINDS.entries()) {
    const units = comparisons.map(({ means }) => means[kind]);
    byKind.set(kind, meanOf(units, resamples, place + 1));
  }
  const mean = (kind: MeanKind): Figure => figure(byKind.get(kind)!);
  const ratings = (of: (units: AgreementUnits) => RatingCounts, coefficient: 'kappa' | 'alpha', seed: number) =>
    ratingFigure(
      comparisons.map((units) => ({ raters: units.raters, counts: of(units) })),
      coefficient,
      { resamples, seed },
    );
  return {
    boxIou: mean('boxIou'),
    clickInBox: mean('clickInBox'),
    subtaskIou: mean('subtaskIou'),
    edgeDistance: mean('edgeDistance'),
    removedKappa: ratings(({ removed }) => removed, 'kappa', 101),
    removedAlpha: ratings(({ removedOrOpen }) => removedOrOpen, 'alpha', 102),
    dragKindKappa: ratings(({ dragKind }) => dragKind, 'kappa', 103),
    elementSimilarity: mean('elementSimilarity'),
    elementF1: mean('elementF1'),
    narrationSimilarity: mean('narrationSimilarity'),
    narrationF1: mean('narrationF1'),
    titleSimilarity: mean('titleSimilarity'),
    textSimilarity: mean('textSimilarity'),
    thoughtSimilarity: mean('thoughtSimilarity'),
    thoughtF1: mean('thoughtF1'),
    overall: figure(overall(byKind)),
  };
}

/**
 * A coefficient of ratings of many recordings: Cohen's kappa where all are between the same two people, otherwise Fleiss';
 * or Krippendorff's alpha, which takes gaps. Counts are by rows of characters, one a rater, in the order of `raters`.
 */
export function ratingFigure(
  recordings: readonly { raters: readonly string[]; counts: RatingCounts }[],
  coefficient: 'kappa' | 'alpha',
  { resamples, seed }: { resamples: number; seed: number },
): Figure {
  const two = pairedRaters(recordings);
  const counts = recordings.map((of) => (two && of.raters[0] !== two[0] ? swapped(of.counts) : of.counts));
  return figure(ratingOf(counts, coefficient === 'alpha' ? 'alpha' : two ? 'cohen' : 'fleiss', resamples, seed));
}

function meanOf(units: readonly (readonly number[])[], resamples: number, seed: number): Resampled {
  const sums = units.map((values) => values.reduce((sum, value) => sum + value, 0));
  const n = units.reduce((sum, values) => sum + values.length, 0);
  if (n === 0) return { value: null, n, replicates: [] };
  const value = sums.reduce((sum, one) => sum + one, 0) / n;
  if (units.length >= LEAST_RECORDINGS) {
    const replicates = bootstrap(
      units.length,
      (drawn) => {
        let [sum, count] = [0, 0];
        for (const at of drawn) {
          sum += sums[at]!;
          count += units[at]!.length;
        }
        return count === 0 ? null : sum / count;
      },
      resamples,
      // One seed for all kinds: the same recordings are drawn for each, so they stay together in the overall figure.
      0,
    );
    return { value, n, replicates };
  }
  const values = Float64Array.from(units.flat());
  const replicates = bootstrap(
    n,
    (drawn) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += values[drawn[i]!]!;
      return sum / n;
    },
    resamples,
    seed,
  );
  return { value, n, replicates };
}

function ratingOf(
  counts: readonly RatingCounts[],
  coefficient: 'cohen' | 'fleiss' | 'alpha',
  resamples: number,
  seed: number,
): Resampled {
  const rows = [...new Set(counts.flatMap((of) => Object.keys(of)))].filter(isPairable).sort();
  const place = new Map(rows.map((row, at) => [row, at]));
  const groups = counts.map((of) =>
    Object.entries(of).flatMap(([row, count]) => (place.has(row) ? [{ row: place.get(row)!, count }] : [])),
  );
  const totals = new Float64Array(rows.length);
  for (const { row, count } of groups.flat()) totals[row]! += count;
  const n = totals.reduce((sum, count) => sum + count, 0);
  const statistic = ratingStatistic(rows, coefficient);
  const value = statistic(totals);
  const weights = new Float64Array(rows.length);
  if (counts.length >= LEAST_RECORDINGS) {
    const replicates = bootstrap(
      groups.length,
      (drawn) => {
        weights.fill(0);
        for (const at of drawn) for (const { row, count } of groups[at]!) weights[row]! += count;
        return statistic(weights);
      },
      resamples,
      0,
    );
    return { value, n, replicates };
  }
  const rowOf = Uint32Array.from([...totals].flatMap((count, row) => new Array<number>(count).fill(row)));
  const replicates = bootstrap(
    n,
    (drawn) => {
      weights.fill(0);
      for (let i = 0; i < n; i++) weights[rowOf[drawn[i]!]!]! += 1;
      return statistic(weights);
    },
    resamples,
    seed,
  );
  return { value, n, replicates };
}

/** The mean of the kinds that have a figure, resample by resample. */
function overall(byKind: ReadonlyMap<MeanKind, Resampled>): Resampled {
  const present = OVERALL.map((kind) => byKind.get(kind)!).filter(({ value }) => value !== null);
  const meanOfDefined = (values: readonly (number | null | undefined)[]): number | null => {
    const defined = values.filter((value) => typeof value === 'number');
    return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
  };
  const most = Math.max(0, largestOf(present.map(({ replicates }) => replicates.length)));
  return {
    value: meanOfDefined(present.map(({ value }) => value)),
    n: present.reduce((sum, { n }) => sum + n, 0),
    // A kind of one unit has no resamples: it stays what it is.
    replicates: Array.from({ length: most }, (_, at) =>
      meanOfDefined(present.map(({ value, replicates }) => (replicates.length === 0 ? value : replicates[at]))),
    ),
  };
}

function figure({ value, n, replicates }: Resampled): Figure {
  const interval = value === null ? null : percentileInterval(replicates);
  return { value, n, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** The two raters that all comparisons are between; null when there are others, or more. */
function pairedRaters(comparisons: readonly { raters: readonly string[] }[]): readonly string[] | null {
  const two = comparisons[0]?.raters;
  if (two?.length !== 2) return null;
  return comparisons.every(({ raters }) => raters.length === 2 && two.every((rater) => raters.includes(rater)))
    ? two
    : null;
}

function swapped(counts: RatingCounts): RatingCounts {
  return Object.fromEntries(Object.entries(counts).map(([row, count]) => [`${row[1]}${row[0]}`, count]));
}

const isPairable = (row: string): boolean => row.replaceAll('-', '').length >= 2;
