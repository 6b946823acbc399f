import { create } from 'zustand';
import { type Filter, NO_FILTER, type Sort } from './filter.ts';

type View = { filter: Filter; sort: Sort; chosen: string | null };
type Actions = {
  setFilter: (filter: Filter) => void;
  setSort: (sort: Sort) => void;
  choose: (task: string | null) => void;
};

const FIRST: View = { filter: NO_FILTER, sort: { key: 'id', descending: false }, chosen: null };

/** What is looked at in each workspace's library: kept while the tab lives, so that coming back finds it as it was left. */
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
    choose: (chosen) => change({ chosen }),
  };
  actions.set(ws, made);
  return made;
}

export function useLibraryView(ws: string): View & Actions {
  const view = useViews((state) => state.views[ws] ?? FIRST);
  return { ...view, ...actionsOf(ws) };
}
