import { afterEach, expect, test } from 'vitest';
import { newComposition } from '../../core/compositions/edit.ts';
import { changed, editsOf, isUnsaved, kept } from './draft.ts';
import { dropDraft, setDraft, updateDraft, useDrafts } from './drafts.ts';
import { keepLeft, leftEdits, takeLeft } from './left-edits.ts';

/** Unsaved edits outlive the tab: what was typed is there, offered once more, and gone when it is saved or dropped. */

const EMPTY = newComposition({ id: 'c', kind: 'pathway', title: '' });
const edited = { composition: EMPTY, version: 'v1', unwritable: null };
const shelf = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};
afterEach(() => useDrafts.setState({ drafts: {} }));

test('what is unsaved is kept, also of a composition that was never saved, and taken up one step back from the file', () => {
  const store = shelf();
  const stop = keepLeft(store);
  setDraft('w', 'c', editsOf(edited));
  updateDraft('w', 'c', (draft) => changed(draft, { ...EMPTY, title: 'Typed' }));
  stop();
  // Another tab, later: the file is as it was.
  useDrafts.setState({ drafts: {} });
  const left = leftEdits('w', 'c', store);
  expect(left).toMatchObject({ version: 'v1', now: { title: 'Typed' } });
  takeLeft('w', 'c', left!, editsOf(edited));
  const draft = useDrafts.getState().drafts['w c']!;
  expect([draft.now.title, isUnsaved(draft), draft.past.at(-1)?.title]).toEqual(['Typed', true, '']);
});

test('begun with another file they keep its version, so that the save of somebody else is told', () => {
  const left = { now: { ...EMPTY, title: 'Mine' }, saved: EMPTY, version: 'v1', at: '2026-11-28T10:00:00.000Z' };
  takeLeft('w', 'c', left, editsOf({ ...edited, version: 'v2' }));
  const draft = useDrafts.getState().drafts['w c']!;
  expect([draft.version, isUnsaved(draft), draft.now.title]).toEqual(['v1', true, 'Mine']);
});

test('what is saved or dropped is not offered again; what another tab left is not touched by looking', () => {
  const store = shelf();
  store.setItem('composition-edits w d', '{"odd": true}');
  for (const end of ['saved', 'dropped']) {
    const first = keepLeft(store);
    setDraft('w', 'c', editsOf(edited));
    const next = { ...EMPTY, title: 'Typed' };
    updateDraft('w', 'c', (draft) => changed(draft, next));
    first();
    expect(store.kept.has('composition-edits w c')).toBe(true);
    const second = keepLeft(store);
    if (end === 'saved') updateDraft('w', 'c', (draft) => kept(draft, next, { version: 'v2' }));
    else dropDraft('w', 'c');
    second();
    expect(store.kept.has('composition-edits w c')).toBe(false);
  }
  expect(leftEdits('w', 'd', store)).toBeNull();
  expect(store.kept.has('composition-edits w d')).toBe(true);
});
