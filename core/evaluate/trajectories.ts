import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import {
  ERROR_KINDS,
  EXECUTION_ERRORS,
  type STEP_LIMIT_BENCHMARKS,
  type TrajectoryAttempts,
  type TrajectoryOutcome,
  type TrajectoryTruth,
} from '../../schemas/questions.ts';

/** Runs of whole tasks: Mobile-Knowledge (M21, mobile-agent-v.txt A.3.3) and NaturalGAIA (M22 to M24, naturalgaia.txt 3.3). */

export type TrajectoryCase = { truth: TrajectoryTruth; outcome: TrajectoryOutcome | TrajectoryAttempts | null };
type Attempt = { truth: TrajectoryTruth; outcome: TrajectoryOutcome | null };

/** Each attempt at the task by itself; one that is missing where there is none. */
export function attemptsOf({ truth, outcome }: TrajectoryCase): [Attempt, ...Attempt[]] {
  const [first = null, ...more] = outcome && 'attempts' in outcome ? outcome.attempts : [outcome];
  return [{ truth, outcome: first }, ...more.map((one) => ({ truth, outcome: one }))];
}

type TrajectoryScore = {
  /** Which atomic tasks succeeded, as many as the pathway has. */
  atomic: boolean[];
  success: 0 | 1;
  /** Share of atomic tasks that succeeded. */
  completion: number;
  /** Consecutive successes from the start, over all (R_j). */
  prefix: number;
  overLimit: boolean;
  overdone: boolean;
  difficulty: number;
};

type Choices = Pick<
  EvaluateOptions,
  'difficulty' | 'positionWeight' | 'matcrMean' | 'passAttempts' | 'benchmark' | 'stepLimits' | 'naturalgaiaStepLimits'
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

/** One run. What is missing failed; one beyond its limit of steps, or its instruction, did not succeed, whatever it reached (M21). */
export function scoreAttempt({ truth, outcome }: Attempt, choices: Choices): TrajectoryScore {
  const atomic = Array.from({ length: truth.nodes }, (_, i) => Boolean(outcome?.atomic[i]));
  const limit = stepLimit(truth, choices);
  const overLimit = limit !== null && (outcome?.steps ?? 0) > limit;
  const overdone = outcome?.overdone === true;
  const failure = atomic.indexOf(false);
  return {
    atomic,
    success: failure < 0 && !overLimit && !overdone ? 1 : 0,
    completion: atomic.filter(Boolean).length / truth.nodes,
    prefix: (failure < 0 ? truth.nodes : failure) / truth.nodes,
    overLimit,
    overdone,
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
  /** Null where no task has several attempts. */
  passK: number | null;
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

/** One task's share of every sum, so that a resample adds numbers and scores nothing again. */
type TrajectoryParts = Pick<TrajectoryScore, 'completion' | 'prefix' | 'difficulty'> & {
  attempts: number;
  /** Success: of the first attempt, 0 or 1; whether any of the first k succeeded, 0 or 1; the mean over all attempts. */
  first: number;
  any: number;
  success: number;
  weights: number;
  won: number;
  correct: number;
  decisions: number;
  steps: number;
  stepsN: number;
};

/** Several attempts count as one on average (M33), but for the first one's success and Pass@k. */
export function trajectoryParts(one: TrajectoryCase, choices: Choices): TrajectoryParts {
  const attempts = attemptsOf(one);
  const scores = attempts.map((attempt) => scoreAttempt(attempt, choices));
  const [first] = scores;
  const mean = (of: (score: TrajectoryScore) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  const places = Array.from({ length: one.truth.nodes }, (_, i) =>
    positionWeight(i + 1, one.truth.nodes, choices.positionWeight),
  );
  const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);
  const decisions = attempts.flatMap(({ outcome }) => outcome?.decisions ?? []);
  const steps = attempts.flatMap(({ outcome }) => outcome?.steps ?? []);
  return {
    attempts: attempts.length,
    first: first!.success, // There is an attempt at least.
    any: scores.slice(0, choices.passAttempts).some(({ success }) => success === 1) ? 1 : 0,
    success: mean(({ success }) => success),
    completion: mean(({ completion }) => completion),
    prefix: mean(({ prefix }) => prefix),
    difficulty: first!.difficulty,
    weights: total(places),
    won: mean(({ atomic }) => total(places.filter((_, i) => atomic[i]))),
    correct: total(decisions.map(({ correct }) => correct)),
    decisions: total(decisions.map((each) => each.total)),
    steps: total(steps),
    stepsN: steps.length,
  };
}

export function sumTrajectories(
  parts: readonly TrajectoryParts[],
  { matcrMean }: Pick<Choices, 'matcrMean'>,
): Omit<TrajectorySummary, 'errors'> {
  const n = parts.length;
  let [first, any, done, prefixes, difficulties, won, weights, of, shares] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let [correct, decisions, steps, stepsN] = [0, 0, 0, 0];
  for (const part of parts) {
    const share = matcrMean === 'difficulty' ? part.difficulty : 1;
    first += part.first;
    any += part.any;
    done += part.completion;
    shares += share;
    prefixes += share * part.prefix;
    of += part.difficulty;
    difficulties += part.difficulty * part.success;
    won += part.won;
    weights += part.weights;
    correct += part.correct;
    decisions += part.decisions;
    steps += part.steps;
    stepsN += part.stepsN;
  }
  const over = (sum: number, all: number) => (all === 0 ? null : sum / all);
  return {
    n,
    sr: over(first, n),
    passK: over(any, n),
    cr: over(done, n),
    wpsr: over(difficulties, of),
    matcr: over(prefixes, shares),
    patsr: over(won, weights),
    decisionAccuracy: over(correct, decisions),
    steps: over(steps, stepsN),
    stepsN,
    decisionsN: decisions,
  };
}

export function summarizeTrajectories(cases: readonly TrajectoryCase[], choices: Choices): TrajectorySummary {
  const errors = Object.fromEntries(ERROR_NAMES.map((name) => [name, 0]));
  for (const { kind, type } of cases.flatMap(attemptsOf).flatMap(({ outcome }) => outcome?.errors ?? [])) {
    errors[kind]!++;
    if (kind === 'execution' && type) errors[`execution.${type}`]!++;
  }
  const parts = cases.map((one) => trajectoryParts(one, choices));
  const sums = sumTrajectories(parts, choices);
  return { ...sums, passK: parts.some(({ attempts }) => attempts > 1) ? sums.passK : null, errors };
}
