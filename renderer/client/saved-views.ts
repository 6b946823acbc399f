import { FIRST_COLUMNS } from '../ui/grid/columns.ts';
import { type PageSettings, useChangeSettings, useSettings } from './settings.ts';

/** What a list shows, under a name: its filter, order and columns as the list's address has them. */
export type SavedView = { name: string; search: string };
export const VIEWED_LISTS = ['library', 'recordings', 'dataset'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

const MOST_VIEWS = 100;
const NAME_LETTERS = 60;
/** No sign is cut through. */
const shortened = (name: string): string => [...name.trim().toWellFormed()].slice(0, NAME_LETTERS).join('');

/** Each person's own in each workspace; who chose no name has some too. */
const keyOf = (ws: string, list: ViewedList, person: string | null): string => `views:${list}:${ws}:${person ?? ''}`;

/** The views that the settings keep; what has another shape is left out. */
export function viewsSetting(
  settings: PageSettings,
  ws: string,
  list: ViewedList,
  person: string | null,
): readonly SavedView[] {
  const kept = settings[keyOf(ws, list, person)];
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('name' in one) || !('search' in one)) return [];
    const { name, search } = one;
    return typeof name === 'string' && typeof search === 'string' ? [{ name, search }] : [];
  });
}

/** The views with this one under its name, in the place of one that had it. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const saved = { ...view, name: shortened(view.name) };
  const known = views.some(({ name }) => name === saved.name);
  return known ? views.map((one) => (one.name === saved.name ? saved : one)) : [...views, saved].slice(-MOST_VIEWS);
}

/**
 * The address's search that shows a view. One that names no columns has those at first: where others are shown now (`columns`,
 * null: those at first), it says so.
 */
export function searchOfView({ search }: SavedView, columns: string | null): string {
  const given = new URLSearchParams(search);
  if (columns === null || given.has('columns')) return search;
  given.set('columns', FIRST_COLUMNS);
  return given.toString();
}

export function renamedView(views: readonly SavedView[], from: string, to: string): SavedView[] {
  const name = shortened(to);
  return views
    .filter((one) => one.name === from || one.name !== name)
    .map((one) => (one.name === from ? { ...one, name } : one));
}

/** The views of a list and what changes them, at once on the page and then in the studio. */
export function useSavedViews(
  ws: string,
  list: ViewedList,
  person: string | null,
): { views: readonly SavedView[]; change: (views: readonly SavedView[]) => Promise<void> } {
  const views = viewsSetting(useSettings(), ws, list, person);
  const store = useChangeSettings();
  return { views, change: (next) => store({ [keyOf(ws, list, person)]: next.length === 0 ? null : next }) };
}
