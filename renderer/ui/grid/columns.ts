import { listPart, valuesOfPart } from '../address.ts';

/**
 * A column of a list whose columns a person chooses. `id` stands in addresses, settings and saved views, so it is not
 * renamed; `hidden`: it is not among those at first.
 */
export type Choosable = { id: string; name: string; hidden?: boolean };

/** Written where a view is to have the columns at first, whatever is shown now: no column is called so. */
export const FIRST_COLUMNS = 'default';

/**
 * The columns of a choice as it is written (`task,goal,state`), in their fixed order. The first one of the list is always
 * among them; names that the list does not know are left out, and without any that it knows it is as at first.
 */
export function columnsOfPart<C extends Choosable>(part: string | null | undefined, all: readonly C[]): readonly C[] {
  const named = new Set(valuesOfPart(part ?? ''));
  const chosen = all.filter(({ id }) => named.has(id));
  if (chosen.length === 0) return all.filter(({ hidden }, at) => at === 0 || !hidden);
  return all.filter((column, at) => at === 0 || chosen.includes(column));
}

/** The choice as addresses and views have it; null: the columns at first. */
export function partOfColumns(shown: readonly Choosable[], all: readonly Choosable[]): string | null {
  const part = listPart(shown.map(({ id }) => id));
  return part === listPart(columnsOfPart(null, all).map(({ id }) => id)) ? null : part;
}

/** The choice with this column shown or hidden. */
export function withColumn<C extends Choosable>(shown: readonly C[], all: readonly C[], id: string): readonly C[] {
  const has = shown.some((column) => column.id === id);
  return all.filter((column, at) => at === 0 || (column.id === id ? !has : shown.includes(column)));
}
