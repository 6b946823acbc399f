import { expect, test } from 'vitest';
import type { Action } from '../../schemas/actions.ts';
import { actionFrom } from '../keyframes/example-for-tests.ts';
import type { ExportTask } from './model.ts';
import { countStatistics } from './statistics.ts';
import { taskWith } from './tasks-for-tests.ts';

const exported = (rank: number, action: Action) => ({
  id: action.id,
  rank,
  recording: 'r1',
  action,
  narration: '',
  element: null,
  beforeImage: null,
  afterImage: null,
  positions: null,
  thought: null,
  actionThought: null,
  observation: null,
});

const exportStatistics = (tasks: readonly ExportTask[]) => {
  const counter = countStatistics();
  for (const each of tasks) counter.add(each);
  return counter.result();
};

function task(id: string, app: string, seconds: number, subtasks: Action[][]): ExportTask {
  return {
    id,
    app: { id: app, name: app, prefix: app },
    goal: '',
    recordings: [],
    state: 'approved',
    visualQuery: { start: null, end: null },
    subtasks: subtasks.map((actions, index) => ({
      id: index + 1,
      query: '',
      startImage: null,
      endImage: null,
      actions: actions.map((action, place) => exported(place + 1, action)),
    })),
    answer: null,
    platform: 'linux',
    source: null,
    resolution: { width: 1920, height: 1080 },
    durationUs: seconds * 1e6,
  };
}

/** Nobody said what it is for; the system is the one that was recorded. */
const TABLE_9 = { category: '', platforms: ['Linux'] };

test('the figures of the paper: by software, kind, resolution, and their spread', () => {
  const a = [actionFrom('1', 1000, 1500), actionFrom('2', 4000, 6000)];
  const b = [actionFrom('3', 8000, 9000, { kind: 'scroll' })];
  const statistics = exportStatistics([
    task('P_1', 'P', 20, [a, b]),
    task('P_2', 'P', 10, [b]),
    task('A_1', 'A', 30, [a]),
  ]);
  expect(statistics).toMatchObject({ tasks: 3, subtasks: 4, actions: 6 });
  expect(statistics.software).toEqual([
    {
      name: 'P',
      ...TABLE_9,
      tasks: 2,
      fullTasks: 2,
      actionsPerFullTask: 2,
      subtasks: 3,
      actions: 4,
      actionsPerTask: 2,
      actionsPerSubtask: 4 / 3,
    },
    {
      name: 'A',
      ...TABLE_9,
      tasks: 1,
      fullTasks: 1,
      actionsPerFullTask: 2,
      subtasks: 1,
      actions: 2,
      actionsPerTask: 2,
      actionsPerSubtask: 2,
    },
  ]);
  expect(statistics.kinds).toEqual([
    { name: 'LeftClick', count: 4, share: 4 / 6 },
    { name: 'Scroll', count: 2, share: 2 / 6 },
  ]);
  expect(statistics.resolutions).toEqual([{ name: '1920 x 1080', count: 3 }]);
  expect(statistics.actionsPerTask).toEqual({ n: 3, min: 1, median: 2, mean: 2, max: 3 });
  expect(statistics.secondsPerTask).toEqual({ n: 3, min: 10, median: 20, mean: 20, max: 30 });
  // a runs from 1 s to 6 s, b from 8 s to 9 s.
  expect(statistics.secondsPerSubtask).toEqual({ n: 4, min: 1, median: 3, mean: 3, max: 5 });
});

test('nothing has no spread', () => {
  expect(exportStatistics([])).toMatchObject({ tasks: 0, software: [], kinds: [], actionsPerTask: null });
});

test('table 9: simple tasks are told apart, and a software has its platforms and category', () => {
  const counter = countStatistics();
  const task = taskWith([[{}, {}]]);
  const app = { ...task.app, category: 'Media creation' };
  counter.add({ ...task, app, source: 'https://example.org/v' });
  counter.add({ ...task, id: 'PPT_2', app, kind: 'simple', platformWords: 'Web' });
  const { software, fullTasks, sources, actionsPerFullTask } = counter.result();
  expect(software).toMatchObject([
    { category: 'Media creation', platforms: ['Linux', 'Web'], tasks: 2, fullTasks: 1, actionsPerFullTask: 2 },
  ]);
  expect([fullTasks, actionsPerFullTask?.n, sources]).toEqual([
    1,
    1,
    [{ task: 'PPT_1', source: 'https://example.org/v' }],
  ]);
});

test('a rest and a wait are no actions of the paper, and count as none', () => {
  const actions = (['click', 'hover', 'wait', 'click'] as const).map((kind, n) => actionFrom(`a${n}`, n, n, { kind }));
  const figures = exportStatistics([task('GIMP_1', 'gimp', 10, [actions])]);
  expect(figures).toMatchObject({ actions: 2, actionsPerSubtask: { max: 2 }, software: [{ actions: 2 }] });
  expect(figures.kinds.map(({ name }) => name)).toEqual(['LeftClick']);
});
