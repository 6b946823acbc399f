import { describe, expect, test } from 'vitest';
import type { Action } from '../../../schemas/actions.ts';
import { actionFrom } from '../../keyframes/example-for-tests.ts';
import { type ExportAction, type ExportTask, type PictureRef, picturePositions } from '../model.ts';
import { emptyTask } from '../task-for-tests.ts';
import { extension, projectVideogui } from './rows.ts';

const STILL: PictureRef = { path: '/stills/1.PNG', width: 100, height: 50, origin: { x: 1000, y: 0 } };
const place = (x: number, y: number) => ({ x, y, display: 2, t: 0 });

function exported(rank: number, more: Partial<Action>, narration = `n${rank}`): ExportAction {
  const action = actionFrom(`a${rank}`, rank * 1000, rank * 1000, more);
  return {
    id: action.id,
    rank,
    recording: 'r1',
    action,
    narration,
    element: null,
    beforeImage: STILL,
    afterImage: null,
    positions: picturePositions(action, STILL),
    thought: null,
    actionThought: null,
    observation: null,
  };
}

function taskOf(id: string, actions: ExportAction[]): ExportTask {
  return emptyTask({
    id,
    visualQuery: { start: null, end: { path: '/v/effect.mp4' } },
    subtasks: [{ id: 1, query: 'q', startImage: STILL, endImage: STILL, actions }],
    resolution: { width: 100, height: 50 },
  });
}

const UNDIVIDED = {
  item: 'PPT_1',
  from: 'VideoGUI-High-Plan',
  reason: 'it was not divided: with one subtask it has no high-level plan',
};

describe('the rows of the three data sets', () => {
  test('positions are pixels of the picture, not of the virtual desktop', () => {
    const click = exported(1, { start: place(1099, 49), end: place(1099, 49) });
    const [action] = projectVideogui([taskOf('PPT_1', [click])]).action;
    expect(action!.row).toMatchObject({ start_position: [99, 49], end_position: null, action_type: 'LeftClick' });
    expect(action!.row.screenshot_start).toEqual({ picture: STILL, name: 'PPT_1_1_1_before.png' });
  });

  test('keys have no position, so the pointer may lie outside of the picture', () => {
    const press = exported(1, { kind: 'press', keys: ['Enter'], start: place(0, 0), end: place(0, 0) });
    const { action, leftOut } = projectVideogui([taskOf('PPT_1', [press])]);
    expect(action[0]!.row).toMatchObject({ action_type: 'Type/Press', start_position: null });
    expect(leftOut).toEqual([UNDIVIDED]);
  });

  test('keys that were used before anybody knew the pointer are exported like others', () => {
    const nowhere = { x: null, y: null, display: null, t: 0 };
    const press = exported(1, { kind: 'press', keys: ['Enter'], start: nowhere, end: nowhere });
    const { action, leftOut } = projectVideogui([taskOf('PPT_1', [press])]);
    expect(action[0]!.row).toMatchObject({ action_type: 'Type/Press', start_position: null });
    expect(leftOut).toEqual([UNDIVIDED]);
  });

  test('a wheel turned with a key held is no scroll, and stays where every kind does', () => {
    const scroll = { dx: 0, dy: -3, unit: 'notch' as const, natural: false };
    const zoom = exported(1, {
      kind: 'scroll',
      modifiers: ['ctrl'],
      scroll,
      start: place(1005, 5),
      end: place(1005, 5),
    });
    const { action, leftOut } = projectVideogui([taskOf('PPT_1', [zoom])]);
    expect(action).toEqual([]);
    expect(leftOut.map(({ from, reason }) => [from, reason])).toEqual([
      [UNDIVIDED.from, UNDIVIDED.reason],
      ['VideoGUI-Action', 'a wheel turned with ctrl held is no scroll'],
    ]);
    expect(projectVideogui([taskOf('PPT_1', [zoom])], { everyKind: true }).action).toHaveLength(1);
  });

  test('tasks come by id and steps by rank, whatever their order in the list', () => {
    const steps = [exported(2, { kind: 'type', text: 'b' }), exported(1, { kind: 'type', text: 'a' })];
    const { action, midPlan } = projectVideogui([taskOf('PPT_15', steps), taskOf('PPT_2', [])]);
    expect(midPlan.map(({ row }) => row.task_id)).toEqual(['PPT_2', 'PPT_15']);
    expect(action.map(({ row }) => row.action_id)).toEqual([1, 2]);
    expect(midPlan[1]!.row.action_sequence).toBe('1. n1\n2. n2');
  });

  test('a plan keeps ranks over a gap, names a hover and no wait, and each step is one line', () => {
    const steps = [
      exported(1, { kind: 'type', text: 'a' }, 'Type\r\n  it\u2028'),
      exported(3, { kind: 'hover' }, 'Hover over the menu'),
      exported(4, { kind: 'wait' }, 'Wait for 2 s'),
    ];
    const { midPlan } = projectVideogui([taskOf('PPT_1', steps)]);
    expect(midPlan[0]!.row.action_sequence).toBe('1. Type it\n3. Hover over the menu');
  });

  test('what lacks its pictures is left out with the reason, each from its own data set', () => {
    const task = taskOf('PPT_1', [{ ...exported(1, { kind: 'type', text: 'a' }), beforeImage: null, positions: null }]);
    task.subtasks[0]!.endImage = null;
    task.visualQuery.end = null;
    expect(projectVideogui([task])).toEqual({
      highPlan: [],
      midPlan: [],
      action: [],
      leftOut: [
        UNDIVIDED,
        { item: 'PPT_1/1', from: 'VideoGUI-Mid-Plan', reason: 'the subtask has no start or no end picture' },
        { item: 'PPT_1/1/1', from: 'VideoGUI-Action', reason: 'there is no picture of the screen before it' },
      ],
    });
  });

  test('a subtask without a title has no row in Mid-Plan, and its task none in High-Plan; its steps go out (P5)', () => {
    const task = taskOf('PPT_1', [exported(1, { kind: 'type', text: 'a' })]);
    task.subtasks.push({ ...task.subtasks[0]!, id: 2, query: ' \n' });
    const { highPlan, midPlan, action, leftOut } = projectVideogui([task]);
    expect([highPlan.length, midPlan.map(({ row }) => row.subtask_id), action.length]).toEqual([0, [1], 2]);
    expect(leftOut).toEqual([
      { item: 'PPT_1', from: 'VideoGUI-High-Plan', reason: 'nobody gave a title to its subtasks 2' },
      { item: 'PPT_1/2', from: 'VideoGUI-Mid-Plan', reason: 'nobody gave the subtask a title' },
    ]);
  });

  test('the visual query keeps its kind of file; a start may be absent (K3)', () => {
    const task = taskOf('PPT_1', []);
    task.subtasks.push({ ...task.subtasks[0]!, id: 2, query: 'r' });
    const [high] = projectVideogui([task]).highPlan;
    expect(high!.row).toMatchObject({ visual_start: null, visual_end: 'end.mp4', subtask_sequence: ['q', 'r'] });
    task.visualQuery.end = null;
    expect(projectVideogui([task]).leftOut).toEqual([{ ...UNDIVIDED, reason: 'the visual query has no end' }]);
    expect([extension('a/b.JPG'), extension('a.b/c')]).toEqual(['.jpg', '']);
  });
});
