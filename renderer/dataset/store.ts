import { create } from 'zustand';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import type { Sort } from './filter.ts';

type View = { filter: DatasetFilter; sort: Sort; selected: ReadonlySet<string>; chosen: string | null };
type Actions = {
  setFilter: (filter: DatasetFilter) => void;
  setSort: (sort: Sort) => void;
  select: (recordings: ReadonlySet<string>) => void;
  choose: (recording: string | null) => void;
};

const FIRST: View = { filter: {}, sort: { key: 'task', descending: false }, selected: new Set(), chosen: null };

/** What is looked at in each workspace's data set: kept while the tab lives; the export page begins with the same filter. */
const useViews = create<{ views: Readonly<Record<string, View>> }>(() => ({ views: {} }));

const actions = new Map<string, Actions>();

function actionsOf(ws: string): Actions {
  const known = actions.get(ws);
  if (known) return known;
  const change = (part: Partial<View>): void =>
    useViews.setState(({ views }) => ({ views: { ...views, [ws]: { ...(views[ws] ?? FIRST), ...part } } }));
  const made: Actions = {
    setFilter: (filter) => change({ filter }),
    setSort: (sort) => change({ sort }),
    select: (selected) => change({ selected }),
    choose: (chosen) => change({ chosen }),
  };
  actions.set(ws, made);
  return made;
}

export function useDatasetView(ws: string): View & Actions {
  const view = useViews((state) => state.views[ws] ?? FIRST);
  return { ...view, ...actionsOf(ws) };
}
