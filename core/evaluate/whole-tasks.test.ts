import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS, type EvaluateOptions } from '../../schemas/evaluate.ts';
import type { TrajectoryTruth } from '../../schemas/questions.ts';
import { type ScenarioCase, summarizeScenario } from './scenario.ts';
import { scenarioRow, taskGroups } from './task-rows.ts';
import { scoreAttempt } from './trajectories.ts';

describe('step limits have the name of their benchmark (M21)', () => {
  const run = (truth: Partial<TrajectoryTruth>, steps: number, more: Partial<EvaluateOptions> = {}) => {
    const task = { id: 't', software: '', task: '', difficulty: null, nodes: 7, applications: 5, ...truth };
    const outcome = { atomic: Array.from({ length: 7 }, () => true), steps, errors: [] };
    return scoreAttempt({ truth: task, outcome }, { ...DEFAULT_OPTIONS, ...more }).success;
  };

  test('a level-3 run of NaturalGAIA that did 7 of 7 nodes in 62 steps succeeded', () => {
    for (const difficulty of ['3', 'Level 3', 'level-3', 'L3']) expect(run({ difficulty }, 62)).toBe(1);
  });

  test('Mobile-Agent-V allows 10, 15 and 20 steps, by both names of its levels', () => {
    const limits = [
      ['basic', 10],
      ['Normal', 15],
      ['standard', 15],
      ['advanced', 20],
      ['complex', 20],
    ] as const;
    for (const [difficulty, limit] of limits) {
      expect([run({ difficulty }, limit), run({ difficulty }, limit + 1)]).toEqual([1, 0]);
    }
  });

  test('a task may name its benchmark, and the options have the last word', () => {
    expect(run({ difficulty: '3', benchmark: 'mobile-agent-v' }, 21)).toBe(0);
    expect(run({ difficulty: 'advanced', benchmark: 'naturalgaia' }, 62)).toBe(1);
    expect(run({ difficulty: '3' }, 62, { benchmark: 'mobile-agent-v' })).toBe(0);
    expect(run({ difficulty: 'basic' }, 62, { benchmark: 'none' })).toBe(1);
    expect(run({ difficulty: '3' }, 62, { naturalgaiaStepLimits: [20, 40, 60] })).toBe(0);
  });

  test('a difficulty that is nobody’s has no limit, whatever it is called', () => {
    for (const difficulty of ['constructor', '__proto__', 'hard', '4']) expect(run({ difficulty }, 500)).toBe(1);
  });
});

/** Agent, success rates of scenarios A to E and of OmniLife, and what the paper prints as overall (scendroid.txt, table 3). */
const TABLE_3: readonly (readonly [agent: string, rates: readonly number[], overall: number])[] = [
  ['Human', [90.9, 82.9, 89.7, 93.3, 84.3, 87.3], 88.1],
  ['Qwen3-VL-235B', [28.5, 28.7, 18.6, 32.5, 31.7, 23.6], 27.3],
  ['Qwen3-VL-32B', [23.5, 25.1, 21.1, 27.5, 23.0, 22.9], 23.8],
  ['Qwen3-VL-8B', [14.5, 22.7, 18.3, 22.5, 12.5, 20.7], 18.5],
  ['Doubao-VL', [19.1, 11.5, 18.7, 19.5, 14.0, 29.5], 18.7],
  ['GeLab-Zero-4B', [25.2, 16.0, 13.1, 27.5, 12.6, 16.7], 18.5],
  ['GUI-OWL-7B', [11.6, 18.2, 22.4, 15.0, 7.5, 17.1], 15.3],
  ['Qwen3-VL-235B + Qwen3-VL-8B', [27.3, 22.8, 25.0, 19.2, 13.3, 27.1], 22.5],
  ['GPT-5.1 + Qwen3-VL-8B', [28.7, 22.5, 29.0, 47.5, 24.0, 31.4], 30.5],
  ['Gemini-3-Pro + Qwen3-VL-8B', [24.1, 27.2, 33.3, 47.5, 38.5, 40.7], 35.2],
  ['Claude-4.5-Sonnet + Qwen3-VL-8B', [18.2, 36.0, 30.5, 25.0, 22.5, 33.0], 27.5],
  ['Qwen3-VL-235B + Context', [30.7, 36.0, 28.6, 47.5, 29.0, 32.1], 34.0],
  ['Qwen3-VL-32B + Context', [31.5, 34.0, 25.1, 45.0, 24.0, 30.7], 31.7],
  ['Qwen3-VL-8B + Context', [22.5, 29.5, 22.5, 35.0, 19.0, 29.3], 26.3],
  ['Doubao-VL + Context', [23.5, 20.1, 22.2, 27.5, 18.1, 32.1], 23.9],
  ['GeLab-Zero-4B + Context', [18.2, 15.6, 11.1, 23.7, 15.9, 18.6], 21.2],
  ['GUI-OWL-7B + Context', [13.5, 20.1, 26.7, 15.8, 27.2, 17.9], 20.2],
  ['Qwen3-VL-235B + Qwen3-VL-8B + Context', [27.3, 34.4, 31.1, 44.4, 28.7, 37.2], 33.9],
  ['GPT-5.1 + Qwen3-VL-8B + Context', [31.8, 40.7, 50.9, 40.4, 31.7, 38.2], 39.0],
  ['Claude-4.5-Sonnet + Qwen3-VL-8B + Context', [22.7, 36.4, 28.9, 45.4, 22.7, 35.9], 32.0],
  ['Gemini-3-Pro + Qwen3-VL-8B + Context', [45.5, 41.2, 52.8, 57.2, 28.6, 50.5], 45.9],
];
/** Scenarios A to E; passive L0, L1, L2, active L0, L1, L2, then their printed means (table 7). */
const TABLE_7 = {
  rows: [
    [41, 18, 0, 55, 36, 18],
    [64, 18, 0, 64, 27, 9],
    [40, 39, 17, 22, 57, 33],
    [55, 25, 0, 35, 45, 40],
    [15, 10, 0, 30, 10, 20],
  ],
  overall: [43.0, 22.0, 3.4, 41.2, 35.0, 24.0],
};

