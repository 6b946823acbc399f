import { expect, test } from 'vitest';
import { ask, at, divided, exported, task } from '../evaluate/question-for-tests.ts';
import { draftLines, draftsInManifest } from './drafts.ts';

const origin = (edited = false) => ({ draft: '1:element:a1', by: 'one@0a1b2c3d', edited });
const click = exported(1, { kind: 'click', start: at(12, 34), end: at(12, 34) });
const drafted = { ...click, drafted: { element: origin(), narration: origin() } };

test('each field whose words a person took from a draft is named in the manifest and counted on the card', () => {
  const [one] = task([drafted, { ...click, rank: 2, drafted: { thought: origin(true) } }]).subtasks;
  const whole = task([], { subtasks: [{ ...one!, drafted: { subtask: origin(true) } }] });
  const found = draftsInManifest(whole);
  expect(found.map(({ item, field, edited }) => [item, field, edited])).toEqual([
    ['PPT_1/1', 'subtask', true],
    ['PPT_1/1/1', 'element', false],
    ['PPT_1/1/1', 'narration', false],
    ['PPT_1/1/2', 'thought', true],
  ]);
  expect(draftLines(found)[0]).toMatch(/^The words of 4 fields .*\(one@0a1b2c3d\).*, 2 of them edited/);
  expect(draftsInManifest(task([click]))).toEqual([]);
  expect(draftLines([])).toEqual([]);
});

test('no question is asked in a model’s words, and none is measured by them', () => {
  const reason = "its words come from a model's draft";
  expect(ask('action', task([drafted, { ...click, rank: 2 }])).leftOut).toEqual([
    { item: 'PPT_1/1/1', from: 'questions', reason },
  ]);
  expect(ask('mid', task([drafted])).leftOut).toEqual([{ item: 'PPT_1/1', from: 'questions', reason }]);
  const whole = divided([click]);
  const [first, second] = whole.subtasks;
  const titled = { ...whole, subtasks: [first!, { ...second!, drafted: { subtask: origin() } }] };
  expect(ask('high', whole).questions).not.toEqual([]);
  expect(ask('high', titled)).toEqual({ questions: [], leftOut: [{ item: 'PPT_1', from: 'questions', reason }] });
});
