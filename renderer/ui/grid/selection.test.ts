import { expect, it } from 'vitest';
import { selectionOf } from './selection.ts';

const rows = ['a', 'b', 'c'].map((id) => ({ id }));
function of(shown: readonly { id: string }[], at: number, ids: string[]) {
  let now: ReadonlySet<string> = new Set(ids);
  const selection = selectionOf(
    shown,
    at,
    now,
    (next) => {
      now = next(now);
    },
    ({ id }) => id,
  );
  return { selection, ids: () => [...now].sort() };
}

it('acts on what is selected and shown, else on the highlighted row', () => {
  expect(of(rows, 1, []).selection.target).toEqual([{ id: 'b' }]);
  expect(of(rows, 1, ['c', 'hidden']).selection.target).toEqual([{ id: 'c' }]);
  expect(of([], 0, ['hidden']).selection.target).toEqual([]);
});

it('a row that was drawn before others were selected adds to them', () => {
  const { selection, ids } = of(rows, 0, []);
  for (const id of ['a', 'c']) selection.toggle(id);
  expect(ids()).toEqual(['a', 'c']);
  selection.toggle('a');
  expect(ids()).toEqual(['c']);
});

it('one row, all rows and none are selected', () => {
  const one = of(rows, 0, ['a']);
  one.selection.toggle('a');
  expect(one.ids()).toEqual([]);
  const some = of(rows, 0, ['a']);
  some.selection.toggleAll();
  expect(some.ids()).toEqual(['a', 'b', 'c']);
  const all = of(rows, 0, ['a', 'b', 'c']);
  expect(all.selection.every).toBe(true);
  all.selection.toggleAll();
  expect(all.ids()).toEqual([]);
  expect(of([], 0, []).selection.every).toBe(false);
});
