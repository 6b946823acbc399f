import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { QueryError } from '../ui/parts.tsx';
import { PrintedTables } from '../ui/printed-tables.tsx';

/** What runs on stages came to, as the papers lay it out; nothing where there is none. It does not depend on the question set. */
export function StageTables({ ws }: { ws: string }): ReactNode {
  const person = askerOf(ws);
  const found = useQuery({
    queryKey: ['of', ws, 'recordings', 'run-tables', person],
    queryFn: ({ signal }) => client.runs.tables({ ws, ...person }, { signal }),
  });
  return (
    <>
      <QueryError of={found} what={tr('The runs could not be read.')} />
      <PrintedTables heading={tr('Runs on stages, as the papers print them')} tables={found.data ?? []} open />
    </>
  );
}
