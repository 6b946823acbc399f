import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import {
  ERROR_KINDS,
  EXECUTION_ERRORS,
  type TrajectoryOutcome,
  type TrajectoryTruth,
} from '../../schemas/questions.ts';

/** Runs of whole tasks: Mobile-Knowledge (M21, mobile-agent-v.txt A.3.3) and NaturalGAIA (M22 to M24, naturalgaia.txt 3.3). */

export type TrajectoryCase = { truth: TrajectoryTruth; outcome: TrajectoryOutcome | null };

export type TrajectoryScore = {
  /** Which atomic tasks succeeded, as many as the pathway has. */
  atomic: boolean[];
  success: 0 | 1;
  /** Share of atomic tasks that succeeded. */
  completion: number;
  /** Consecutive successes from the start, over all (R_j). */
  prefix: number;
  overLimit: boolean;
  difficulty: number;
};

type Choices = Pick<EvaluateOptions, 'difficulty' | 'positionWeight' | 'stepLimits'>;

const LEVELS: Readonly<Record<string, 0 | 1 | 2>> = { '1': 0, '2': 1, '3': 2, basic: 0, normal: 1, advanced: 2 };

/** The most steps a task may take; null when its difficulty names none (M21). */
function stepLimit({ difficulty }: Pick<TrajectoryTruth, 'difficulty'>, limits: Choices['stepLimits']): number | null {
  const level = difficulty === null ? undefined : LEVELS[difficulty.toLowerCase()];
  return level === undefined ? null : limits[level];
}

/** One run. What is missing failed; a run beyond its limit of steps did not succeed, whatever it reached (M21). */
export function scoreTrajectory({ truth, outcome }: TrajectoryCase, choices: Choices): TrajectoryScore {
  const atomic = Array.from({ length: truth.nodes }, (_, i) => Boolean(outcome?.atomic[i]));
  const limit = stepLimit(truth, choices.stepLimits);
  const overLimit = limit !== null && (outcome?.steps ?? 0) > limit;
  const failure = atomic.indexOf(false);
  return {
    atomic,
    success: failure < 0 && !overLimit ? 1 : 0,
    completion: atomic.filter(Boolean).length / truth.nodes,
    prefix: (failure < 0 ? truth.nodes : failure) / truth.nodes,
    overLimit,
    difficulty: choices.difficulty === 'product' ? truth.nodes * truth.applications : truth.nodes + truth.applications,
  };
}

/** p(i) of place i from 1 in a pathway of n (M23). */
export function positionWeight(i: number, n: number, way: Choices['positionWeight']): number {
  if (way === 'i') return i;
  return way === 'i/n' ? i / n : 2 ** (i - 1);
}

export type TrajectorySummary = {
  n: number;
  /** All 0 to 1; null where nothing was counted. */
  sr: number | null;
  cr: number | null;
  wpsr: number | null;
  matcr: number | null;
  patsr: number | null;
  decisionAccuracy: number | null;
  /** Mean over the runs that say it. */
  steps: number | null;
  stepsN: number;
  decisionsN: number;
  errors: Record<string, number>;
};

/** Errors by kind, execution errors also by type: `planning`, `structural`, `execution`, `execution.perceptual`. */
export const ERROR_NAMES: readonly string[] = [...ERROR_KINDS, ...EXECUTION_ERRORS.map((type) => `execution.${type}`)];

export function summarizeTrajectories(cases: readonly TrajectoryCase[], choices: Choices): TrajectorySummary {
  const scores = cases.map((one) => scoreTrajectory(one, choices));
  const errors = Object.fromEntries(ERROR_NAMES.map((name) => [name, 0]));
  let [weights, won, difficulties, passed, correct, decisions, steps, stepsN] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const [at, score] of scores.entries()) {
    const { outcome } = cases[at]!;
    difficulties += score.difficulty;
    passed += score.difficulty * score.success;
    for (const [i, success] of score.atomic.entries()) {
      const weight = positionWeight(i + 1, score.atomic.length, choices.positionWeight);
      weights += weight;
      if (success) won += weight;
    }
    correct += outcome?.decisions?.correct ?? 0;
    decisions += outcome?.decisions?.total ?? 0;
    if (outcome?.steps !== undefined) {
      steps += outcome.steps;
      stepsN++;
    }
    for (const { kind, type } of outcome?.errors ?? []) {
      errors[kind]!++;
      if (kind === 'execution' && type) errors[`execution.${type}`]!++;
    }
  }
  const mean = (of: (score: TrajectoryScore) => number) =>
    scores.length === 0 ? null : scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    n: cases.length,
    sr: mean(({ success }) => success),
    cr: mean(({ completion }) => completion),
    wpsr: difficulties === 0 ? null : passed / difficulties,
    matcr: mean(({ prefix }) => prefix),
    patsr: weights === 0 ? null : won / weights,
    decisionAccuracy: decisions === 0 ? null : correct / decisions,
    steps: stepsN === 0 ? null : steps / stepsN,
    stepsN,
    decisionsN: decisions,
    errors,
  };
}
