import { useStore } from 'zustand';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import type { SelectRows } from '../ui/grid/selection.ts';
import { viewStore } from '../ui/view-store.ts';
import { FIRST_DATA_SORT } from './address.ts';
import type { DataSort } from './filter.ts';

type View = { filter: DatasetFilter; sort: DataSort; selected: ReadonlySet<string>; chosen: string | null };
type Actions = {
  setFilter: (filter: DatasetFilter) => void;
  setSort: (sort: DataSort) => void;
  select: SelectRows;
  choose: (recording: string | null) => void;
};

const FIRST: View = { filter: {}, sort: FIRST_DATA_SORT, selected: new Set(), chosen: null };

const storeOf = viewStore<View, Actions>(FIRST, (change) => ({
  setFilter: (filter) => change({ filter }),
  // Sorted anew, a list is read from its beginning: a chosen row would pull it to wherever that row went.
  setSort: (sort) => change({ sort, chosen: null }),
  select: (next) => change(({ selected }) => ({ selected: next(selected) })),
  choose: (chosen) => change({ chosen }),
}));

/** The view of each workspace's data set; the export page begins with the same filter. */
export const useDatasetView = (ws: string): View & Actions => useStore(storeOf(ws));
