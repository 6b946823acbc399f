import { describe, expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import { applyChanges, type Records } from './document.ts';
import {
  confirm,
  copyRecords,
  mergeSubtask,
  moveEdge,
  nameElement,
  removeSteps,
  restoreSteps,
  setBox,
  setField,
  setNarration,
  setReasoning,
  splitSubtask,
  takeProposal,
} from './edit.ts';
import { begun } from './gestures-for-tests.ts';
import { initialRecords } from './initial.ts';
import { stepsFrom } from './steps-for-tests.ts';
import { subtaskSpans } from './subtasks.ts';
import { viewDocument } from './view.ts';

const steps = stepsFrom(6);
const start = begun(steps, [3_500_000]);
const played = (records: Records, ...gestures: ((now: Records) => Change[])[]): Records =>
  gestures.reduce((now, make) => applyChanges(now, make(now)), records);
const edges = (records: Records) => subtaskSpans(steps, records).map(({ from, to }) => [from, to]);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return error.code;
    throw error;
  }
  return 'nothing was thrown';
};

describe('a document begins (N6)', () => {
  test('with one subtask, and one more from the first action after each mark', () => {
    expect(edges(start)).toEqual([
      [0, 3],
      [3, 6],
    ]);
    expect(edges(begun(steps))).toEqual([[0, 6]]);
  });

  test('an action at the very time of a mark lies before it; marks with nothing between them, before the first or after the last make none', () => {
    expect(edges(begun(steps, [3_000_000]))).toEqual([
      [0, 3],
      [3, 6],
    ]);
    expect(edges(begun(steps, [0, 3_100_000, 3_200_000, 99_000_000]))).toEqual([
      [0, 3],
      [3, 6],
    ]);
    expect(initialRecords([], [1], 'x')).toEqual([{ kind: 'goal', id: 'goal', text: 'x' }]);
  });
});

describe('a gesture that changes nothing is no change', () => {
  test.each<[string, (now: Records) => Change[]]>([
    ['naming by the same name', (now) => nameElement(now, 's0', ' Insert  tab', 'seen')],
    ['confirming twice', (now) => confirm(now, 's0', true)],
    ['taking a narration back that was not overwritten', (now) => setNarration(now, 's0', ' ')],
    ['restoring what was not removed', (now) => restoreSteps(now, ['s0', 's1'])],
    ['splitting where a subtask begins', (now) => splitSubtask(now, steps, 's3', 'new', '')],
    ['merging the first subtask', (now) => mergeSubtask(now, steps, 'subtask:s0')],
    ['moving the first edge', (now) => moveEdge(now, steps, 'subtask:s0', 's2')],
    ['copying from itself', (now) => copyRecords(now, 's0', 's0')],
  ])('%s', (_what, make) => {
    const named = played(
      start,
      (now) => nameElement(now, 's0', 'Insert tab', 'hand'),
      (now) => confirm(now, 's0', true),
    );
    expect(make(named)).toEqual([]);
  });
});

test('a label of which everything was taken back is gone (N7)', () => {
  const named = played(
    start,
    (now) => nameElement(now, 's0', 'Insert tab', 'hand'),
    (now) => setField(now, 's0', 'purpose', 'open it'),
  );
  const bare = played(
    named,
    (now) => nameElement(now, 's0', null, 'hand'),
    (now) => setField(now, 's0', 'purpose', ''),
  );
  expect(bare).toEqual(start);
});

test('reasoning is one record a step, shown in its view, and gone with its last text (N7, N10)', () => {
  const { id } = steps[0]!;
  const said = played(
    start,
    (now) => setReasoning(now, id, 'thought', ' The picture is missing.\nIt comes first. '),
    (now) => setReasoning(now, id, 'observation', 'It is there.'),
  );
  expect(viewDocument(steps, said).steps[0]!.reasoning).toEqual({
    kind: 'reasoning',
    id: `reasoning:${id}`,
    action: id,
    thought: 'The picture is missing.\nIt comes first.',
    actionThought: null,
    observation: 'It is there.',
  });
  const gone = played(
    said,
    (now) => setReasoning(now, id, 'thought', ''),
    (now) => setReasoning(now, id, 'observation', null),
  );
  expect([...gone.keys()]).toEqual([...start.keys()]);
  expect(viewDocument(steps, gone).steps[0]!.reasoning).toBeNull();
});

