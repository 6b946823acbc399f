import type { EvaluateOptions, EvaluationRow, Metric } from '../../schemas/evaluate.ts';
import { randomFrom, seedOf } from './random.ts';
import { type ScenarioCase, summarizeScenario } from './scenario.ts';
import { type Estimate, toMetric } from './tally.ts';
import { ERROR_NAMES, summarizeTrajectories, type TrajectoryCase } from './trajectories.ts';

/** Rows of results on whole tasks. There are hundreds of them, not millions: each resample sums all of them again. */

export function trajectoryRows(cases: readonly TrajectoryCase[], options: EvaluateOptions): EvaluationRow[] {
  return groupRows(
    cases,
    ({ truth }) => ({ ...truth, scenario: '' }),
    (group, key) => {
      const of = (part: (some: readonly TrajectoryCase[]) => number | null) => spread(group, part, options, key);
      const summary = summarizeTrajectories(group, options);
      const read = (name: 'sr' | 'cr' | 'wpsr' | 'matcr' | 'patsr' | 'decisionAccuracy') =>
        percent(
          name,
          of((some) => summarizeTrajectories(some, options)[name]),
          options,
        );
      return [
        ...(['sr', 'cr', 'wpsr', 'matcr', 'patsr', 'decisionAccuracy'] as const).map(read),
        counted(
          'steps',
          of((some) => summarizeTrajectories(some, options).steps),
          summary.stepsN,
          options,
        ),
        ...ERROR_NAMES.map((name): Metric => {
          const value = summary.errors[name]!;
          return { metric: `error.${name}`, value, unit: 'count', n: summary.n, interval: null };
        }),
      ];
    },
  );
}

export function scenarioRows(cases: readonly ScenarioCase[], options: EvaluateOptions): EvaluationRow[] {
  return groupRows(
    cases,
    ({ truth }) => truth,
    (group, key) => {
      const of = (part: (some: readonly ScenarioCase[]) => number | null) => spread(group, part, options, key);
      const { stepsN } = summarizeScenario(group, options);
      return [
        ...(['sr', 'cas', 'final'] as const).map((name) =>
          percent(
            name,
            of((some) => summarizeScenario(some, options)[name]),
            options,
          ),
        ),
        counted(
          'steps',
          of((some) => summarizeScenario(some, options).steps),
          stepsN,
          options,
        ),
      ];
    },
  );
}

type Names = { software: string; difficulty: string | null; scenario: string };

function groupRows<T>(
  cases: readonly T[],
  namesOf: (one: T) => Names,
  metricsOf: (group: readonly T[], key: string) => Metric[],
): EvaluationRow[] {
  const rows: EvaluationRow[] = [{ group: 'overall', name: '', metrics: metricsOf(cases, 'overall') }];
  for (const group of ['software', 'difficulty', 'scenario'] as const) {
    const groups = Map.groupBy(cases, (one) => namesOf(one)[group] ?? '');
    for (const name of [...groups.keys()].filter((one) => one !== '').sort()) {
      rows.push({ group, name, metrics: metricsOf(groups.get(name)!, `${group}\n${name}`) });
    }
  }
  return rows;
}

/** A statistic of all cases and of `resamples` draws of as many, with replacement. */
function spread<T>(
  cases: readonly T[],
  part: (some: readonly T[]) => number | null,
  { resamples, seed }: EvaluateOptions,
  key: string,
): Estimate {
  const value = part(cases);
  if (value === null) return { value, n: cases.length, replicates: new Float64Array(0), method: 'bootstrap' };
  const random = randomFrom(seedOf(key, seed));
  const replicates: number[] = [];
  for (let i = 0; i < resamples; i++) {
    const drawn = part(cases.map(() => cases[Math.floor(random() * cases.length)]!));
    if (drawn !== null) replicates.push(drawn);
  }
  return { value, n: cases.length, replicates: Float64Array.from(replicates), method: 'bootstrap' };
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
