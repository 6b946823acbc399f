import { useMemo } from 'react';
import { useColumnChoice } from '../client/columns.ts';
import { usePersonId } from '../client/person.ts';
import type { ViewedList } from '../client/saved-views.ts';
import { tr } from '../language/tr.ts';
import { toError } from '../ui/errors.ts';
import { type Choosable, columnsOfPart, partOfColumns } from '../ui/grid/columns.ts';
import { tellDone } from '../ui/toast.ts';

/** The columns of a list that a person chooses: all of them, those that are shown, and what shows others. */
export type ListColumns<C extends Choosable = Choosable> = {
  list: ViewedList;
  all: readonly C[];
  /** The same array until others are chosen. */
  shown: readonly C[];
  /** Those that are shown as the list's address and its views have them; null: as at first. */
  part: string | null;
  /** Shows these, and keeps the choice. */
  show: (columns: readonly Choosable[]) => void;
  /** The same of what an address or a view says; one that names no columns (null) changes nothing. */
  take: (part: string | null | undefined) => void;
};

export function useColumns<C extends Choosable>(ws: string, list: ViewedList, all: readonly C[]): ListColumns<C> {
  const { part: written, choose } = useColumnChoice(ws, list, usePersonId(ws));
  const shown = useMemo(() => columnsOfPart(written, all), [written, all]);
  const show = (columns: readonly Choosable[]): void => {
    choose(partOfColumns(columns, all)).catch((error: unknown) =>
      tellDone(tr('Not stored. {why}', { why: toError(error).message }), null),
    );
  };
  return {
    list,
    all,
    shown,
    part: partOfColumns(shown, all),
    show,
    take: (part) => {
      if (part) show(columnsOfPart(part, all));
    },
  };
}
