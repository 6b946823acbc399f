import { expect, test } from 'vitest';
import type { Run } from '../../schemas/api/evaluate.ts';
import { DEFAULT_OPTIONS, type EvaluateOptions, type EvaluationRow, type Metric } from '../../schemas/evaluate.ts';
import { boardCsv } from './export.ts';
import { layoutPlot } from './plot-layout.ts';
import { bestOf, boardTables, differences, groupNames, scoreIntervalText, valueText } from './tables.ts';

const metric = (name: string, value: number | null, more: Partial<Metric> = {}): Metric => ({
  metric: name,
  value,
  unit: '%',
  n: 10,
  interval: null,
  ...more,
});
const runOf = (name: string, metrics: Metric[], more: Partial<Run> = {}, rows: EvaluationRow[] = []): Run => ({
  id: name,
  name,
  madeAt: '2026-01-01T00:00:00Z',
  set: 's',
  files: ['action.jsonl'],
  predictions: 'p.jsonl',
  evaluation: {
    schema: 'trajectory-studio/evaluation',
    version: 1,
    rules: 2,
    coordinates: null,
    level: 'all',
    model: name,
    critic: null,
    aid: null,
    dataset: null,
    prompts: { questions: null, critic: null },
    options: DEFAULT_OPTIONS,
    reports: [],
    counts: { cases: 1, answered: 1, missing: 0, unreadable: 0, refused: 0, otherLevel: 0 },
    rows: [{ group: 'overall', name: '', metrics }, ...rows],
    caseFile: null,
  },
  ...more,
});

