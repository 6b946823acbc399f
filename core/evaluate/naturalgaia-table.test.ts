import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS, type EvaluateOptions } from '../../schemas/evaluate.ts';
import type { TrajectoryOutcome } from '../../schemas/questions.ts';
import { taskGroups, trajectoryRow } from './task-rows.ts';
import { summarizeTrajectories, type TrajectoryCase } from './trajectories.ts';

/** NaturalGAIA's table 1 (naturalgaia.txt), from its own parts: success, attempts, and what its means weigh. */

/** How the table weighs, where it differs from the formula or the text leaves it open. */
const AS_PRINTED: EvaluateOptions = { ...DEFAULT_OPTIONS, difficulty: 'sum', matcrMean: 'difficulty', resamples: 100 };

/** Its tasks: 15, 10 and 10 of the levels, within their limits (3.4), with the sums of difficulty that all rows agree on. */
const SHAPES: Readonly<Record<string, [nodes: number, applications: number][]>> = {
  '1': [...Array.from({ length: 13 }, (): [number, number] => [2, 2]), [1, 1], [1, 1]],
  '2': Array.from({ length: 10 }, () => [4, 4]),
  '3': [...Array.from({ length: 9 }, (): [number, number] => [6, 6]), [5, 5]],
};
const run = (done: number, nodes: number): TrajectoryOutcome => ({
  atomic: Array.from({ length: nodes }, (_, i) => i < done),
  errors: [],
});
/** The tasks of a level, each with how many of its atomic tasks each attempt did. */
const levelOf = (difficulty: string, done: readonly (readonly number[])[]): TrajectoryCase[] =>
  SHAPES[difficulty]!.map(([nodes, applications], i) => {
    const attempts = (done[i] ?? [0]).map((count) => run(count, nodes));
    return {
      truth: { id: `${difficulty}-${i}`, software: '', task: '', difficulty, nodes, applications },
      outcome: attempts.length === 1 ? attempts[0]! : { attempts },
    };
  });
const all = (count: number, done: number) => Array.from({ length: count }, () => [done]);

function printed(cases: readonly TrajectoryCase[], group: string, name: string, options = AS_PRINTED) {
  const found = taskGroups(cases).find((one) => one.group === group && one.name === name)!;
  const { metrics } = trajectoryRow(found, options);
  const of = (metric: string) => metrics.find((one) => one.metric === metric)?.value;
  const round = (value: number | null | undefined) => (value == null ? value : Number(value.toFixed(1)));
  return [round(of('sr')), round(of('passK')), round(of('wpsr')), round(of('matcr'))];
}

/** SR, WPSR and MATCR of levels 1, 2 and 3, and overall. */
const TABLE_1: readonly (readonly [method: string, sr: number[], wpsr: number[], matcr: number[]])[] = [
  ['PC-Agent', [40.0, 10.0, 0.0, 20.0], [37.5, 12.5, 5.1, 14.6], [60.7, 43.1, 25.0, 38.6]],
  ['Mobile-Agent-e', [46.7, 10.0, 0.0, 22.9], [57.1, 20.0, 9.3, 23.2], [75.0, 52.5, 24.6, 44.5]],
  ['Gemini-2.5-Pro', [73.3, 20.0, 10.0, 40.0], [60.7, 27.5, 16.9, 29.9], [71.4, 53.1, 29.7, 46.3]],
  ['Gemini-2.5-Flash', [53.3, 0.0, 0.0, 22.9], [62.5, 22.5, 11.4, 26.2], [74.1, 50.0, 20.3, 41.5]],
  ['GPT-o3', [60.0, 30.0, 0.0, 34.3], [57.1, 30.0, 0.0, 22.0], [67.9, 57.5, 32.2, 48.0]],
  ['Claude-sonnet-4', [60.0, 40.0, 20.0, 42.9], [57.1, 40.0, 20.3, 34.6], [60.7, 57.5, 37.3, 48.8]],
  ['Qwen3', [40.0, 0.0, 10.0, 20.0], [28.6, 10.0, 5.1, 11.8], [50.0, 32.5, 16.1, 28.7]],
  ['Qwen2.5-Max', [60.0, 10.0, 10.0, 31.4], [50.0, 10.0, 4.7, 16.3], [58.9, 30.6, 11.0, 27.8]],
  ['Qwen2.5-7B', [6.7, 10.0, 0.0, 5.7], [7.1, 2.5, 2.1, 3.3], [18.8, 21.9, 14.8, 17.9]],
  ['Qwen2.5-7B-RFT', [33.3, 10.0, 0.0, 17.1], [28.6, 7.5, 4.7, 10.8], [40.2, 23.8, 16.5, 24.0]],
];

