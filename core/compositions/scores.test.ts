import { describe, expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../schemas/composition-run.ts';
import { TABLE_3 } from './papers-for-tests.ts';
import { actorName, countedRuns, questionBuckets, runTable, runWords, scoreTables } from './scores.ts';

type Task = [outcome: 'passed' | 'failed' | 'blocked' | 'collapsed', steps?: number, questions?: number];
const result = (member: string, [outcome, steps = 0, questions = 0]: Task) => {
  const nothing = { instruction: null, recording: null, tookMs: 0, cost: null, answer: null, values: [], copy: null };
  return { member, outcome, why: '', level: 'base', score: outcome === 'passed' ? 1 : 0, steps, questions, ...nothing };
};
let count = 0;
const runOf = (composition: Composition, tasks: Task[], more: object = {}): CompositionRun =>
  compositionRunSchema.parse({
    schema: 'trajectory-studio/composition-run',
    version: 1,
    id: (++count).toString(16).padStart(12, '0'),
    at: new Date(count * 1000).toISOString(),
    composition,
    actor: { kind: 'player' },
    level: 'base',
    context: 'none',
    order: composition.members.map(({ id }) => id),
    kept: [],
    resumes: null,
    results: tasks.map((task, n) => result(composition.members[n]!.id, task)),
    begun: null,
    ended: { how: 'done', why: '' },
    ...more,
  });
const day = (size: number, id = 'day'): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id,
    kind: 'scenario',
    title: 'Day',
    members: Array.from({ length: size }, (_, n) => ({ id: `m${n}`, instructions: { base: 'Do it' } })),
  });

describe('CP21: scores', () => {
  test('AS is total steps over all tasks, as table 6 has it: 989 over 70 is 14.13, also with blocked ones', () => {
    const tasks = Array.from({ length: 70 }, (_, n): Task => (n === 0 ? ['passed', 989] : ['blocked']));
    const [scenarios] = scoreTables([runOf(day(70), tasks)]);
    expect(scenarios?.rows[1]).toEqual(['player', 'base', '1', '70', '1.4', '14.13', '0.014', '989', '69']);
  });

  test('who shows a day to be recorded is a row of their own, beside the player who performs that', () => {
    const person = { kind: 'person', name: 'Mira' };
    const [scenarios] = scoreTables([
      runOf(day(1), [['passed', 4]], { version: 2, actor: person }),
      runOf(day(1), [['failed', 2]]),
    ]);
    expect(scenarios?.rows.slice(1).map(([actor, , runs, , sr]) => [actor, runs, sr])).toEqual([
      ['human Mira', '1', '100.0'],
      ['player', '1', '0.0'],
    ]);
  });

  test('SR and CAS: two questions about a task that succeeded leave half of it (D.2)', () => {
    const [scenarios] = scoreTables([
      runOf(
        day(2),
        [
          ['passed', 4, 2],
          ['failed', 2],
        ],
        { level: 'L2' },
      ),
    ]);
    expect(scenarios?.rows[1]).toEqual(['player', 'L2', '1', '2', '50.0', '3.00', '0.250', '6', '0']);
  });

  test('table 7: success by scenario and level, and the mean of the scenarios', () => {
    const runs = [runOf(day(1, 'a'), [['passed']]), runOf(day(3, 'b'), [['passed'], ['failed'], ['failed']])];
    expect(scoreTables(runs)[1]?.rows).toEqual([
      ['Scenario', 'player base', 'player L0', 'player L1', 'player L2'],
      ['a', '100.0', '–', '–', '–'],
      ['b', '33.3', '–', '–', '–'],
      ['Mean', '66.7', '–', '–', '–'],
    ]);
  });

  test('table 8, from its 51 tasks: all that it prints but the last CAS, which no number of questions above two gives', () => {
    const tasks = (all: number, passed: number, questions: number) =>
      Array.from({ length: all }, (_, n) => ({
        outcome: n < passed ? ('passed' as const) : ('failed' as const),
        questions,
      }));
    const table = questionBuckets([...tasks(15, 1, 0), ...tasks(21, 11, 1), ...tasks(7, 1, 2), ...tasks(8, 1, 3)]);
    expect(table.rows.slice(1)).toEqual([
      ['0', '15', '6.67', '0.067'],
      ['1', '21', '52.38', '0.349'],
      ['2', '7', '14.29', '0.071'],
      // The paper has 0.057, and its formula 1 / (1 + 3 / 2) / 8 at the most.
      ['3 and more', '8', '12.50', '0.050'],
    ]);
  });

  test('pathways: P@1 of the first attempt, P@4 of any; WPSR, MATCR and p-ATSR of all; the paths that collapsed', () => {
    const runs = [
      runOf(TABLE_3, [
        ['passed', 3],
        ['failed', 2],
      ]),
      runOf(TABLE_3, [
        ['passed', 3],
        ['passed', 4],
      ]),
    ];
    expect(scoreTables(runs)).toEqual([
      {
        title: 'NaturalGAIA, table 1: pathways',
        rows: [
          ['Actor', 'Pathways', 'Runs', 'P@1', 'P@4', 'WPSR', 'MATCR', 'pATSR', 'Collapsed'],
          // MATCR (1/2 + 1) / 2; p-ATSR with p(i) = i: (1/3 + 1) / 2.
          ['player', '1', '2', '0.0', '100.0', '50.0', '75.0', '66.7', '1'],
        ],
      },
    ]);
  });

  test('a run that another goes on with counts in that one alone', () => {
    const first = runOf(TABLE_3, [['passed'], ['failed']]);
    const second = runOf(TABLE_3, [['passed'], ['passed']], { resumes: { run: first.id, from: 'era' } });
    expect(countedRuns([first, second])).toEqual([second]);
  });
});

test('a run as a table and in a line: where its path collapsed, how it ended', () => {
  const run = runOf(TABLE_3, [['failed', 2], ['collapsed']]);
  expect(runWords(run)).toBe('0 of 2 succeeded, the path collapsed at “movie”');
  expect(runWords({ ...run, results: [], ended: null })).toBe('0 of 2 succeeded, broken off');
  const ended = { how: 'broke' as const, why: 'the disk is full' };
  expect(runWords(runOf(day(2), [['failed'], ['blocked']], { ended }))).toBe(
    '0 of 2 succeeded, 1 blocked, broke off: the disk is full',
  );
  expect(runTable({ ...run, results: run.results.slice(0, 1) }).rows.map((row) => row.slice(0, 3))).toEqual([
    ['', 'TASK', 'OUTCOME'],
    ['1', 'movie', 'failed'],
    ['2', 'era', 'not done'],
  ]);
  const actor = { kind: 'agent', agent: 'direct', model: 'm', endpoint: 'http://127.0.0.1' } as const;
  expect(actorName({ actor, context: 'pack' })).toBe('direct m + context');
});
