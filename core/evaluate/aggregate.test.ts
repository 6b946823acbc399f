import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS, type EvaluateOptions, type ScoredCase } from '../../schemas/evaluate.ts';
import type { PlanQuery, QuestionKind } from '../../schemas/questions.ts';
import { actionGroup, addCase, type Board, boardRows } from './aggregate.ts';
import { readComment, readSteps } from './answers.ts';
import { scoredAs } from './case-for-tests.ts';
import { readCritic } from './critic.ts';
import { fillPrompt, promptProblems } from './prompts.ts';
import { randomFrom } from './random.ts';
import { addTo, emptyTally, estimate, toMetric } from './tally.ts';

const plan = (kind: 'mid' | 'high', query: PlanQuery, score: number | null) =>
  scoredAs(kind, score === null ? { stepF1: 0.5, order: 1 } : { score, stepF1: 0.5, order: 1 }, { query });

const rowsOf = (cases: readonly ScoredCase[], more: Partial<EvaluateOptions> = {}) => {
  const options = { ...DEFAULT_OPTIONS, ...more };
  const board: Board = new Map();
  for (const one of cases) addCase(board, one, options);
  return boardRows(board, options, true);
};
const valuesOf = (cases: readonly ScoredCase[], more: Partial<EvaluateOptions> = {}) =>
  Object.fromEntries(rowsOf(cases, more)[0]!.metrics.map(({ metric, value }) => [metric, value]));

const ACTIONS = [
  scoredAs('click', { dist: 0.1, recall: 1 }),
  scoredAs('click', { dist: null, recall: 0 }),
  scoredAs('keys', { recall: 1, precision: 0.5 }),
  scoredAs('scroll', { accuracy: 1 }),
];

describe('rows (M17 to M20)', () => {
  test('percentages are means over cases; a distance that is not counted leaves the mean alone', () => {
    expect(valuesOf(ACTIONS)).toMatchObject({ 'click.dist': 10, 'click.recall': 50, 'keys.precision': 50 });
  });

  test('of one kind alone there is no full action score', () => {
    const board: Board = new Map();
    for (const one of ACTIONS) addCase(board, one, DEFAULT_OPTIONS);
    const [row] = boardRows(board, DEFAULT_OPTIONS, false);
    expect(row!.metrics.map(({ metric }) => metric)).not.toContain('action.full');
  });

  test('the full action score leaves out a kind that the data lacks, and names it', () => {
    expect(valuesOf(ACTIONS)['action.full']).toBe((50 + 50 + 100) / 3);
    const full = rowsOf(ACTIONS)[0]!.metrics.find(({ metric }) => metric === 'action.full');
    expect(full?.lacks).toEqual(['drag']);
  });

  test('a kind that the model did not answer counts 0', () => {
    const all = [...ACTIONS, scoredAs('drag', { dist: null, recall: 0 }, { notes: ['missing'] })];
    expect(valuesOf(all)['action.full']).toBe((50 + 0 + 50 + 100) / 4);
    const full = rowsOf(all)[0]!.metrics.find(({ metric }) => metric === 'action.full');
    expect(full).not.toHaveProperty('lacks');
  });

  test('the truth reaches 100 whatever the data holds, each software too', () => {
    const right: Record<QuestionKind, ScoredCase['scores']> = {
      click: { dist: 0, recall: 1 },
      drag: { dist: 0, recall: 1 },
      scroll: { accuracy: 1 },
      keys: { recall: 1, precision: 1 },
      mid: { score: 5 },
      high: { score: 5 },
    };
    const kinds: QuestionKind[] = ['click', 'drag', 'scroll', 'keys', 'mid', 'high'];
    for (let mask = 1; mask < 64; mask++) {
      const here = kinds.filter((_, i) => mask & (1 << i));
      const cases = here.map((kind) => {
        const query = kind === 'mid' ? 'vision+text' : kind === 'high' ? 'vision' : null;
        return scoredAs(kind, right[kind], { query, software: `Of ${kind}` });
      });
      for (const { metrics } of rowsOf(cases)) {
        for (const { metric, value } of metrics) {
          if (/full|plan|overall/.test(metric)) expect([here, metric, value]).toEqual([here, metric, 100]);
        }
      }
    }
  });

  test('the overall score is the mean of both plans in percent and the actions (M19)', () => {
    const all = [...ACTIONS, plan('high', 'vision', 1), plan('mid', 'vision+text', 4), plan('mid', 'text', 5)];
    expect(valuesOf(all)).toMatchObject({ 'high.plan': 20, 'mid.plan': 80 });
    expect(valuesOf(all).overall).toBeCloseTo((20 + 80 + (50 + 50 + 100) / 3) / 3, 9);
    expect(valuesOf(all, { mainMid: 'text' })).toMatchObject({ 'mid.plan': 100 });
  });

  test('a level that the data lacks is left out of the overall score and named', () => {
    const overall = rowsOf([...ACTIONS, plan('high', 'vision', 1)])[0]!.metrics.find((one) => one.metric === 'overall');
    expect(overall?.value).toBeCloseTo((20 + (50 + 50 + 100) / 3) / 2, 9);
    expect(overall?.lacks).toEqual(['mid', 'drag']);
  });

  test('plans that nobody judged leave the overall score out, unless step F1 is to stand for them', () => {
    const all = [...ACTIONS, plan('high', 'vision', null), plan('mid', 'vision+text', null)];
    expect(valuesOf(all)).not.toHaveProperty('overall');
    expect(valuesOf(all, { planScore: 'stepF1' })).toMatchObject({ 'high.plan': 50, 'mid.plan': 50 });
    expect(valuesOf(all, { planScore: 'stepF1' }).overall).toBeCloseTo((50 + 50 + (50 + 50 + 100) / 3) / 3, 9);
  });

  test('software, numbers of actions and difficulties have rows of their own, in their order', () => {
    const rows = rowsOf([
      scoredAs('scroll', { accuracy: 1 }, { software: 'Word', actions: 30 }),
      scoredAs('scroll', { accuracy: 0 }, { software: 'GIMP', actions: 1, difficulty: '2' }),
      scoredAs('scroll', { accuracy: 0 }, { software: 'GIMP', actions: 6 }),
    ]);
    expect(rows.map(({ group, name }) => `${group} ${name}`)).toEqual([
      'overall ',
      'software GIMP',
      'software Word',
      'actions 1-2',
      'actions 5-8',
      'actions 17+',
      'difficulty 2',
    ]);
  });

  test('groups of actions meet without gaps', () => {
    expect([1, 2, 3, 4, 5, 100].map((n) => actionGroup(n, [1, 2, 4, 6]))).toEqual([
      '1',
      '2-3',
      '2-3',
      '4-5',
      '4-5',
      '6+',
    ]);
    expect(actionGroup(1, [3, 5])).toBe('1-2');
  });

  test('the same cases and seed give the same intervals; another seed other ones', () => {
    const many = Array.from({ length: 40 }, (_, i) => scoredAs('scroll', { accuracy: i % 3 === 0 ? 1 : 0 }));
    expect(rowsOf(many)).toEqual(rowsOf(many));
    expect(rowsOf(many, { seed: 2 })).not.toEqual(rowsOf(many));
  });
});

