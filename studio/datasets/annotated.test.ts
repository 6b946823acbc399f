import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Records, toRecords } from '../../core/annotate/document.ts';
import {
  mergeSubtask,
  moveKeyframe,
  nameElement,
  removeSteps,
  setBox,
  setField,
  setGoal,
  setNarration,
  setReasoning,
  setTitle,
  splitSubtask,
} from '../../core/annotate/edit.ts';
import type { Change } from '../../schemas/annotation.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { KEYFRAME_RULES_VERSION, type KeyframeIndex } from '../../schemas/recording.ts';
import type { Documents } from '../documents/documents.ts';
import { freshDocuments } from '../documents/fresh-for-tests.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { collected } from './export/export-for-tests.ts';

let workspace: Workspace;
let documents: Documents;
let folder: string;

const ID = '3f2a9c1e';
const ORIGIN = { x: 100, y: 20 };
const VIEW = { ...ORIGIN, width: 640, height: 360 };

const click = (t: number, x: number): RawEvent[] => [
  { type: 'down', t, x, y: 50, button: 'left' },
  { type: 'up', t: t + 50_000, x, y: 50, button: 'left' },
];
const key = (t: number, code: string): RawEvent[] => [
  { type: 'keydown', t, code },
  { type: 'keyup', t: t + 20_000, code },
];

