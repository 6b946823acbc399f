import { expect, test } from 'vitest';
import { addMembers, emptyMember, newComposition } from '../../core/compositions/edit.ts';
import type { Composition } from '../../schemas/composition.ts';
import {
  changed,
  editsOf,
  isUnsaved,
  kept,
  mineKept,
  newEdits,
  orphaned,
  redone,
  theirsTaken,
  undone,
} from './draft.ts';

/** A composition while it is edited: steps back and forth, saves, and somebody else's save in between. */

const EMPTY = newComposition({ id: 'c', kind: 'pathway', title: '' });
const titled = (title: string, of: Composition = EMPTY): Composition => ({ ...of, title });
const edited = (composition: Composition, version = 'v1') => ({ composition, version, unwritable: null });

test('what is written in one field goes back by words, and comes again', () => {
  let draft = editsOf(edited(EMPTY));
  for (const text of ['A', 'A ', 'A d', 'A da', 'A day'])
    draft = changed(draft, titled(text), { field: 'title', text });
  expect(undone(draft).now.title).toBe('A ');
  expect(undone(undone(draft)).now).toBe(EMPTY);
  expect(isUnsaved(undone(undone(draft)))).toBe(false);
  expect(redone(redone(undone(undone(draft)))).now.title).toBe('A day');
});

test('another field, and everything that is no writing, is a step of its own', () => {
  let draft = changed(newEdits(EMPTY), titled('A'), { field: 'title', text: 'A' });
  draft = changed(draft, { ...draft.now, task: 'B' }, { field: 'task', text: 'B' });
  draft = changed(draft, addMembers(draft.now, [emptyMember('pathway')], 0));
  expect(draft.past).toHaveLength(3);
  expect(changed(draft, draft.now)).toBe(draft);
  expect(undone(newEdits(EMPTY)).now).toBe(EMPTY);
});

test('a save keeps what was sent; what was written meanwhile is still to be saved', () => {
  const sent = titled('Sent');
  const draft = changed(editsOf(edited(EMPTY)), sent, { field: 'title', text: 'Sent' });
  const meanwhile = changed(draft, titled('Sent and'), { field: 'title', text: 'Sent and' });
  expect(isUnsaved(kept(draft, sent, { version: 'v2' }))).toBe(false);
  const after = kept(meanwhile, sent, { version: 'v2' });
  expect([isUnsaved(after), after.version, after.now.title]).toEqual([true, 'v2', 'Sent and']);
  // The next word begins at what is saved, so that undo reaches it.
  const next = changed(kept(draft, sent, { version: 'v2' }), titled('Sent!'), { field: 'title', text: 'Sent!' });
  expect(undone(next).now).toBe(sent);
});

test('of two saves whichever is chosen, undo brings the other one back', () => {
  const mine = changed(editsOf(edited(EMPTY)), titled('Mine'));
  const theirs = edited(titled('Theirs'), 'v2');
  const taken = theirsTaken(mine, theirs);
  expect([taken.now.title, isUnsaved(taken), taken.version, undone(taken).now.title]).toEqual([
    'Theirs',
    false,
    'v2',
    'Mine',
  ]);
  const held = mineKept(mine, theirs);
  expect([held.now.title, isUnsaved(held), held.version, undone(held).now.title]).toEqual([
    'Mine',
    true,
    'v2',
    'Theirs',
  ]);
  expect(isUnsaved(undone(held))).toBe(false);
  expect(isUnsaved(orphaned(editsOf(edited(EMPTY))))).toBe(true);
});