/** Total and average steps of the first, a middle and the last row (table 6). */
const TABLE_6 = [
  [989, 14.13],
  [1120, 16.0],
  [1369, 19.56],
  [1657, 23.67],
  [1752, 25.03],
] as const;
/** Questions asked, tasks, raw success in percent and mean CAS (table 8). */
const TABLE_8 = [
  [0, 15, 6.67, 0.067],
  [1, 21, 52.38, 0.349],
  [2, 7, 14.29, 0.071],
  [3, 8, 12.5, 0.057],
] as const;

/** A thousand tasks, or the second scenario's three times as many, of which such a share passed: the mean must not see how many there are. */
const tasksWith = (scenario: string, percent: number, difficulty: string | null, i: number): ScenarioCase[] => {
  const count = i === 1 ? 3000 : 1000;
  return Array.from({ length: count }, (_, n) => ({
    truth: { id: `${scenario}${n}`, scenario, software: '', difficulty },
    outcome: { score: n < Math.round((percent / 100) * count) ? 1 : 0, clarifications: 0 },
  }));
};

describe('ScenDroid: rates over scenarios are the mean of the scenarios (M25)', () => {
  const scenariosOf = (rates: readonly number[]) => rates.flatMap((rate, i) => tasksWith('ABCDEO'[i]!, rate, null, i));

  test('table 3, every row but one as printed', () => {
    const strange = TABLE_3.flatMap(([agent, rates, overall]) => {
      const { sr } = summarizeScenario(scenariosOf(rates), DEFAULT_OPTIONS);
      expect(sr! * 100).toBeCloseTo(rates.reduce((sum, one) => sum + one, 0) / 6, 6);
      return Math.abs(sr! * 100 - overall) <= 0.1 ? [] : [[agent, Number((sr! * 100).toFixed(1)), overall]];
    });
    // Its scenarios give 17.2; the table prints 21.2.
    expect(strange).toEqual([['GeLab-Zero-4B + Context', 17.2, 21.2]]);
    expect(TABLE_3).toHaveLength(21);
  });

  test('table 7, by the ambiguity of the instruction', () => {
    for (const [column, printed] of TABLE_7.overall.entries()) {
      const cases = TABLE_7.rows.flatMap((row, i) => tasksWith('ABCDE'[i]!, row[column]!, 'L1', i));
      const group = taskGroups(cases).find((one) => one.group === 'difficulty')!;
      const { metrics } = scenarioRow(group, { ...DEFAULT_OPTIONS, resamples: 100 });
      expect(metrics.find(({ metric }) => metric === 'sr')?.value).toBeCloseTo(printed, 6);
    }
  });

  test('over tasks where the option says so', () => {
    const cases = [...tasksWith('A', 100, null, 0), ...tasksWith('B', 0, null, 1)];
    expect(summarizeScenario(cases, DEFAULT_OPTIONS).sr).toBe(0.5);
    expect(summarizeScenario(cases, { ...DEFAULT_OPTIONS, scenarioMean: 'tasks' }).sr).toBe(0.25);
  });

  test('table 6: average steps are a mean over the 70 tasks of OmniLife', () => {
    for (const [total, average] of TABLE_6) {
      const cases = Array.from(
        { length: 70 },
        (_, n): ScenarioCase => ({
          truth: { id: `${n}`, scenario: 'OmniLife', software: '', difficulty: null },
          outcome: { score: 0, clarifications: 0, steps: Math.floor(total / 70) + (n < total % 70 ? 1 : 0) },
        }),
      );
      expect(summarizeScenario(cases, DEFAULT_OPTIONS).steps).toBeCloseTo(average, 2);
    }
  });

  test('table 8: clarification-adjusted success by the number of questions, every row but the last', () => {
    const strange = TABLE_8.flatMap(([questions, tasks, percent, printed]) => {
      const cases = Array.from(
        { length: tasks },
        (_, n): ScenarioCase => ({
          truth: { id: `${n}`, scenario: 'A', software: '', difficulty: 'L2' },
          outcome: { score: n < Math.round((percent / 100) * tasks) ? 1 : 0, clarifications: questions },
        }),
      );
      const { sr, cas } = summarizeScenario(cases, DEFAULT_OPTIONS);
      expect(sr! * 100).toBeCloseTo(percent, 1);
      return Math.abs(cas! - printed) < 0.001 ? [] : [[questions, printed]];
    });
    // Three questions or more: at most 1 of 8 / 2.5 = 0.050, printed is 0.057.
    expect(strange).toEqual([[3, 0.057]]);
  });
});
