import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataRows } from '../client/data-rows.ts';
import { queries } from '../client/queries.ts';
import { useColumns } from '../lists/use-columns.ts';
import type { AddressParts } from '../ui/address.ts';
import { selectionOf } from '../ui/grid/selection.ts';
import { useAddress } from '../ui/use-address.ts';
import { areCounted, COLUMNS_WITH_ASSIGNED, RECORDING_COLUMNS } from './columns.tsx';
import { filterRecordings, isNarrowed, type RecordingFilter } from './filter.ts';
import { partsOfRecordings, recordingsOfParts, useRecordingsView } from './store.ts';

/** The recordings as they are listed: filtered as the address says, one highlighted, some selected. */
export function useRecordingsList(ws: string) {
  const all = useQuery(queries.recordings(ws));
  const { filter, setFilter, chosen, choose, selected, select } = useRecordingsView(ws);
  const assigns = all.data?.some(({ assigned }) => assigned !== undefined) === true;
  const columns = useColumns(ws, 'recordings', assigns ? COLUMNS_WITH_ASSIGNED : RECORDING_COLUMNS);
  const data = useDataRows(ws, areCounted(columns.shown));
  const parts = { ...partsOfRecordings(filter), columns: columns.part };
  const take = (said: AddressParts): void => {
    setFilter(recordingsOfParts(said));
    columns.take(said.columns);
  };
  useAddress(parts, take);
  const rows = useMemo(() => filterRecordings(all.data ?? [], filter), [all.data, filter]);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
  const row = rows[at];
  const selection = selectionOf(rows, at, selected, select, ({ id }) => id);
  return {
    all,
    total: all.data?.length ?? 0,
    data,
    columns,
    parts,
    take,
    rows,
    at,
    row,
    selection,
    selected,
    filter,
    filtered: isNarrowed(filter),
    change: (part: Partial<RecordingFilter>): void => setFilter({ ...filter, ...part }),
    move: (to: number): void => choose(rows[Math.max(0, Math.min(rows.length - 1, to))]?.id ?? null),
  };
}

export type RecordingsList = ReturnType<typeof useRecordingsList>;
