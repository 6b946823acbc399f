import { useStore } from 'zustand';
import { viewStore } from '../app/view-store.ts';
import { type Filter, NO_FILTER, type Sort } from './filter.ts';

type View = { filter: Filter; sort: Sort; chosen: string | null };
type Actions = {
  setFilter: (filter: Filter) => void;
  setSort: (sort: Sort) => void;
  choose: (task: string | null) => void;
};

const FIRST: View = { filter: NO_FILTER, sort: { key: 'id', descending: false }, chosen: null };

const storeOf = viewStore<View, Actions>(FIRST, (change) => ({
  setFilter: (filter) => change({ filter }),
  setSort: (sort) => change({ sort }),
  choose: (chosen) => change({ chosen }),
}));

/** What is looked at in each workspace's library. */
export const useLibraryView = (ws: string): View & Actions => useStore(storeOf(ws));
