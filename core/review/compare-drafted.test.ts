import { expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import type { DraftField } from '../../schemas/draft.ts';
import { applyChanges, type Records, toRecords } from '../annotate/document.ts';
import { takeDraft } from '../annotate/drafted.ts';
import { nameElement, setNarration, setReasoning, splitSubtask } from '../annotate/edit.ts';
import { initialRecords } from '../annotate/initial.ts';
import { originsOf } from '../annotate/origins.ts';
import { stepsFrom } from '../annotate/steps-for-tests.ts';
import { agreedRecords, checkScore, compareDocuments, takeSide } from './compare.ts';

/** Words that two took from the same draft are no agreement (R20). */

const steps = stepsFrom(4);
const begun = (): Records => toRecords(initialRecords(steps, [], 'The goal'));
type Gesture = (records: Records) => Change[];
const played = (...gestures: Gesture[]): Records =>
  gestures.reduce((records, make) => applyChanges(records, make(records)), begun());
const taken =
  (field: DraftField, action: string, text: string): Gesture =>
  (records) =>
    takeDraft(records, steps, { id: `1:${field}:${action}`, action, field, text, by: 'one@0a1b2c3d' }, `cut:${action}`);
const wrote: Record<'element' | 'narration' | 'thought' | 'subtask', (action: string, text: string) => Gesture> = {
  element: (action, text) => (records) => nameElement(records, action, text, 'hand'),
  narration: (action, text) => (records) => setNarration(records, action, text),
  thought: (action, text) => (records) => setReasoning(records, action, 'thought', text),
  subtask: (action, text) => (records) => splitSubtask(records, steps, action, `cut:${action}`, text),
};
const of = (a: Records, b: Records) => [
  { id: 'A', records: a },
  { id: 'B', records: b },
];
const FIELDS = ['element', 'narration', 'thought', 'subtask'] as const;

test.each(FIELDS)('two who took the same draft of a %s agree on nothing by it; two who wrote it do', (field) => {
  const draft = played(taken(field, 's2', 'Insert it'));
  const both = compareDocuments(steps, of(draft, draft));
  expect(both.differences).toEqual([]);
  expect(both.agreed).toBe(0);
  expect(both.agreement.overall).toEqual({ value: null, n: 0, low: null, high: null });
  // One alone took it: what the other wrote is compared with no witness.
  const mine = played(wrote[field]('s2', 'Insert it'));
  expect(compareDocuments(steps, of(draft, mine)).agreement.overall.value).toBeNull();
  const written = compareDocuments(steps, of(mine, mine));
  expect(written.agreement.overall.value).toBe(1);
  expect(written.agreed).toBeGreaterThan(0);
});

test('what they wrote beside drafts is compared as ever, and another word than the draft’s is to be settled', () => {
  const draft = played(taken('element', 's1', 'Insert tab'), wrote.element('s3', 'OK'));
  const other = played(wrote.element('s1', 'Layout tab'), wrote.element('s3', 'OK'));
  const { differences, agreed, agreement } = compareDocuments(steps, of(draft, other));
  expect(differences.map(({ id }) => id)).toEqual(['element:s1']);
  expect(agreed).toBe(1);
  expect(agreement.elementSimilarity).toMatchObject({ value: 1, n: 1 });
});

test('a narration that is made from a drafted name is the model’s, too', () => {
  const draft = played(taken('element', 's1', 'Insert tab'));
  const other = played(wrote.narration('s1', 'Click on the Insert tab'));
  expect(compareDocuments(steps, of(draft, other)).agreement.narrationSimilarity.n).toBe(0);
});

test('a hidden check is not passed by taking drafts (R20)', () => {
  const known = played(wrote.element('s1', 'Insert tab'), wrote.element('s2', 'OK'));
  const answer = played(taken('element', 's1', 'Insert tab'), wrote.element('s2', 'OK'));
  const { right, of: all, agreement } = checkScore(steps, of(answer, known)[0]!, of(answer, known)[1]!);
  expect([right, all, agreement.elementSimilarity.n]).toEqual([1, 1, 1]);
});

test.each(FIELDS)('what all say, and a side that is taken, keeps the origin of a drafted %s', (field) => {
  const draft = played(taken(field, 's2', 'Insert it'));
  const originIn = (records: Iterable<Parameters<typeof originsOf>[0]>) =>
    [...records].some((record) => originsOf(record)[field]?.by === 'one@0a1b2c3d');
  expect(originIn(agreedRecords(steps, of(draft, played(wrote[field]('s2', 'Insert it')))))).toBe(true);
  const other = played(wrote[field]('s2', 'Another'));
  const [difference] = compareDocuments(steps, of(draft, other)).differences;
  const settled = applyChanges(other, takeSide(other, steps, difference!, 'A'));
  expect(originIn(settled.values())).toBe(true);
  const back = applyChanges(settled, takeSide(settled, steps, difference!, 'B'));
  expect(originIn(back.values())).toBe(false);
});
