import { expect, test } from 'vitest';
import type { ArenaTable } from './arena.ts';
import { passAt, runTables, type TableRun } from './run-tables.ts';

const run = (more: Partial<TableRun> = {}): TableRun => ({
  task: 'PPT_1',
  kind: 'full',
  agent: 'minimal',
  model: 'm',
  at: '2026-01-01',
  passed: false,
  score: 0,
  rounds: 4,
  steps: 3,
  silentWrong: false,
  overHalt: false,
  helped: false,
  completion: null,
  accuracy: null,
  film: null,
  ...more,
});

const ARENA: ArenaTable = {
  rows: [
    {
      name: 'minimal+high m',
      rankings: 4,
      meanRank: 1.875,
      meanRankBounds: null,
      strength: 1,
      strengthBounds: null,
    },
  ],
  rankings: 4,
  people: 4,
  agreement: null,
};
const titled = (runs: readonly TableRun[], arena: ArenaTable | null, part: string) =>
  runTables(runs, arena).find(({ title }) => title.includes(part))?.rows;

test('table 6 has a row an agent and its settings, with success, its interval and the arena’s rank', () => {
  const runs = [
    run(),
    run({ agent: 'minimal+high', passed: true, score: 1 }),
    run({ agent: 'minimal+high', score: 0.5, at: '2026-01-02' }),
    run({ agent: 'minimal+high,mid', passed: true, score: 1, helped: true }),
    run({ agent: 'human', model: 'Ada', passed: true, score: 1 }),
  ];
  expect(titled(runs, ARENA, 'table 6')?.slice(1)).toEqual([
    ['human', 'Orig. query', '1', '1', '100.0 (20.7 – 100.0)', '100.0', '1.00', '–'],
    ['minimal m', 'Orig. query', '1', '1', '0.0 (0.0 – 79.3)', '0.0', '0.00', '–'],
    ['minimal+high m', 'w. GT High Plan.', '1', '2', '50.0 (9.5 – 90.5)', '100.0', '0.75', '1.88'],
    // A person took it over: no success of the model.
    ['minimal+high,mid m', 'w. GT High & Mid Plan.', '1', '1', '0.0 (0.0 – 79.3)', '0.0', '1.00', '–'],
  ]);
  const shown = ['direct+shots1', 'minimal+high,mid,shots2'].map((agent) => run({ agent }));
  expect(
    titled(shown, null, 'table 6')
      ?.slice(1)
      .map(([, setting]) => setting),
  ).toEqual(['w. 1 demonstration', 'w. GT High & Mid Plan. w. 2 demonstrations']);
  expect(titled(runs, null, 'table 6')?.[3]?.at(-1)).toBe('–');
  expect(titled(runs, null, 'table 7')).toBeUndefined();
});

test('table 7 is of simple tasks, with the rounds', () => {
  const runs = [run({ kind: 'simple', rounds: 5 }), run({ kind: 'simple', task: 'PPT_2', rounds: 6, passed: true })];
  expect(titled(runs, null, 'table 7')?.slice(1)).toEqual([
    ['minimal m', 'Orig. query', '2', '2', '50.0 (9.5 – 90.5)', '50.0', '5.5'],
  ]);
  expect(titled(runs, null, 'table 6')).toBeUndefined();
});

test('success, completion, decision accuracy and steps; what is not known is in no mean', () => {
  const runs = [
    run({ completion: 0.5, accuracy: 0.25, steps: 2, silentWrong: true }),
    run({ completion: 1, accuracy: null, steps: 4, passed: true, overHalt: true }),
  ];
  expect(titled(runs, null, '4.1.2')?.slice(1)).toEqual([
    ['minimal m', '2', '50.0 (9.5 – 90.5)', '75.0', '25.0', '3.0', '1', '1'],
  ]);
});

test('runs that followed a film are apart by whose it is, the window and reflection', () => {
  const film = { isOfItsTask: true, reflects: true, window: 4 };
  const runs = [
    run({ agent: 'video-guided', film, passed: true }),
    run({ agent: 'video-guided', film: { ...film, reflects: false } }),
    run({ agent: 'video-guided', film: { ...film, isOfItsTask: false } }),
    run(),
  ];
  expect(
    titled(runs, null, 'deep reflection')
      ?.slice(1)
      .map((row) => row.slice(0, 5)),
  ).toEqual([
    ['video-guided m', 'aligned', 'no', '4', '1'],
    ['video-guided m', 'aligned', 'yes', '4', '1'],
    ['video-guided m', 'misaligned', 'yes', '4', '1'],
  ]);
  expect(titled([run()], null, 'deep reflection')).toBeUndefined();
});

test('Pass@k looks at the first k attempts of each task, the oldest first', () => {
  const attempts = [0, 1, 2].map((n) => ({ task: 'T', at: `2026-01-0${3 - n}`, passed: n === 0, helped: false }));
  expect([1, 2, 3].map((k) => passAt(attempts, k))).toEqual([0, 0, 1]);
  expect(passAt([...attempts, { task: 'U', at: '2026-01-01', passed: true, helped: false }], 1)).toBe(0.5);
  expect(passAt([], 4)).toBeNull();
});