describe('intervals (M18)', () => {
  /** n cases, a quarter of them 1. */
  const interval = (n: number) => {
    const tally = emptyTally();
    for (let i = 0; i < n; i++) addTo(tally, i % 4 === 0 ? 1 : 0);
    return toMetric('m', '%', estimate(tally, 4000, randomFrom(1)), { level: 0.95 }).interval!;
  };

  test('are as wide as the theory says, by resampling and beyond it', () => {
    for (const [n, method] of [
      [4000, 'bootstrap'],
      [8000, 'normal'],
    ] as const) {
      const { low, high, method: used } = interval(n);
      expect(used).toBe(method);
      const wanted = 2 * 1.96 * Math.sqrt((0.25 * 0.75) / n);
      expect((high - low) / wanted).toBeGreaterThan(0.93);
      expect((high - low) / wanted).toBeLessThan(1.07);
    }
  });

  test('of nothing there is none', () => {
    expect(toMetric('m', '%', estimate(emptyTally(), 100, randomFrom(1)), { level: 0.95 })).toEqual({
      metric: 'm',
      unit: '%',
      value: null,
      n: 0,
      interval: null,
    });
  });
});

describe('answers in words', () => {
  test('steps are read with numbers, colons, bullets, bold, and without any', () => {
    const wanted = ["Click the 'File'.", 'Save it'];
    for (const text of [
      "1. Click the 'File'.\n2. Save it",
      "1: Click the 'File'.\n2: Save it",
      "1.: Click the 'File'.\n\n3.: Save it",
      "Here is the plan:\n- Click the 'File'.\n* Save it\nGood luck!",
      "**Step 1:** Click the 'File'.\n**Step 2:** Save it",
      "The plan:\n**Step 1**: Click the 'File'.\n**Step 2**: Save it",
      "The plan:\n(1) Click the 'File'.\n(2) Save it",
      "The plan:\n1、Click the 'File'.\n２．Save it",
      "Click the 'File'.\r\n\r\nSave it\r\n",
    ]) {
      expect(readSteps(text)).toEqual(wanted);
    }
    expect(readSteps(wanted)).toEqual(wanted);
    expect(readSteps(' \n ')).toBeNull();
  });

  test("the critic's comment and score come apart; without a score there is no verdict", () => {
    expect(readCritic('[comment]: right menu,\nwrong colour\n[score]: 3')).toEqual({
      score: 3,
      comment: 'right menu,\nwrong colour',
    });
    expect(readComment('**[Comment]**: fine\n**[Score]**: 5')).toContain('fine');
    expect(readCritic('I like it. 4/5')).toBeNull();
    expect(readCritic('[score]: six')).toBeNull();
    // Table 28: "must be an integer"; asked once more.
    expect(readCritic('[comment]: half right\n[score]: 3.5')).toBeNull();
    for (const odd of ['4,5', '4-5', '4–5', '4/10', '4 / 50', '3/5.5']) {
      expect([odd, readCritic(`[comment]: half right\n[score]: ${odd}`)]).toEqual([odd, null]);
    }
    for (const whole of ['4', '4.', '4, since', '4/5', '**4** / 5.', '4.0', '[4]']) {
      expect([whole, readCritic(`[score]: ${whole}`)?.score]).toEqual([whole, 4]);
    }
    expect(readCritic('[comment]: right\n[score]: 4.0')).toMatchObject({ score: 4 });
    expect(readCritic('<think>[score]: 1</think>[comment]: fine\n[score]: 5')).toEqual({ score: 5, comment: 'fine' });
  });
});

describe('prompts (M9)', () => {
  test('fields are filled once: braces in a value stay as they are', () => {
    expect(fillPrompt('{element} in {software}', { element: '{software}', software: 'GIMP' })).toBe(
      '{software} in GIMP',
    );
  });

  test('a prompt that lacks a field, or has one that nobody fills, is told', () => {
    expect(promptProblems('click', 'Where is {elemnt}?')).toEqual([
      '{elemnt} is not known; known: {element}, {software}, {width}, {height}',
      '{element} is missing',
    ]);
    expect(promptProblems('click', 'Where is {element}? Answer {"x": 1}')).toEqual([]);
  });
});
