import { LEAST_LABELS, type OutcomeSaid } from '../../../schemas/judge.ts';
import { RESAMPLES } from '../../review/agreement/bootstrap.ts';
import { ratingFigure } from '../../review/agreement/figures.ts';
import { NO_SAY, type RatingCounts } from '../../review/agreement/units.ts';

/** Precision, NPV and agreement of a panel of judges, by the recordings whose outcome plays or reviews tell. */

/** `from`: plays of `verify`, whose checks are proven, or people who reviewed it. */
export type OutcomeLabel = { recording: string; good: boolean; from: 'verify' | 'review' };
/** The verdict of a panel on one recording; `opinions` in the order of its judges, null where one could not be read. */
export type PanelVerdict = { recording: string; verdict: OutcomeSaid; opinions: readonly (OutcomeSaid | null)[] };

/** A share with its 95 % interval; null where nothing was counted. */
type Share = { value: number; low: number; high: number; n: number };
type Coefficient = { value: number | null; n: number; low: number | null; high: number | null };

export type JudgeCard = {
  /** Recordings that it judged, and those of them that have a label, by what that is from. */
  judged: number;
  labels: { all: number; verify: number; review: number; needed: number };
  /** Null where there are fewer labels than needed: then nothing can be said. */
  figures: {
    /** The share right among its verdicts “succeeded” (precision) and among its verdicts “failed” (NPV). */
    precision: Share | null;
    npv: Share | null;
    /** Labelled ones of which it does not say either. */
    unsure: number;
    /** Cohen's kappa with the labels, where unsure is a third answer. */
    kappa: Coefficient;
  } | null;
  /** Kappa among its own judges, of all that it judged; null: there is one judge, or it judged fewer than needed. */
  among: Coefficient | null;
};

const SEED = 20_261_128;
const LETTER: Readonly<Record<OutcomeSaid, string>> = { succeeded: 's', failed: 'f', unsure: 'u' };

export function judgeCard(verdicts: readonly PanelVerdict[], labels: readonly OutcomeLabel[]): JudgeCard {
  const labelOf = new Map(labels.map((label) => [label.recording, label]));
  const known = verdicts.flatMap((one) => {
    const label = labelOf.get(one.recording);
    return label ? [{ ...one, label }] : [];
  });
  const from = (which: OutcomeLabel['from']): number => known.filter(({ label }) => label.from === which).length;
  const right = (said: OutcomeSaid, good: boolean): Share | null => {
    const some = known.filter(({ verdict }) => verdict === said);
    return shareOf(some.filter(({ label }) => label.good === good).length, some.length);
  };
  return {
    judged: verdicts.length,
    labels: { all: known.length, verify: from('verify'), review: from('review'), needed: LEAST_LABELS },
    figures:
      known.length < LEAST_LABELS
        ? null
        : {
            precision: right('succeeded', true),
            npv: right('failed', false),
            unsure: known.filter(({ verdict }) => verdict === 'unsure').length,
            kappa: coefficient(
              ['label', 'panel'],
              known.map(({ label, verdict }) => `${label.good ? 's' : 'f'}${LETTER[verdict]}`),
              SEED,
            ),
          },
    among: amongJudges(verdicts),
  };
}

function amongJudges(verdicts: readonly PanelVerdict[]): Coefficient | null {
  const judges = verdicts.reduce((most, { opinions }) => Math.max(most, opinions.length), 0);
  if (judges < 2 || verdicts.length < LEAST_LABELS) return null;
  const rows = verdicts.map(({ opinions }) =>
    Array.from({ length: judges }, (_, at) => {
      const said = opinions[at];
      return said ? LETTER[said] : NO_SAY;
    }).join(''),
  );
  return coefficient(
    Array.from({ length: judges }, (_, at) => `judge ${at + 1}`),
    rows,
    SEED + 1,
  );
}

function coefficient(raters: readonly string[], rows: readonly string[], seed: number): Coefficient {
  const counts: RatingCounts = {};
  for (const row of rows) counts[row] = (counts[row] ?? 0) + 1;
  const { value, n, low, high } = ratingFigure([{ raters, counts }], 'kappa', { resamples: RESAMPLES, seed });
  return { value, n, low, high };
}

const Z = 1.959963984540054;

/** Wilson's interval (Wilson 1927, JASA 22, 209-212): one that 30 of 30 does not make exact. Null of nothing. */
export function shareOf(count: number, n: number): Share | null {
  if (n === 0) return null;
  const value = count / n;
  const by = 1 + Z ** 2 / n;
  const middle = (value + Z ** 2 / (2 * n)) / by;
  const half = (Z / by) * Math.sqrt((value * (1 - value)) / n + Z ** 2 / (4 * n ** 2));
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half), n };
}