freshDocuments((...made) => {
  [workspace, documents] = made;
});
/** Three clicks, a mark after the second, then a typed "ab"; a frame every second. */
beforeEach(() => {
  folder = writeSample(workspace.recordingsDir, sampleRecording(), [
    { type: 'view', t: 0, view: VIEW, segment: 0 },
    ...click(1.5e6, 110),
    ...click(3.5e6, 300),
    { type: 'mark', t: 4e6, kind: 'subtask' },
    ...click(5.5e6, 400),
    ...key(7.5e6, 'KeyA'),
    ...key(7.6e6, 'KeyB'),
  ]);
  const frames = Array.from({ length: 10 }, (_, i) => ({ i, pts: i * 1000, t: i * 1e6, changed: 100_000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
});

const stepIds = async () => (await documents.openRecording(ID)).steps.map(({ id }) => id);
async function does(...gestures: ((records: Records) => Change[])[]): Promise<void> {
  for (const make of gestures) {
    const changes = make(toRecords((await documents.get(ID)).records));
    await documents.apply(ID, { id: randomUUID(), label: 'A gesture', changes }, 'me');
  }
}
const collect = async (keyframes: KeyframeIndex | null = null) => {
  const { tasks, leftOut } = await collected(workspace, { all: true, keyframes: async () => keyframes });
  return { task: tasks[0]!, leftOut };
};
const sentences = (task: Awaited<ReturnType<typeof collect>>['task']) =>
  task.subtasks.map(({ id, query, actions }) => [
    id,
    query,
    actions.map(({ rank, narration }) => `${rank} ${narration}`),
  ]);

/** Stills of each step: `before` the frame at the second of its press. */
async function stills(): Promise<KeyframeIndex> {
  const { steps, frames } = await documents.openRecording(ID);
  const keyframes = steps.flatMap(({ id, before, after }) =>
    [['before', before] as const, ['after', after] as const].map(([role, at]) => {
      const [frame, t] = frames[at]!;
      return { action: id, role, frame, t, file: `${t}.png`, width: 640, height: 360, origin: ORIGIN };
    }),
  );
  return {
    schema: 'trajectory-studio/keyframes',
    version: 1,
    recording: ID,
    actionRulesVersion: 1,
    keyframeRulesVersion: KEYFRAME_RULES_VERSION,
    keyframes,
  };
}

describe('an annotated recording goes out', () => {
  test('as unannotated ones do while nobody has said anything', async () => {
    const before = await collect(await stills());
    await documents.get(ID);
    expect(await collect(await stills())).toEqual(before);
  });

  test('with its goal, its subtasks and their titles', async () => {
    const { steps } = await documents.openRecording(ID);
    await does(
      (now) => setGoal(now, 'Crop it well'),
      (now) => setTitle(now, `subtask:${steps[0]!.id}`, 'Select the area'),
      (now) => splitSubtask(now, steps, steps[3]!.id, 'new', ''),
    );
    const { task } = await collect();
    expect(task.goal).toBe('Crop it well');
    expect(task.subtasks.map(({ id, query, actions }) => [id, query, actions.length])).toEqual([
      [1, 'Select the area', 2],
      // Nobody gave these a title, and none is made up.
      [2, '', 1],
      [3, '', 1],
    ]);
    await does((now) => mergeSubtask(now, steps, 'new'));
    expect((await collect()).task.subtasks.map(({ actions }) => actions.length)).toEqual([2, 2]);
  });

  test('with names, boxes, narrations and corrected text; what was pressed stays', async () => {
    const [first, second, , typed] = await stepIds();
    const box = { x: 4, y: 5, width: 60, height: 20 };
    await does(
      (now) => nameElement(now, first!, 'Crop tool', 'hand'),
      (now) => setBox(now, first!, 'target', box, 'edges', 0.9),
      (now) => setNarration(now, second!, 'Take the corner'),
      (now) => setField(now, typed!, 'text', 'abc'),
    );
    const { task } = await collect(await stills());
    const actions = task.subtasks.flatMap(({ actions }) => actions);
    expect(actions.map(({ narration }) => narration)).toEqual([
      'Click on the Crop tool',
      'Take the corner',
      'Click at (300, 30)',
      "Type 'abc'",
    ]);
    expect(actions.map(({ element }) => element)).toEqual([{ name: 'Crop tool', box }, null, null, null]);
    expect([actions[3]!.action.text, actions[3]!.action.keystrokes]).toEqual(['abc', ['a', 'b']]);
  });

  test('with what was written of why and what came of it, and nothing where nobody wrote', async () => {
    const [first, second] = await stepIds();
    await does(
      (now) => setReasoning(now, first!, 'thought', 'The picture is too wide.'),
      (now) => setReasoning(now, first!, 'actionThought', 'The tool is on the left.'),
      (now) => setReasoning(now, second!, 'observation', 'The corner is taken.'),
    );
    const { task } = await collect();
    const said = task.subtasks.flatMap(({ actions }) =>
      actions.map((each) => [each.thought, each.actionThought, each.observation]),
    );
    expect(said).toEqual([
      ['The picture is too wide.', 'The tool is on the left.', null],
      [null, null, 'The corner is taken.'],
      [null, null, null],
      [null, null, null],
    ]);
  });

  test('without removed steps: their places stay empty and are reported, the comment is not told', async () => {
    const [, second, third] = await stepIds();
    await does((now) => removeSteps(now, [second!, third!], 'private', 'my password'));
    const { task, leftOut } = await collect();
    expect(sentences(task)).toEqual([
      [1, '', ['1 Click at (110, 50)']],
      [2, '', ["2 Type 'ab'"]],
    ]);
    expect(leftOut).toEqual([
      { item: 'GIMP_1/1/2', from: '*', reason: 'removed: private content' },
      { item: 'GIMP_1/2/1', from: '*', reason: 'removed: private content' },
    ]);
  });

  test('a subtask of which everything was removed stays behind, the next keeps its number', async () => {
    const [first, second] = await stepIds();
    await does((now) => removeSteps(now, [first!, second!], 'mistake', ''));
    const { task, leftOut } = await collect(await stills());
    expect(task.subtasks.map(({ id }) => id)).toEqual([2]);
    expect(task.visualQuery.start).toEqual(task.subtasks[0]!.startImage);
    expect(leftOut.map(({ item, reason }) => [item, reason])).toEqual([
      ['GIMP_1/1/1', 'removed: a mistake'],
      ['GIMP_1/1/2', 'removed: a mistake'],
      ['GIMP_1/1', 'all its steps were removed'],
    ]);
  });

  test('with moved keyframes in the place of the chosen ones', async () => {
    const [first] = await stepIds();
    const index = await stills();
    mkdirSync(join(folder, 'keyframes'));
    const png = sharp({ create: { width: 640, height: 360, channels: 3, background: '#fff' } });
    await png.png().toFile(join(folder, 'keyframes', '9000000.png'));
    await does((now) => moveKeyframe(now, first!, 'before', { frame: 9, t: 9e6 }));
    const { task } = await collect(index);
    const [subtask] = task.subtasks;
    expect(subtask!.actions[0]!.beforeImage).toEqual({
      path: join(folder, 'keyframes', '9000000.png'),
      width: 640,
      height: 360,
      origin: ORIGIN,
    });
    expect(subtask!.startImage).toEqual(subtask!.actions[0]!.beforeImage);
    expect(subtask!.actions[0]!.afterImage?.path).not.toContain('9000000');
  });

  test('a box that lies in no picture of its step is told', async () => {
    const [first, second] = await stepIds();
    await does(
      (now) => setBox(now, first!, 'target', { x: 600, y: 300, width: 40, height: 60 }, 'hand', 1),
      (now) => setBox(now, second!, 'target', { x: 1, y: 2, width: 3, height: 4 }, 'hand', 1),
    );
    // Smaller pictures than those that were drawn on, as of another display.
    const index = await stills();
    for (const keyframe of index.keyframes)
      if (keyframe.action === first) Object.assign(keyframe, { width: 320, height: 180 });
    const { task, leftOut } = await collect(index);
    expect(task.subtasks[0]!.actions.map(({ element }) => element?.box ?? null)).toEqual([
      null,
      { x: 1, y: 2, width: 3, height: 4 },
    ]);
    const reason = 'its box (600, 300, 40, 60) does not lie in the picture of 320 x 180';
    expect(leftOut).toEqual([{ item: 'GIMP_1/1/1', from: 'box', reason }]);
  });

  test('a moved keyframe that can no longer be cut is told, and what to do', async () => {
    const [first] = await stepIds();
    const index = await stills();
    mkdirSync(join(folder, 'keyframes'));
    await does((now) => moveKeyframe(now, first!, 'before', { frame: 9, t: 9e6 }));
    await expect(collect(index)).rejects.toMatchObject({
      code: 'RECORDING_DAMAGED',
      message: expect.stringContaining('Put its video back, or move the keyframe back'),
    });
  });
});
