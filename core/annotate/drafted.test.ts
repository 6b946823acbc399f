import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import { DRAFT_FIELDS, type DraftField } from '../../schemas/draft.ts';
import { applyChanges, invert, type Records } from './document.ts';
import { takeDraft } from './drafted.ts';
import {
  copyRecords,
  mergeSubtask,
  moveEdge,
  nameElement,
  setNarration,
  setReasoning,
  setTitle,
  splitSubtask,
} from './edit.ts';
import { begun } from './gestures-for-tests.ts';
import { isEmptyLabel } from './label.ts';
import { draftableTexts, originsOf } from './origins.ts';
import { stepsFrom } from './steps-for-tests.ts';

const steps = stepsFrom(5);
const draft = (field: DraftField, action = 's1', text = 'Insert tab') => {
  return { id: `1:${field}:${action}`, action, field, text, by: 'one@0a1b2c3d' };
};
const take = (records: Records, one: ReturnType<typeof draft>) =>
  applyChanges(records, takeDraft(records, steps, one, 'cut'));
const originIn = (records: Records, field: DraftField) =>
  [...records.values()].map((record) => originsOf(record)[field]).find((origin) => origin !== undefined);

test.each(DRAFT_FIELDS)(
  'a draft of a %s that is taken is kept with its origin, by one gesture that can be undone (N13)',
  (field) => {
    const before = begun(steps);
    const changes = takeDraft(before, steps, draft(field), 'cut');
    expect(changes).toHaveLength(1);
    const after = applyChanges(before, changes);
    expect(originIn(after, field)).toEqual({ draft: `1:${field}:s1`, by: 'one@0a1b2c3d', edited: false });
    expect([...after.values()].some((record) => draftableTexts(record)[field] === 'Insert tab')).toBe(true);
    expect(takeDraft(after, steps, draft(field), 'other')).toEqual([]);
    expect(applyChanges(after, invert(changes))).toEqual(before);
  },
);

test('words that a person wrote before (N13) become the draft’s origin where they take it all the same', () => {
  const named = applyChanges(begun(steps), nameElement(begun(steps), 's1', 'Insert tab', 'hand'));
  expect(originIn(take(named, draft('element')), 'element')).toMatchObject({ edited: false });
});

test('changed words are said to be edited; words that are gone have no origin, and leave nothing behind (N7)', () => {
  const gestures: [DraftField, (records: Records, text: string) => Change[]][] = [
    ['element', (records, text) => nameElement(records, 's1', text, 'hand')],
    ['narration', (records, text) => setNarration(records, 's1', text)],
    ['thought', (records, text) => setReasoning(records, 's1', 'thought', text)],
  ];
  for (const [field, write] of gestures) {
    const taken = take(begun(steps), draft(field));
    const edited = applyChanges(taken, write(taken, 'Insert menu'));
    expect(originIn(edited, field)).toMatchObject({ draft: `1:${field}:s1`, edited: true });
    // The draft's very words again were written by somebody who had changed them.
    const again = applyChanges(edited, write(edited, 'Insert tab'));
    expect(originIn(again, field)).toMatchObject({ edited: true });
    expect(applyChanges(taken, write(taken, ''))).toEqual(begun(steps));
  }
});

test('another field of the same record keeps no origin of it, and stays a person’s', () => {
  const taken = take(begun(steps), draft('thought'));
  const both = applyChanges(taken, setReasoning(taken, 's1', 'observation', 'It opened.'));
  expect(originIn(both, 'thought')).toMatchObject({ edited: false });
  expect(originIn(both, 'observation')).toBeUndefined();
});

test('a subtask begins where its draft says; a beginning that is moved, or another title, is an edit', () => {
  const cut = take(begun(steps), draft('subtask', 's2', 'Insert it'));
  expect(cut.get('cut')).toMatchObject({ first: 's2', title: 'Insert it', drafted: { subtask: { edited: false } } });
  const moved = applyChanges(cut, moveEdge(cut, steps, 'cut', 's3'));
  expect(moved.get('cut')).toMatchObject({ first: 's3', drafted: { subtask: { edited: true } } });
  const titled = applyChanges(cut, setTitle(cut, 'cut', 'Put it in'));
  expect(titled.get('cut')).toMatchObject({ drafted: { subtask: { edited: true } } });
  expect(applyChanges(cut, mergeSubtask(cut, steps, 'cut'))).toEqual(begun(steps));
  // Where one begins already only its title is taken.
  const begins = applyChanges(begun(steps), splitSubtask(begun(steps), steps, 's2', 'mine', ''));
  expect(take(begins, draft('subtask', 's2')).get('mine')).toMatchObject({ title: 'Insert tab' });
});

test('a name that is copied to another step takes its origin along', () => {
  const taken = take(begun(steps), draft('element'));
  const copied = applyChanges(taken, copyRecords(taken, 's1', 's3'));
  expect(originsOf(copied.get('label:s3')).element).toMatchObject({ draft: '1:element:s1', edited: false });
});

test('whatever is written after drafts were taken, an origin stands beside words alone, and no label is empty with one', () => {
  const fields: DraftField[] = ['element', 'narration'];
  const one = fc.record({
    field: fc.constantFrom(...fields),
    text: fc.constantFrom('', 'a', 'b', 'c'),
    take: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (gestures) => {
      let records = begun(steps);
      for (const { field, text, take: takes } of gestures) {
        const words = draft(field, 's1', text);
        const write =
          field === 'element' ? nameElement(records, 's1', text, 'hand') : setNarration(records, 's1', text);
        records = applyChanges(records, takes && text !== '' ? takeDraft(records, steps, words, 'cut') : write);
        const label = records.get('label:s1');
        const said = Object.keys(draftableTexts(label));
        expect(Object.keys(originsOf(label)).every((key) => said.includes(key))).toBe(true);
        expect(label?.kind === 'label' && isEmptyLabel(label)).toBe(false);
      }
    }),
  );
});
