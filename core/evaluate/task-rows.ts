import type { EvaluateOptions, EvaluationRow, Metric } from '../../schemas/evaluate.ts';
import { randomFrom, seedOf } from './random.ts';
import { type ScenarioCase, summarizeScenario } from './scenario.ts';
import { type Estimate, toMetric } from './tally.ts';
import {
  ERROR_NAMES,
  summarizeTrajectories,
  sumTrajectories,
  type TrajectoryCase,
  trajectoryParts,
} from './trajectories.ts';

/** Rows of results on whole tasks. There are hundreds of them, not millions: each resample sums all of them again. */

/** The cases of one row. */
export type TaskGroup<T> = { group: EvaluationRow['group']; name: string; cases: readonly T[] };
type Names = { software: string; difficulty: string | null; scenario?: string };

/** All cases, then by software, difficulty and scenario; groups that nobody named are left out (M20). */
export function taskGroups<T extends { truth: Names }>(cases: readonly T[]): TaskGroup<T>[] {
  const groups: TaskGroup<T>[] = [{ group: 'overall', name: '', cases }];
  for (const group of ['software', 'difficulty', 'scenario'] as const) {
    const named = Map.groupBy(cases, ({ truth }) => truth[group] ?? '');
    for (const name of [...named.keys()].filter((one) => one !== '').sort()) {
      groups.push({ group, name, cases: named.get(name)! });
    }
  }
  return groups;
}

export function trajectoryRow(
  { group, name, cases }: TaskGroup<TrajectoryCase>,
  options: EvaluateOptions,
): EvaluationRow {
  const summary = summarizeTrajectories(cases, options);
  const parts = cases.map((one) => trajectoryParts(one, options));
  const names = ['sr', 'passK', 'cr', 'wpsr', 'matcr', 'patsr', 'decisionAccuracy', 'steps'] as const;
  const made = spread(parts, (some) => sumTrajectories(some, options), names, options, keyOf(group, name));
  // Pass@k says nothing where each task was tried once.
  const metrics = names
    .filter((metric) => metric !== 'passK' || summary.passK !== null)
    .map((metric) =>
      metric === 'steps'
        ? counted(metric, made[metric], summary.stepsN, options)
        : percent(metric, made[metric], options),
    );
  const errors = ERROR_NAMES.map((error): Metric => {
    const value = summary.errors[error]!;
    return { metric: `error.${error}`, value, unit: 'count', n: summary.n, interval: null };
  });
  return { group, name, metrics: [...metrics, ...errors] };
}

export function scenarioRow({ group, name, cases }: TaskGroup<ScenarioCase>, options: EvaluateOptions): EvaluationRow {
  const names = ['sr', 'cas', 'final', 'steps'] as const;
  const made = spread(cases, (some) => summarizeScenario(some, options), names, options, keyOf(group, name));
  const { stepsN } = summarizeScenario(cases, options);
  const metrics = names.map((metric) =>
    metric === 'steps' ? counted(metric, made[metric], stepsN, options) : percent(metric, made[metric], options),
  );
  return { group, name, metrics };
}

const keyOf = (group: string, name: string): string => (group === 'overall' ? group : `${group}\n${name}`);

/** Statistics of all cases and of `resamples` draws of as many, with replacement; the draws are the same for each. */
function spread<T, N extends string>(
  cases: readonly T[],
  summarize: (some: readonly T[]) => Readonly<Record<N, number | null>>,
  names: readonly N[],
  { resamples, seed }: EvaluateOptions,
  key: string,
): Record<N, Estimate> {
  const values = summarize(cases);
  const replicates = new Map<N, number[]>(names.map((name) => [name, []]));
  const random = randomFrom(seedOf(key, seed));
  for (let i = 0; i < resamples; i++) {
    const drawn = summarize(cases.map(() => cases[Math.floor(random() * cases.length)]!));
    for (const [name, list] of replicates) {
      const value = drawn[name];
      if (value !== null) list.push(value);
    }
  }
  const estimates = names.map((name): [N, Estimate] => {
    const value = values[name];
    const drawn = value === null ? [] : (replicates.get(name) ?? []);
    return [name, { value, n: cases.length, replicates: Float64Array.from(drawn), method: 'bootstrap' }];
  });
  return Object.fromEntries(estimates) as Record<N, Estimate>; // Every name of `names`.
}

function percent(name: string, made: Estimate, options: EvaluateOptions): Metric {
  const value = made.value === null ? null : made.value * 100;
  return toMetric(
    name,
    '%',
    { ...made, value, replicates: made.replicates.map((one) => one * 100) },
    options,
    [0, 100],
  );
}

function counted(name: string, made: Estimate, n: number, options: EvaluateOptions): Metric {
  return toMetric(name, 'count', { ...made, n }, options, [0, Number.POSITIVE_INFINITY]);
}