test('the best of a column is the highest, and of a distance the lowest', () => {
  const runs = [
    runOf('a', [metric('click.dist', 12), metric('click.recall', 60)]),
    runOf('b', [metric('click.dist', 40), metric('click.recall', 70)]),
  ];
  const actions = boardTables(runs).find(({ id }) => id === 'actions')!;
  expect(actions.columns.map(({ name }) => name)).toEqual(['Click Dist', 'Click Recall']);
  expect(actions.rows.map(({ cells }) => cells.map(({ best }) => best))).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('one model alone, or all alike, is no best', () => {
  const column = { name: 'Recall', metric: 'click.recall', better: 'high' } as const;
  expect(bestOf(column, [metric('click.recall', 5), null])).toBe(null);
  expect(bestOf(column, [metric('click.recall', 5), metric('click.recall', 5)])).toBe(null);
});

test('what makes rows incomparable is named', () => {
  const other = runOf('b', []);
  other.evaluation.options = { ...DEFAULT_OPTIONS, threshold: 50 };
  expect(differences([runOf('a', []), other])).toEqual(['option “hit within (px)”']);
  expect(differences([runOf('a', []), runOf('b', [], { files: ['mid.jsonl'] })])).toEqual([
    'the questions that were scored',
  ]);
  expect(differences([runOf('a', []), runOf('b', [])])).toEqual([]);
});

test('numbers of actions ascend as numbers', () => {
  const rows = ['17+', '3-4', '9-16', '1-2'].map((name): EvaluationRow => ({ group: 'actions', name, metrics: [] }));
  expect(groupNames([runOf('a', [], {}, rows)], 'actions')).toEqual(['1-2', '3-4', '9-16', '17+']);
});

test('a value has its unit’s digits, and nothing counted is a dash', () => {
  const plan = metric('mid.text.score', 2.5, { unit: '0-5', interval: { low: 2.1, high: 3, method: 'bootstrap' } });
  expect([valueText(plan), scoreIntervalText(plan)]).toEqual(['2.50', '2.10 – 3.00']);
  // Two equal numbers would look exact.
  const interval = { low: 100, high: 100, method: 'bootstrap' } as const;
  expect(scoreIntervalText(metric('SR', 100, { n: 1, interval: { ...interval, low: 90 } }))).toBe('');
  expect(scoreIntervalText(metric('SR', 100, { n: 3, interval }))).toBe('');
  expect([valueText(metric('x', null)), valueText(null), scoreIntervalText(null)]).toEqual(['–', '–', '']);
});

test('a CSV holds every number, and a name is never a formula', () => {
  const csv = boardCsv([runOf('=cmd("x"), a', [metric('click.recall', -1)])]);
  const [, line] = csv.split('\r\n');
  expect(line).toMatch(/^"'=cmd\(""x""\), a",,,overall,,click\.recall,-1,%,10,,,,,"\{/);
  // A wide sign, and a formula behind what some spreadsheets part cells at.
  expect(boardCsv([runOf('＝1+1', [metric('x', 1)])])).toContain("\r\n'＝1+1,");
  expect(boardCsv([runOf('a;=1+1', [metric('x', 1)])])).toContain('\r\n"a;=1+1",');
});

test('points of the plot lie between its edges, higher values higher', () => {
  const series = [
    { name: 'a', metrics: [metric('m', 0), metric('m', 50, { interval: { low: 40, high: 60, method: 'bootstrap' } })] },
    { name: 'b', metrics: [metric('m', 100), null] },
  ];
  const { top, bottom, series: points } = layoutPlot(['1-2', '3-4'], series, 600, 300);
  expect(points.map((one) => one.length)).toEqual([2, 1]);
  expect([points[0]![0]!.y, points[1]![0]!.y]).toEqual([bottom, top]);
  const { y, low, high } = points[0]![1]!;
  expect(low > y && y > high).toBe(true);
  expect(points[0]![0]!.x).toBeLessThan(points[1]![0]!.x);
});

test('runs of whole tasks have tables and options of their own', () => {
  const tasks = (name: string, more: Partial<EvaluateOptions> = {}): Run => {
    const run = runOf(name, [
      metric('sr', 50),
      metric('steps', 7.25, { unit: 'count' }),
      metric('error.planning', 3, { unit: 'count' }),
    ]);
    return {
      ...run,
      evaluation: { ...run.evaluation, level: 'trajectories', options: { ...DEFAULT_OPTIONS, ...more } },
    };
  };
  const tables = boardTables([tasks('a'), tasks('b')]);
  expect(tables.map(({ id, columns }) => [id, columns.map(({ name }) => name)])).toEqual([
    ['tasks', ['SR', 'Steps']],
    ['errors', ['Planning']],
  ]);
  expect(tables[1]!.rows[0]!.cells.map((cell) => valueText(cell.metric))).toEqual(['3']);
  expect(differences([tasks('a'), tasks('b', { threshold: 5 })])).toEqual([]);
  expect(differences([tasks('a'), tasks('b', { positionWeight: 'i/n' })])).toEqual(['option “weight of place i”']);
});

test('the same clicks with another aid are compared; other questions, and other critics, are told', () => {
  const aid = { kind: 'som' as const, source: 'edges', hash: 'a'.repeat(64) };
  const file = (name: string, level: 'action' | 'mid', one: typeof aid | null) => ({
    file: name,
    level,
    aid: one,
    counts: {},
    reach: null,
  });
  const set = {
    id: 's',
    name: 's',
    madeAt: '',
    source: 'workspace' as const,
    tasks: null,
    dataset: null,
    leftOut: [],
    leftOutCount: 0,
    files: [
      file('action.jsonl', 'action', null),
      file('action-som.jsonl', 'action', aid),
      file('mid.jsonl', 'mid', null),
    ],
  };
  const plain = runOf('m', []);
  const aided = runOf('m + SoM', [], { files: ['action-som.jsonl'] });
  expect(differences([plain, aided], set)).toEqual([]);
  expect(differences([plain, runOf('p', [], { files: ['mid.jsonl'] })], set)).toEqual([
    'the questions that were scored',
  ]);
  const judged = (name: string, model: string): Run => {
    const run = runOf(name, []);
    const critic = {
      model,
      asked: 1,
      cached: 0,
      loaded: 0,
      again: 0,
      unreadable: 0,
      tokens: { input: 0, output: 0 },
      cost: 0,
    };
    return { ...run, evaluation: { ...run.evaluation, critic } };
  };
  expect(differences([judged('a', 'x'), judged('b', 'y')])).toEqual(['the critic']);
});

test('difficulties stand from the easiest to the hardest', () => {
  const named = (...names: string[]) =>
    groupNames(
      [
        runOf(
          'a',
          [],
          {},
          names.map((name) => ({ group: 'difficulty', name, metrics: [] })),
        ),
      ],
      'difficulty',
    );
  expect(named('advanced', 'basic', 'normal')).toEqual(['basic', 'normal', 'advanced']);
  expect(named('10', '2', '1')).toEqual(['1', '2', '10']);
  expect(named('L2', 'L0')).toEqual(['L0', 'L2']);
});

test('beside the models: chance, and the average by models as table 4 has it', () => {
  // High-level plans from pictures, the last six rows of table 4; its last row prints 0.49.
  const scores = [0.22, 0.25, 0.39, 0.48, 0.71, 0.86];
  const unit = '0-5' as const;
  const runs = scores.map((score, i) => runOf(`m${i}`, [metric('high.vision.score', score, { unit })]));
  const plans = boardTables(runs).find(({ id }) => id === 'plans')!;
  expect(plans.references).toEqual([{ name: 'Average by models', values: [expect.closeTo(0.485, 9)] }]);
  const one = runOf('a', [metric('click.recall', 60), metric('keys.precision', 90)]);
  one.evaluation.random = [metric('click.recall', 0.7)];
  const actions = boardTables([one]).find(({ id }) => id === 'actions')!;
  expect(actions.references).toEqual([{ name: 'Random guess', values: [0.7, null] }]);
});

test('results by other rules are not compared without a word', () => {
  const [old, now] = [runOf('old', [metric('overall', 1)]), runOf('now', [metric('overall', 2)])];
  delete old.evaluation.rules;
  expect(differences([old, now])).toEqual(['the scoring rules']);
});
