import { describe, expect, test } from 'vitest';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import { applyChanges, type Records } from './document.ts';
import { confirm, flag, moveKeyframe, nameElement, removeSteps, setField, setNarration } from './edit.ts';
import { begun } from './gestures-for-tests.ts';
import { stepFrom, stepsFrom } from './steps-for-tests.ts';
import { viewDocument } from './view.ts';

const steps = stepsFrom(3);
const start = begun(steps);

test('a drag says its quadruple', () => {
  const drag = [stepFrom('d', 1, { kind: 'drag', start: [10, 20, 1], end: [300, 40, 2] })];
  let records: Records = begun(drag);
  expect(viewDocument(drag, records).steps[0]!.narration).toBe('Drag from (10, 20) to (300, 40)');
  const say = (changes: ReturnType<typeof setField>) => {
    records = applyChanges(records, changes);
    return viewDocument(drag, records).steps[0]!.narration;
  };
  expect(say(nameElement(records, 'd', 'clip', 'hand'))).toBe('Drag the clip from original position to (300, 40)');
  say(setField(records, 'd', 'startName', 'media pool'));
  say(setField(records, 'd', 'endName', 'timeline'));
  expect(say(setField(records, 'd', 'purpose', 'add it to the video'))).toBe(
    'Drag the clip from media pool to timeline to add it to the video',
  );
});

describe('a narration', () => {
  test('that was overwritten says so and keeps what it would be', () => {
    const named = applyChanges(start, nameElement(start, 's0', 'Insert tab', 'hand'));
    const view = viewDocument(steps, applyChanges(named, setNarration(named, 's0', 'Open the Insert tab'))).steps[0]!;
    expect([view.narration, view.narrationMade, view.overwritten]).toEqual([
      'Open the Insert tab',
      'Click on the Insert tab',
      true,
    ]);
  });

  test('says positions in the frame of the picture', () => {
    const geometry: Pick<OpenedRecording, 'frames' | 'views'> = {
      frames: [
        [0, 0, 0],
        [1, 1, 0],
      ],
      views: [{ t: 0, segment: 0, rect: { x: 4, y: 5, width: 100, height: 100 } }],
    };
    expect(viewDocument(steps.slice(0, 1), start, geometry).steps[0]!.narration).toBe('Click at (6, 15)');
  });
});

test('states: removed goes before flagged, flagged before done', () => {
  let records = start;
  const states = () => viewDocument(steps, records).steps.map(({ state }) => state);
  const does = (changes: ReturnType<typeof setField>) => {
    records = applyChanges(records, changes);
  };
  for (const id of ['s0', 's1', 's2']) does(confirm(records, id, true));
  does(flag(records, 's1', true));
  does(flag(records, 's2', true));
  does(removeSteps(records, ['s2'], 'mistake', ''));
  expect(states()).toEqual(['done', 'flagged', 'removed']);
  expect(viewDocument(steps, records)).toMatchObject({ left: 1, done: 1 });
});

test('a moved keyframe is shown where its frame lies, also when frames before it were lost (K5)', () => {
  const frames: [number, number, number][] = [
    [0, 0, 0],
    [1, 10, 0],
    [7, 70, 1],
  ];
  const moved = applyChanges(start, moveKeyframe(start, 's1', 'before', { frame: 7, t: 70 }));
  expect(viewDocument(steps, moved, { frames }).steps.map(({ before }) => before)).toEqual([0, 2, 4]);
  const gone = applyChanges(start, moveKeyframe(start, 's1', 'before', { frame: 5, t: 50 }));
  expect(viewDocument(steps, gone, { frames }).steps[1]!.before).toBe(2);
});

test('steps of which nothing changed are the same objects, so that a page draws only what did', () => {
  const before = viewDocument(steps, start).steps;
  const after = viewDocument(steps, applyChanges(start, flag(start, 's1', true))).steps;
  expect(after.map((view, at) => view === before[at])).toEqual([true, false, true]);
});

test('a document without subtasks is shown all the same', () => {
  const view = viewDocument(steps, new Map());
  expect(view.steps.map(({ rank, subtask }) => [rank, subtask])).toEqual([
    [1, -1],
    [2, -1],
    [3, -1],
  ]);
});
