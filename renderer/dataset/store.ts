import { useStore } from 'zustand';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import { viewStore } from '../app/view-store.ts';
import type { Sort } from './filter.ts';

type View = { filter: DatasetFilter; sort: Sort; selected: ReadonlySet<string>; chosen: string | null };
type Actions = {
  setFilter: (filter: DatasetFilter) => void;
  setSort: (sort: Sort) => void;
  select: (recordings: ReadonlySet<string>) => void;
  choose: (recording: string | null) => void;
};

const FIRST: View = { filter: {}, sort: { key: 'task', descending: false }, selected: new Set(), chosen: null };

const storeOf = viewStore<View, Actions>(FIRST, (change) => ({
  setFilter: (filter) => change({ filter }),
  setSort: (sort) => change({ sort }),
  select: (selected) => change({ selected }),
  choose: (chosen) => change({ chosen }),
}));

/** What is looked at in each workspace's data set; the export page begins with the same filter. */
export const useDatasetView = (ws: string): View & Actions => useStore(storeOf(ws));
