import { useStore } from 'zustand';
import type { SelectRows } from '../ui/grid/selection.ts';
import { viewStore } from '../ui/view-store.ts';
import { FIRST_SORT } from './address.ts';
import { type Filter, NO_FILTER, type TaskSort } from './filter.ts';

type View = { filter: Filter; sort: TaskSort; chosen: string | null; selected: ReadonlySet<string> };
type Actions = {
  setFilter: (filter: Filter) => void;
  setSort: (sort: TaskSort) => void;
  choose: (task: string | null) => void;
  select: SelectRows;
};

const FIRST: View = { filter: NO_FILTER, sort: FIRST_SORT, chosen: null, selected: new Set() };

const storeOf = viewStore<View, Actions>(FIRST, (change) => ({
  setFilter: (filter) => change({ filter }),
  // Sorted anew, a list is read from its beginning: a chosen row would pull it to wherever that row went.
  setSort: (sort) => change({ sort, chosen: null }),
  choose: (chosen) => change({ chosen }),
  select: (next) => change(({ selected }) => ({ selected: next(selected) })),
}));

/** The view of each workspace's library. */
export const useLibraryView = (ws: string): View & Actions => useStore(storeOf(ws));
