import type { PlanTruth } from '../../schemas/questions.ts';
import { assign } from './assignment.ts';
import { commonCount } from './common-count.ts';

/** Scores of a plan without any model (M13 to M15): which steps are there, and in which order. */

type Match = { truth: number; prediction: number; similarity: number };
type PlanScore = {
  /** 0 to 1. */
  stepF1: number;
  /** Kendall's tau over matched steps, -1 to 1; null with fewer than two. */
  order: number | null;
  matches: Match[];
};

/** Matched steps at least this alike count for the order: less is chance (two steps that both say "click"). */
const ALIKE = 0.5;
/** More steps than this are no plan; the rest is not looked at. */
const MOST_STEPS = 300;
/** So much of a step is compared: each is compared with all others. */
const LONGEST_STEP = 2000;
const ARTICLES = new Set(['a', 'an', 'the']);

/** Words and numbers, lowered, without articles. */
export function tokensOf(step: string): string[] {
  const words =
    step
      .slice(0, LONGEST_STEP)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !ARTICLES.has(word));
}

/** F1 of two steps' tokens as multisets (Dice), 0 to 1; two without any token are alike. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  return (2 * commonCount(a, b)) / (a.length + b.length);
}

/**
 * Step F1: twice the similarity of matched steps over the steps of both, each matched with at most one, so that the sum
 * is the largest there is. 1 for the same steps in any order; order is Kendall's tau.
 */
export function scorePlan(truth: readonly string[], prediction: readonly string[]): PlanScore {
  const wanted = truth.slice(0, MOST_STEPS).map(tokensOf);
  const given = prediction.slice(0, MOST_STEPS).map(tokensOf);
  if (wanted.length === 0 || given.length === 0) return { stepF1: 0, order: null, matches: [] };
  const table = wanted.map((step) => given.map((other) => similarity(step, other)));
  const matches = bestMatching(table).filter(({ similarity: alike }) => alike > 0);
  const sum = matches.reduce((total, { similarity: alike }) => total + alike, 0);
  // Steps beyond the most that are looked at count as unmatched.
  const stepF1 = (2 * sum) / (truth.length + prediction.length);
  return { stepF1, order: kendallTau(matches.filter(({ similarity: alike }) => alike >= ALIKE)), matches };
}

/**
 * The plan against each of several references: the best fitting one counts (M31; videogui.txt B.4 asks for the best match).
 * `reference`: its place, 0 for the first; of equal ones the first.
 */
export function scoreBest(
  references: readonly (readonly string[])[],
  prediction: readonly string[],
): PlanScore & { reference: number } {
  const scores = references.map((steps, reference) => ({ ...scorePlan(steps, prediction), reference }));
  return scores.reduce((best, one) => (one.stepF1 > best.stepF1 ? one : best));
}

/** Every way that a plan may go. */
export const referencesOf = ({ steps, alternatives = [] }: Pick<PlanTruth, 'steps' | 'alternatives'>): string[][] => [
  steps,
  ...alternatives,
];

/** Pairs in the same order minus pairs in the other, over all pairs (tau a; there are no ties in a matching). */
export function kendallTau(matches: readonly Pick<Match, 'truth' | 'prediction'>[]): number | null {
  if (matches.length < 2) return null;
  let sum = 0;
  for (const [i, a] of matches.entries()) {
    for (const b of matches.slice(i + 1)) sum += Math.sign((a.truth - b.truth) * (a.prediction - b.prediction));
  }
  return sum / ((matches.length * (matches.length - 1)) / 2);
}

/** The one-to-one matching with the largest sum, by truth ascending. `table[i][j]` is how alike truth i and prediction j are. */
function bestMatching(table: readonly number[][]): Match[] {
  const columns = assign(table.map((row) => row.map((alike) => 1 - alike)));
  return columns.flatMap((prediction, truth) =>
    prediction < 0 ? [] : [{ truth, prediction, similarity: table[truth]![prediction]! }],
  );
}
