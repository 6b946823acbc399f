import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import {
  ERROR_KINDS,
  EXECUTION_ERRORS,
  type STEP_LIMIT_BENCHMARKS,
  type TrajectoryOutcome,
  type TrajectoryTruth,
} from '../../schemas/questions.ts';

/** Runs of whole tasks: Mobile-Knowledge (M21, mobile-agent-v.txt A.3.3) and NaturalGAIA (M22 to M24, naturalgaia.txt 3.3). */

export type TrajectoryCase = { truth: TrajectoryTruth; outcome: TrajectoryOutcome | null };

type TrajectoryScore = {
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

type Choices = Pick<
  EvaluateOptions,
  'difficulty' | 'positionWeight' | 'benchmark' | 'stepLimits' | 'naturalgaiaStepLimits'
>;

const LEVEL_OF: readonly (0 | 1 | 2)[] = [0, 0, 1, 2];
type Benchmark = (typeof STEP_LIMIT_BENCHMARKS)[number];
/** Both names of Mobile-Agent-V's levels (4.1, A.1.4), and NaturalGAIA's. */
const LEVELS = new Map<string, { of: Benchmark; level: 0 | 1 | 2 }>([
  ['basic', { of: 'mobile-agent-v', level: 0 }],
  ['normal', { of: 'mobile-agent-v', level: 1 }],
  ['standard', { of: 'mobile-agent-v', level: 1 }],
  ['advanced', { of: 'mobile-agent-v', level: 2 }],
  ['complex', { of: 'mobile-agent-v', level: 2 }],
  ...[1, 2, 3].flatMap((n) =>
    [`${n}`, `level ${n}`, `level-${n}`, `l${n}`].map((name): [string, { of: Benchmark; level: 0 | 1 | 2 }] => [
      name,
      { of: 'naturalgaia', level: LEVEL_OF[n]! },
    ]),
  ),
]);

/** The most steps a task may take; null when its benchmark has no limit for it (M21). */
function stepLimit({ difficulty, benchmark }: TrajectoryTruth, choices: Choices): number | null {
  const known = difficulty === null ? undefined : LEVELS.get(difficulty.trim().toLowerCase());
  if (!known || choices.benchmark === 'none') return null;
  const of = choices.benchmark === 'task' ? (benchmark ?? known.of) : choices.benchmark;
  const limit = (of === 'mobile-agent-v' ? choices.stepLimits : choices.naturalgaiaStepLimits)[known.level];
  return limit > 0 ? limit : null;
}

/** One run. What is missing failed; a run beyond its limit of steps did not succeed, whatever it reached (M21). */
export function scoreTrajectory({ truth, outcome }: TrajectoryCase, choices: Choices): TrajectoryScore {
  const atomic = Array.from({ length: truth.nodes }, (_, i) => Boolean(outcome?.atomic[i]));
  const limit = stepLimit(truth, choices);
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
function positionWeight(i: number, n: number, way: Choices['positionWeight']): number {
  if (way === 'i') return i;
  return way === 'i/n' ? i / n : 2 ** (i - 1);
}

type TrajectorySummary = {
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

/** One run's share of every sum, so that a resample adds numbers and scores nothing again. */
type TrajectoryParts = Pick<TrajectoryScore, 'success' | 'completion' | 'prefix' | 'difficulty'> & {
  weights: number;
  won: number;
  correct: number;
  decisions: number;
  steps: number | null;
};

export function trajectoryParts(one: TrajectoryCase, choices: Choices): TrajectoryParts {
  const { atomic, success, completion, prefix, difficulty } = scoreTrajectory(one, choices);
  let [weights, won] = [0, 0];
  for (const [i, succeeded] of atomic.entries()) {
    const weight = positionWeight(i + 1, atomic.length, choices.positionWeight);
    weights += weight;
    if (succeeded) won += weight;
  }
  const { correct = 0, total: decisions = 0 } = one.outcome?.decisions ?? {};
  return {
    success,
    completion,
    prefix,
    difficulty,
    weights,
    won,
    correct,
    decisions,
    steps: one.outcome?.steps ?? null,
  };
}

export function sumTrajectories(parts: readonly TrajectoryParts[]): Omit<TrajectorySummary, 'errors'> {
  const n = parts.length;
  let [passed, done, prefixes, difficulties, won, weights, of] = [0, 0, 0, 0, 0, 0, 0];
  let [correct, decisions, steps, stepsN] = [0, 0, 0, 0];
  for (const part of parts) {
    passed += part.success;
    done += part.completion;
    prefixes += part.prefix;
    of += part.difficulty;
    difficulties += part.difficulty * part.success;
    won += part.won;
    weights += part.weights;
    correct += part.correct;
    decisions += part.decisions;
    if (part.steps === null) continue;
    steps += part.steps;
    stepsN++;
  }
  const over = (sum: number, all: number) => (all === 0 ? null : sum / all);
  return {
    n,
    sr: over(passed, n),
    cr: over(done, n),
    wpsr: over(difficulties, of),
    matcr: over(prefixes, n),
    patsr: over(won, weights),
    decisionAccuracy: over(correct, decisions),
    steps: over(steps, stepsN),
    stepsN,
    decisionsN: decisions,
  };
}

export function summarizeTrajectories(cases: readonly TrajectoryCase[], choices: Choices): TrajectorySummary {
  const errors = Object.fromEntries(ERROR_NAMES.map((name) => [name, 0]));
  for (const { kind, type } of cases.flatMap(({ outcome }) => outcome?.errors ?? [])) {
    errors[kind]!++;
    if (kind === 'execution' && type) errors[`execution.${type}`]!++;
  }
  return { ...sumTrajectories(cases.map((one) => trajectoryParts(one, choices))), errors };
}
