import { createStore, type StoreApi } from 'zustand';

/**
 * The view of one page (filter, order, what is chosen), a store for each workspace: kept while the tab lives, so that
 * coming back finds it as it was left. `first` is the view of a workspace that was not looked at yet; `actionsFor` makes what
 * changes it, once for each workspace, and `change` leaves the parts that it is not given as they are. What comes of the view
 * as it is now is given as a function: a row that was drawn a while ago knows an older view.
 */
export function viewStore<View extends object, Actions extends object>(
  first: View,
  actionsFor: (change: (part: Partial<View> | ((now: View) => Partial<View>)) => void) => Actions,
): (ws: string) => StoreApi<View & Actions> {
  const stores = new Map<string, StoreApi<View & Actions>>();
  return (ws) => {
    const known = stores.get(ws);
    if (known) return known;
    const made = createStore<View & Actions>((set) => ({
      ...first,
      ...actionsFor((part) => set((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) }))),
    }));
    stores.set(ws, made);
    return made;
  };
}
