import { expect, test } from 'vitest';
import { applyChanges, type Records } from './document.ts';
import { nameElement, removeSteps, setField, setNarration } from './edit.ts';
import { begun } from './gestures-for-tests.ts';
import { lackingWords, lacksOf } from './missing.ts';
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
  expect(lackingWords(viewOf(records))).toMatch(/^Steps 1, 2 say a place in pixels: .* Step 2 is a drag without both/);
  expect(lackingWords(viewOf(records).slice(1, 2), 2)).toMatch(/^Step 2 says a place in pixels/);
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
  expect(lackingWords(viewOf(removed))).toBeNull();
});
