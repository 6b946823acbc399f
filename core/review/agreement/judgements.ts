import type { Judgement, JudgementAgreement } from '../../../schemas/api/review-models.ts';
import { RESAMPLES } from './bootstrap.ts';
import { ratingFigure } from './figures.ts';
import { NO_SAY, type RatingCounts } from './units.ts';

/** How well people agree who judge trajectories (R19): of each step, whether it was grounded, and which kind of error it is. */

/** The judgements of one recording as rows of characters, one a rater, in the order of `raters`. */
export type JudgementUnits = { raters: string[]; grounded: RatingCounts; error: RatingCounts };

type Said = Pick<Judgement, 'action' | 'person' | 'grounded' | 'error'>;

/** The rows of the people who judged this recording; of `among` alone, when given. Null when fewer than two did. */
export function judgementUnits(judgements: readonly Said[], among?: readonly string[]): JudgementUnits | null {
  const some = among ? judgements.filter(({ person }) => among.includes(person)) : judgements;
  const raters = [...new Set(some.map(({ person }) => person))].sort();
  if (raters.length < 2) return null;
  const units: JudgementUnits = { raters, grounded: {}, error: {} };
  for (const said of Map.groupBy(some, ({ action }) => action).values()) {
    const row = (rating: (one: Said) => string): string =>
      raters
        .map((rater) => {
          const one = said.find(({ person }) => person === rater);
          return one ? rating(one) : NO_SAY;
        })
        .join('');
    count(units.grounded, row(groundedOf));
    count(units.error, row(errorOf));
  }
  return units;
}

function count(into: RatingCounts, row: string): void {
  into[row] = (into[row] ?? 0) + 1;
}

const groundedOf = ({ grounded }: Said): string => (grounded === null ? NO_SAY : grounded ? 'g' : 'u');

const KINDS = { planning: 'p', structural: 's', operational: 'o', knowledge: 'k', perceptual: 'v' } as const;

/** Six categories: no error, and the five kinds. Who only left a comment has no say. */
function errorOf({ grounded, error }: Said): string {
  if (error === null) return grounded === null ? NO_SAY : 'n';
  return KINDS[error.kind === 'execution' ? (error.execution ?? 'operational') : error.kind];
}

/** From the pooled ratings of many recordings (R14). */
export function judgementAgreement(
  recordings: readonly JudgementUnits[],
  resamples: number = RESAMPLES,
): JudgementAgreement {
  const figure = (what: 'grounded' | 'error', coefficient: 'kappa' | 'alpha', seed: number) =>
    ratingFigure(
      recordings.map((units) => ({ raters: units.raters, counts: units[what] })),
      coefficient,
      { resamples, seed },
    );
  return {
    groundedKappa: figure('grounded', 'kappa', 201),
    groundedAlpha: figure('grounded', 'alpha', 202),
    errorKappa: figure('error', 'kappa', 203),
    errorAlpha: figure('error', 'alpha', 204),
  };
}