describe('the overall columns', () => {
  const sums = (weights: readonly number[]) => (levels: readonly number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * levels[i]!, 0) / weights.reduce((sum, weight) => sum + weight, 0);
  const tasks = sums(Object.values(SHAPES).map((shapes) => shapes.length));
  const difficulty = sums(Object.values(SHAPES).map((shapes) => shapes.reduce((sum, [n, a]) => sum + n + a, 0)));

  test.each(TABLE_1)('%s: success counts tasks; WPSR and MATCR weigh nodes + applications', (_, sr, wpsr, matcr) => {
    expect(Math.abs(tasks(sr) - sr[3]!)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(difficulty(wpsr) - wpsr[3]!)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(difficulty(matcr) - matcr[3]!)).toBeLessThanOrEqual(0.1);
    // The table's overall MATCR is not the plain mean over the tasks that the paper's formula gives.
    expect(Math.abs(tasks(matcr) - matcr[3]!)).toBeGreaterThan(0.5);
  });

  test('nodes x applications cannot give them: level 3 has 5 to 7 nodes and 3 to 7 applications, level 1 at most 2 of each', () => {
    const [one, , three] = Object.values(SHAPES).map((shapes) => shapes.reduce((sum, [n, a]) => sum + n + a, 0));
    const least = (10 * 5 * 3) / (15 * 2 * 2);
    expect(three! / one!).toBeLessThan(least);
  });
});

describe('rows task by task (M22, M24, M33)', () => {
  test('Claude-sonnet-4, each task tried once', () => {
    const cases = [
      // 7 tasks of two nodes and both of one node done, another half done.
      ...levelOf('1', [...all(7, 2), [1], ...all(5, 0), [1], [1]]),
      ...levelOf('2', [...all(4, 4), [2], [2], [2], [1]]),
      ...levelOf('3', [...all(2, 6), [5], [3], [2]]),
    ];
    expect(printed(cases, 'difficulty', '1')).toEqual([60, undefined, 57.1, 60.7]);
    expect(printed(cases, 'difficulty', '2')).toEqual([40, undefined, 40, 57.5]);
    expect(printed(cases, 'difficulty', '3')).toEqual([20, undefined, 20.3, 37.3]);
    expect(printed(cases, 'overall', '')).toEqual([42.9, undefined, 34.6, 48.8]);
    // With the defaults, a plain mean and nodes x applications, other numbers come out.
    expect(printed(cases, 'overall', '', DEFAULT_OPTIONS).slice(2)).not.toEqual([34.6, 48.8]);
  });

  test('Mobile-Agent-e on level 3, four attempts: success of the first, Pass@4 of any, the others on average', () => {
    const attempts = [[0, 6, 0, 0], [0, 0, 0, 6], ...all(7, 0), [0, 5, 5, 0]];
    expect(printed(levelOf('3', attempts), 'difficulty', '3').slice(0, 3)).toEqual([0, 30, 9.3]);
  });

  test('Pass@k counts the first k; what was tried less often counts what there is', () => {
    const cases = levelOf('2', [[0, 0, 0, 0, 4], [0, 4], [4], ...all(7, 0)]);
    const passK = (passAttempts: number) => summarizeTrajectories(cases, { ...DEFAULT_OPTIONS, passAttempts }).passK;
    expect([1, 2, 4, 5].map(passK)).toEqual([0.1, 0.2, 0.2, 0.3]);
    expect(summarizeTrajectories(levelOf('2', all(10, 4)), DEFAULT_OPTIONS).passK).toBeNull();
  });

  test('the interval of Pass@k is over all tasks, those that were tried once too', () => {
    const cases = levelOf('2', [[0, 4], ...all(9, 0)]);
    const { metrics } = trajectoryRow({ group: 'overall', name: '', cases }, { ...AS_PRINTED, resamples: 1000 });
    const { value, interval } = metrics.find(({ metric }) => metric === 'passK')!;
    expect(value).toBeCloseTo(10, 9);
    expect(interval!.low).toBe(0);
  });

  test('a run that went on beyond its instruction failed (mobile-agent-v.txt A.1.4)', () => {
    const [one] = levelOf('2', [[4]]);
    const over = { ...one!, outcome: { ...run(4, 4), overdone: true } };
    expect(summarizeTrajectories([one!], DEFAULT_OPTIONS)).toMatchObject({ sr: 1, cr: 1 });
    expect(summarizeTrajectories([over], DEFAULT_OPTIONS)).toMatchObject({ sr: 0, cr: 1 });
  });
});
