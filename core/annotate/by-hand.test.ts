import { expect, test } from 'vitest';
import type { Step } from '../../schemas/api/models.ts';
import { addStep, checkStepByHand, isByHand, type StepByHand, stepsWith, withByHand } from './by-hand.ts';
import { applyChanges, invert, type Records } from './document.ts';
import { initialRecords } from './initial.ts';
import { clickByHand, stepsFrom } from './steps-for-tests.ts';
import { subtaskSpans } from './subtasks.ts';

const frames = Array.from({ length: 12 }, (_, i): [number, number, number] => [i, i * 1_000_000, 0]);
const empty: { steps: Step[]; frames: typeof frames } = { steps: [], frames };

const begun = (steps: readonly Step[]): Records =>
  new Map(initialRecords(steps, [], 'goal').map((record) => [record.id, record]));
const ids = (records: Records, opened = empty) => stepsWith(opened, records).map(({ id }) => id);

test('N12: steps stand in the order of their time; the first one begins the first subtask, and undo takes all back', () => {
  const start = begun([]);
  const [late, early] = [clickByHand(5_000_000, 1), clickByHand(2_000_000, 2)];
  const one = addStep(start, empty, late);
  const after = applyChanges(start, one);
  const two = addStep(after, empty, early);
  const both = applyChanges(after, two);
  expect(ids(both)).toEqual([early.action, late.action]);
  const spans = subtaskSpans(stepsWith(empty, both), both);
  expect(spans.map(({ record, from, to }) => [record.first, from, to])).toEqual([[early.action, 0, 2]]);
  expect(applyChanges(both, invert(two))).toEqual(after);
  expect(applyChanges(after, invert(one))).toEqual(start);
});

test('N12: among recorded steps they stand behind those of the same moment, and their picture is the one they were added at', () => {
  const steps = stepsFrom(3);
  const opened = { steps, frames };
  const record = clickByHand(steps[1]!.start[2], 1);
  const records = applyChanges(begun(steps), addStep(begun(steps), opened, record));
  expect(ids(records, opened)).toEqual([steps[0]!.id, steps[1]!.id, record.action, steps[2]!.id]);
  const made = stepsWith(opened, records)[2]!;
  expect(frames[made.before]![1]).toBeLessThanOrEqual(record.t);
  // Once the studio has them among its steps, the list stays the same one.
  const known = { steps: [...stepsWith(opened, records)], frames };
  expect(stepsWith(known, records)).toBe(known.steps);
  expect(ids(begun(steps), known)).toEqual(steps.map(({ id }) => id));
});

test('N12: a step reaches from the picture that it was added at to the last one before the next step', () => {
  const start = begun([]);
  const late = applyChanges(start, addStep(start, empty, clickByHand(5_000_000, 1)));
  const both = applyChanges(late, addStep(late, empty, clickByHand(2_000_000, 2)));
  const pictures = (opened: typeof empty, records: Records) =>
    stepsWith(opened, records).map(({ before, after }) => [before, after]);
  expect(pictures(empty, late)).toEqual([[5, 11]]);
  // A step that comes between ends the one before it, also one that was there already.
  expect(pictures({ steps: [...stepsWith(empty, late)], frames }, both)).toEqual([
    [2, 4],
    [5, 11],
  ]);
});

test('N12: an action has what its kind has, and an id that no recorded one has', () => {
  const typed = clickByHand(1, 1, { does: 'type', x: null, y: null, button: null, text: 'Hi' });
  const [action] = withByHand([], [typed]);
  expect(action).toMatchObject({ kind: 'type', text: 'Hi', keystrokes: ['H', 'i'], button: null, events: [] });
  expect(action!.start).toEqual({ x: null, y: null, display: null, t: 1 });
  expect([typed.action, 'r:12', 'r:12s', 'r:3w'].map(isByHand)).toEqual([true, false, false, false]);
  const drag = clickByHand(1, 1, { does: 'drag', endX: 50, endY: 60 });
  expect(withByHand([], [drag])[0]).toMatchObject({
    kind: 'drag',
    end: { x: 50, y: 60 },
    path: [
      [5, 6, 1],
      [50, 60, 1],
    ],
  });
});

test('N12: a step that says too little is refused', () => {
  const refused: Partial<StepByHand>[] = [
    { x: null, y: null },
    { button: null },
    { does: 'drag' },
    { does: 'type', text: '' },
    { does: 'press', keys: [] },
    { does: 'scroll', scroll: { dx: 0, dy: 0 } },
  ];
  for (const more of refused) expect(() => checkStepByHand(clickByHand(1, 1, more))).toThrow(/The step needs/);
  expect(() => checkStepByHand(clickByHand(1, 1))).not.toThrow();
});
