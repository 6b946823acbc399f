import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataRows } from '../client/data-rows.ts';
import { queries } from '../client/queries.ts';
import { useColumns } from '../lists/use-columns.ts';
import type { AddressParts } from '../ui/address.ts';
import { selectionOf } from '../ui/grid/selection.ts';
import { useAddress } from '../ui/use-address.ts';
import { libraryOfParts, partsOfLibrary } from './address.ts';
import { TASK_COLUMNS } from './columns.tsx';
import { countEntries, filterEntries, proofsOfTasks, sortEntries, toEntries } from './filter.ts';
import { useLibraryView } from './store.ts';

/** The tasks as they are listed: read, counted, filtered and sorted as the address says, one highlighted, some selected. */
export function useLibrary(ws: string) {
  const tasks = useQuery(queries.tasks(ws));
  const software = useQuery(queries.software(ws));
  const { filter, sort, chosen } = useLibraryView(ws);
  const { setFilter, setSort, choose, selected, select } = useLibraryView(ws);
  const columns = useColumns(ws, 'library', TASK_COLUMNS);
  const parts = { ...partsOfLibrary(filter, sort), columns: columns.part };
  const take = (said: AddressParts): void => {
    const view = libraryOfParts(said);
    setFilter(view.filter);
    setSort(view.sort);
    columns.take(said.columns);
  };
  useAddress(parts, take);
  const wantsProof = filter.proof !== null || columns.shown.some(({ id }) => id === 'proof');
  const data = useDataRows(ws, wantsProof);
  const proofs = useMemo(() => (wantsProof && data ? proofsOfTasks(data.values()) : null), [wantsProof, data]);
  const entries = useMemo(
    () => toEntries(tasks.data ?? [], software.data ?? [], proofs),
    [tasks.data, software.data, proofs],
  );
  const sorted = useMemo(() => sortEntries(entries, sort), [entries, sort]);
  const shown = useMemo(() => filterEntries(sorted, filter), [sorted, filter]);
  const counts = useMemo(() => countEntries(entries), [entries]);
  // The first one counts until somebody chooses another.
  const at = Math.max(
    0,
    shown.findIndex((entry) => entry.row.id === chosen),
  );

  const rows = useMemo(() => shown.map(({ row }) => row), [shown]);
  const selection = selectionOf(rows, at, selected, select, ({ id }) => id);
  const idAt = (to: number): string | null => shown[to]?.row.id ?? null;
  return {
    tasks,
    software: software.data ?? [],
    loading: tasks.data === undefined || data === null,
    filter,
    setFilter,
    sort,
    setSort,
    columns,
    parts,
    take,
    entries,
    counts,
    shown,
    at,
    selection,
    selected,
    choose,
    move: (to: number): void => choose(idAt(Math.max(0, Math.min(shown.length - 1, to)))),
    withChosen(then: (id: string) => void): void {
      const id = idAt(at);
      if (id !== null) then(id);
    },
  };
}

export type LibraryList = ReturnType<typeof useLibrary>;
