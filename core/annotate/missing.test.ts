import { expect, test } from 'vitest';
import { applyChanges, type Records } from './document.ts';
import { nameElement, removeSteps, setBox, setField, setGoal, setNarration, setTitle, splitSubtask } from './edit.ts';
import { begun } from './gestures-for-tests.ts';
import { emptyLabel } from './label.ts';
import { countMissing, findMissing, lacksOf, missingWords } from './missing.ts';
import { stepFrom } from './steps-for-tests.ts';
import { viewDocument } from './view.ts';

const steps = [
  stepFrom('c', 1e6),
  stepFrom('d', 2e6, { kind: 'drag', start: [10, 20, 2e6], end: [300, 40, 2.1e6] }),
  stepFrom('t', 3e6, { kind: 'type', text: 'f(1, 2)' }),
];
const viewOf = (records: Records) => viewDocument(steps, records).steps;

test('a narration made with coordinates and a drag without boxes are lacking, each by the step’s number', () => {
  const records = begun(steps);
  expect(viewOf(records).map(lacksOf)).toEqual([['pixels'], ['pixels', 'box'], []]);
});

test('names, words of one’s own and a removal lack nothing', () => {
  let records = begun(steps);
  records = applyChanges(records, nameElement(records, 'c', 'Insert tab', 'hand'));
  records = applyChanges(records, nameElement(records, 'd', 'text area', 'hand'));
  // The end of the drag is still a place in pixels.
  expect(viewOf(records).map(lacksOf)).toEqual([[], ['pixels', 'box'], []]);
  const named = applyChanges(records, setField(records, 'd', 'endName', 'side bar'));
  expect(viewOf(named).map(lacksOf)).toEqual([[], ['box'], []]);
  const written = applyChanges(records, setNarration(records, 'd', 'Move the area to (261, 80)'));
  expect(viewOf(written).map(lacksOf)).toEqual([[], ['box'], []]);
  const removed = applyChanges(records, removeSteps(records, ['d'], 'mistake', ''));
  expect(viewOf(removed).map(lacksOf)).toEqual([[], [], []]);
});

/** The same with a picture before each. */
const seen = steps.map((step) => ({ ...step, before: 0 }));
const BOX = { x: 1, y: 1, width: 20, height: 10 };
const said = (records: Records, goal = '') =>
  findMissing(viewDocument(seen, records), goal).map(({ kind, step, subtask }) => [kind, step, subtask]);

test('N11: every gap of a document, in the order of its steps, until nothing is missing', () => {
  let records = begun(seen);
  const apply = (changes: Parameters<typeof applyChanges>[1]): void => {
    records = applyChanges(records, changes);
  };
  apply(splitSubtask(records, seen, 'd', 'second', ''));
  apply(setGoal(records, ''));
  expect(said(records)).toEqual([
    ['goal', null, null],
    ['title', 1, 1],
    ['box', 1, 1],
    ['pixels', 1, 1],
    ['title', 2, 2],
    ['box', 2, 2],
    ['end-box', 2, 2],
    ['pixels', 2, 2],
  ]);
  // The task's own goal stands where the annotation has none.
  expect(said(records, 'Crop the picture')[0]).toEqual(['title', 1, 1]);
  const all = countMissing(findMissing(viewDocument(seen, records), ''));
  expect(all).toEqual({ goal: 1, title: 2, box: 2, pixels: 2, 'end-box': 1 });
  expect(missingWords(all)).toBe('1 goal, 2 titles, 2 boxes, 1 drag end, 2 pixel narrations');

  apply(setGoal(records, 'Crop'));
  for (const id of [...records.keys()].filter((key) => records.get(key)?.kind === 'subtask'))
    apply(setTitle(records, id, 'Part'));
  for (const id of ['c', 'd']) {
    apply(nameElement(records, id, 'text area', 'hand'));
    apply(setBox(records, id, 'target', BOX, 'hand', 1));
  }
  expect(said(records)).toEqual([
    ['end-box', 2, 2],
    ['pixels', 2, 2],
  ]);
  apply(setField(records, 'd', 'endName', 'side bar'));
  apply(setBox(records, 'd', 'end', BOX, 'hand', 1));
  // An import may bring an empty one.
  apply([{ op: 'add', record: { ...emptyLabel('t'), narration: ' ' } }]);
  expect(said(records)).toEqual([['narration', 3, 2]]);
  apply(setNarration(records, 't', null));
  expect(said(records)).toEqual([]);
  expect(missingWords({})).toBe('');
});

test('N11: a removed step lacks nothing, one without a picture no box, one without input what was done', () => {
  const bare = [
    stepFrom('c', 1e6, { before: -1 }),
    stepFrom('h', 2e6, { kind: 'hover', before: 0 }),
    stepFrom('rec:0s', 3e6, { kind: 'wait' }),
  ];
  const gaps = (records: Records) =>
    findMissing(viewDocument(bare, records), '').map(({ kind, action }) => [kind, action]);
  const records = begun(bare);
  expect(gaps(records)).toEqual([
    ['pixels', 'c'],
    ['box', 'h'],
    ['pixels', 'h'],
    ['narration', 'rec:0s'],
  ]);
  expect(gaps(applyChanges(records, removeSteps(records, ['c', 'h', 'rec:0s'], 'mistake', '')))).toEqual([]);
  expect(gaps(applyChanges(records, setNarration(records, 'rec:0s', 'Choose File › Open')))).toHaveLength(3);
});
