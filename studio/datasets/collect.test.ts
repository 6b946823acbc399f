import { describe, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex, type Recording } from '../../schemas/recording.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sampleRecording, setStateForTests, writeSample } from '../store/recording-for-tests.ts';
import { ensureTask } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { collected } from './export/export-for-tests.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

const click = (t: number, x: number): RawEvent[] => [
  { type: 'down', t, x, y: 50, button: 'left' },
  { type: 'up', t: t + 50_000, x, y: 50, button: 'left' },
];
const mark = (t: number): RawEvent => ({ type: 'mark', t, kind: 'subtask' });

const add = (changes: Partial<Recording>, events: RawEvent[]): string =>
  writeSample(workspace.recordingsDir, sampleRecording(changes), events);

const startedAt = (time: string) => ({ clock: { ...sampleRecording().clock, startedAt: time } });

const collectAll = () => collected(workspace, { all: true });

describe('what a workspace has to export', () => {
  test('a recording without marks is one subtask with the goal as its description', async () => {
    add({}, [...click(1e6, 10), ...click(4e6, 500)]);
    const { tasks, leftOut } = await collectAll();
    expect(leftOut).toEqual([]);
    expect(tasks).toMatchObject([
      {
        id: 'GIMP_1',
        app: { id: 'gimp', name: 'GIMP', prefix: 'GIMP' },
        goal: 'Crop the picture',
        recordings: [{ id: '3f2a9c1e', startedAt: '2026-05-04T10:20:30.456Z', video: null }],
        state: 'recorded',
        resolution: { width: 1280, height: 720 },
        durationUs: 10_000_000,
        subtasks: [
          {
            id: 1,
            query: 'Crop the picture',
            actions: [
              { rank: 1, narration: 'Click at (10, 50)', recording: '3f2a9c1e' },
              { rank: 2, narration: 'Click at (500, 50)' },
            ],
          },
        ],
      },
    ]);
  });

  test('marks end subtasks: an action lies in the part whose mark comes first after its start', async () => {
    add({}, [...click(1e6, 10), ...click(2e6, 300), mark(3e6), mark(3.5e6), ...click(4e6, 500), mark(5e6)]);
    const { tasks } = await collectAll();
    expect(tasks[0]?.subtasks.map(({ id, query, actions }) => [id, query, actions.length])).toEqual([
      [1, '', 2],
      [2, '', 1],
    ]);
    expect(tasks[0]?.subtasks.map(({ actions }) => actions.map(({ rank }) => rank))).toEqual([[1, 2], [1]]);
  });

  test('pictures come from the keyframes; positions and narrations are in their frame', async () => {
    add({}, click(1e6, 110));
    const actionId = (await collectAll()).tasks[0]!.subtasks[0]!.actions[0]!.id;
    const still = (role: 'before' | 'after', t: number) =>
      ({
        action: actionId,
        role,
        frame: 1,
        t,
        file: `${t}.png`,
        width: 640,
        height: 360,
        origin: { x: 100, y: 20 },
      }) as const;
    const index: KeyframeIndex = {
      schema: 'trajectory-studio/keyframes',
      version: 1,
      recording: '3f2a9c1e',
      actionRulesVersion: 1,
      keyframeRulesVersion: KEYFRAME_RULES_VERSION,
      keyframes: [still('before', 900_000), still('after', 1_200_000)],
    };
    const { tasks } = await collected(workspace, { all: true, keyframes: async () => index });
    const task = tasks[0]!;
    const exported = task.subtasks[0]!.actions[0]!;
    expect(exported.beforeImage?.path).toMatch(/3f2a9c1e.keyframes.900000\.png$/);
    expect(exported.positions).toEqual({ start: [10, 30], end: [10, 30] });
    expect(exported.narration).toBe('Click at (10, 30)');
    expect(task.visualQuery.end?.path).toMatch(/1200000\.png$/);
    expect(task.subtasks[0]!.startImage).toEqual(exported.beforeImage);
  });

  test('of two recordings of one task the newest goes out, and the other is reported', async () => {
    add({ id: 'old', ...startedAt('2026-01-01T00:00:00.000Z') }, click(1e6, 1));
    add({ id: 'new', ...startedAt('2026-02-01T00:00:00.000Z') }, click(1e6, 2));
    const { tasks, leftOut } = await collectAll();
    expect(tasks.map(({ recordings }) => recordings.map(({ id }) => id))).toEqual([['new']]);
    expect(leftOut).toEqual([
      { item: 'GIMP_1', from: 'recording old', reason: 'a newer recording of the same task goes out' },
    ]);
  });

  test('only what is approved goes out, an older recording too when it is the one', async () => {
    add({ id: 'old', ...startedAt('2026-01-01T00:00:00.000Z') }, click(1e6, 1));
    add({ id: 'new', ...startedAt('2026-02-01T00:00:00.000Z') }, click(1e6, 2));
    await workspace.syncIndex();
    await setStateForTests(workspace, 'old', 'approved');
    const { tasks, leftOut } = await collected(workspace, { all: false });
    expect(tasks).toMatchObject([{ state: 'approved', recordings: [{ id: 'old' }] }]);
    expect(leftOut).toEqual([{ item: 'GIMP_1', from: 'recording new', reason: 'in state "recorded"' }]);
  });

  test('a task with nothing approved comes without subtasks and with its state, for the exporter to say why', async () => {
    add({}, click(1e6, 1));
    const { tasks } = await collected(workspace, { all: false });
    expect(tasks).toMatchObject([{ id: 'GIMP_1', state: 'recorded', subtasks: [] }]);
  });

  test('a task that nobody has recorded is told, unless a filter chooses recordings', async () => {
    add({}, click(1e6, 10));
    await workspace.syncIndex();
    const [software] = await workspace.listSoftware();
    await workspace.store.transaction((trx) =>
      ensureTask(trx, { id: `${software!.prefix}_77`, software: software!, goal: 'Later' }),
    );
    const idle = { item: `${software!.prefix}_77`, from: '*', reason: 'it has no recording' };
    expect((await collectAll()).leftOut).toEqual([idle]);
    expect((await collected(workspace, { all: true, only: new Set(['3f2a9c1e']) })).leftOut).toEqual([]);
  });

  test('a damaged recording and one that was not closed never go out', async () => {
    add({ id: 'a', verdict: { kind: 'damaged', missing: ['all'], endedBy: 'killed' } }, click(1e6, 1));
    add({ id: 'b', state: 'recording', span: null, verdict: null }, click(1e6, 1));
    const { tasks, leftOut } = await collectAll();
    expect(tasks).toEqual([]);
    expect(leftOut.map(({ from, reason }) => [from, reason])).toEqual([
      ['recording a', 'its verdict is "damaged"'],
      ['recording b', 'it was not closed: run `recover`'],
    ]);
  });
});
