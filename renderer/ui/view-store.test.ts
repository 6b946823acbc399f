import { expect, it, vi } from 'vitest';
import { viewStore } from './view-store.ts';

const FIRST = { filter: '', chosen: null as string | null };
/** A page's views; gives the one of a workspace as it is now. */
function page() {
  const storeOf = viewStore(FIRST, (change) => ({
    setFilter: (filter: string) => change({ filter }),
    choose: (chosen: string | null) => change({ chosen }),
  }));
  return { storeOf, in: (ws: string) => storeOf(ws).getState() };
}

it('a workspace begins with the first view, and one change leaves the rest of it as it was', () => {
  const view = page();
  expect(view.in('one')).toMatchObject({ filter: '', chosen: null });
  view.in('one').choose('task');
  view.in('one').setFilter('gimp');
  expect(view.in('one')).toMatchObject({ filter: 'gimp', chosen: 'task' });
  view.in('one').choose(null);
  expect(view.in('one')).toMatchObject({ filter: 'gimp', chosen: null });
  expect(FIRST).toEqual({ filter: '', chosen: null });
});

it('workspaces are apart, and so are pages', () => {
  const [library, dataset] = [page(), page()];
  library.in('one').setFilter('gimp');
  library.in('two').setFilter('word');
  expect(['one', 'two', 'three'].map((ws) => library.in(ws).filter)).toEqual(['gimp', 'word', '']);
  expect(dataset.in('one').filter).toBe('');
});

it('who shows a workspace is told of its changes and of no other’s', () => {
  const view = page();
  const told = vi.fn();
  view.storeOf('one').subscribe(told);
  view.in('two').setFilter('word');
  expect(told).not.toHaveBeenCalled();
  view.in('one').setFilter('gimp');
  expect(told).toHaveBeenCalledOnce();
});

it('what changes a view stays the same function, so that effects that name it do not run again', () => {
  const view = page();
  const { setFilter } = view.in('one');
  setFilter('gimp');
  expect(view.in('one').setFilter).toBe(setFilter);
});