test('a text can be corrected to nothing, and keeps its spaces', () => {
  const text = (value: string | null) =>
    viewDocument(
      [{ ...steps[0]!, kind: 'type', text: 'helo' }],
      applyChanges(new Map(), setField(new Map(), 's0', 'text', value)),
    );
  expect(text(' hello ').steps[0]!.narration).toBe("Type ' hello '");
  expect(text('').steps[0]!.narration).toBe("Type ''");
  expect(text(null).steps[0]!.narration).toBe("Type 'helo'");
});

test('a proposal is taken with name and box in one gesture, which keeps its source and confidence (N9)', () => {
  const box = { x: 1, y: 2, width: 30, height: 20 };
  const changes = takeProposal(start, 's1', { name: 'OK', box, source: 'seen', confidence: 0.9 });
  expect(changes.map(({ op }) => op)).toEqual(['add', 'add']);
  const { label, target } = viewDocument(steps, applyChanges(start, changes)).steps[1]!;
  expect([label?.element, label?.elementSource, target?.box, target?.confidence]).toEqual(['OK', 'seen', box, 0.9]);
});

test('copying takes names and boxes over, and leaves the narration, the text and the marks', () => {
  const records = played(
    start,
    (now) => nameElement(now, 's0', 'Slider', 'hand'),
    (now) => setField(now, 's0', 'endName', 'right end'),
    (now) => setBox(now, 's0', 'target', { x: 1, y: 2, width: 3, height: 4 }, 'edges', 0.8),
    (now) => setNarration(now, 's0', 'Its own'),
    (now) => confirm(now, 's0', true),
    (now) => setField(now, 's1', 'purpose', 'make it louder'),
    (now) => copyRecords(now, 's0', 's1'),
  );
  const { label, target, state } = viewDocument(steps, records).steps[1]!;
  expect(label).toMatchObject({ element: 'Slider', endName: 'right end', purpose: 'make it louder', narration: null });
  expect([target?.box.width, state]).toEqual([3, 'open']);
});

describe('subtasks', () => {
  test('split at a step: the rest of the subtask is the new one', () => {
    const records = played(start, (now) => splitSubtask(now, steps, 's1', 'new', ' Rest '));
    expect(edges(records)).toEqual([
      [0, 1],
      [1, 3],
      [3, 6],
    ]);
    expect(viewDocument(steps, records).subtasks.map(({ title }) => title)).toEqual(['', 'Rest', '']);
  });

  test('merge into the one before', () => {
    expect(edges(played(start, (now) => mergeSubtask(now, steps, 'subtask:s3')))).toEqual([[0, 6]]);
  });

  test('an edge moves as far as leaves a step on each side', () => {
    const moved = (to: string) => edges(played(start, (now) => moveEdge(now, steps, 'subtask:s3', to)))[1]![0];
    expect(['s0', 's1', 's4', 's5'].map(moved)).toEqual([1, 1, 4, 5]);
  });

  test('of steps and subtasks that are not there say so', () => {
    expect(codeOf(() => splitSubtask(start, steps, 'nothing', 'new', ''))).toBe('UNKNOWN_STEP');
    expect(codeOf(() => splitSubtask(start, steps, 's1', 'subtask:s3', ''))).toBe('USAGE');
    expect(codeOf(() => mergeSubtask(start, steps, 'nothing'))).toBe('USAGE');
    expect(codeOf(() => moveEdge(start, steps, 'goal', 's1'))).toBe('USAGE');
  });
});

test('removing a stretch marks each step once, and restoring takes the marks away (N5)', () => {
  const removed = played(start, (now) => removeSteps(now, ['s1', 's2', 's1'], 'private', ' a password '));
  const view = viewDocument(steps, removed);
  expect(view.steps.map(({ rank }) => rank)).toEqual([1, null, null, 1, 2, 3]);
  expect(view.steps[1]!.removal).toMatchObject({ reason: 'private', comment: 'a password' });
  expect(played(removed, (now) => restoreSteps(now, ['s1', 's2']))).toEqual(start);
});
