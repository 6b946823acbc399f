import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DataRow } from '../../schemas/dataset.ts';
import { queries } from './queries.ts';

const NONE: ReadonlyMap<string, DataRow> = new Map();

/** What the data set counted of each recording, by its id; asked for only when it is `wanted`. Null: on its way. */
export function useDataRows(ws: string, wanted: boolean): ReadonlyMap<string, DataRow> | null {
  const { data, isError } = useQuery({
    ...queries.dataRows(ws),
    enabled: wanted,
    refetchInterval: ({ state }) => (state.data && state.data.uncounted > 0 ? 2000 : false),
  });
  const rows = useMemo(() => data && new Map(data.rows.map((row) => [row.recording, row])), [data]);
  // A list goes on without them: its own answer is there.
  return rows ?? (wanted && !isError ? null : NONE);
}
