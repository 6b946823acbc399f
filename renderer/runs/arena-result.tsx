import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ArenaTableShown } from '../../schemas/api/arena.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { QueryError, TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './arena.module.css';

/** What all rankings come to, with names. */
export function ArenaResult({ ws, person }: { ws: string; person: string }): ReactNode {
  const result = useQuery({
    queryKey: ['of', ws, 'arena', 'result', person],
    queryFn: ({ signal }) => client.arena.result({ ws, person }, { signal }),
    gcTime: 0,
  });
  const table = result.data?.table;
  return (
    <section aria-labelledby="arena-result">
      <h2 id="arena-result">{tr('What all rankings come to')}</h2>
      <QueryError of={result} what={tr('The rankings could not be read.')} />
      {table && <Table table={table} />}
    </section>
  );
}

const between = (bounds: { low: number; high: number } | null): string =>
  bounds ? ` (${bounds.low.toFixed(2)}–${bounds.high.toFixed(2)})` : '';

function Table({ table }: { table: ArenaTableShown }): ReactNode {
  const { rows, rankings, people, agreement } = table;
  const columns = [tr('Agent'), tr('Mean rank'), tr('Strength'), tr('Rankings')];
  return (
    <>
      <SideScroll labelledBy="arena-result">
        <table className={classes.table}>
          <TableHead columns={columns} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name === 'human' ? tr('a person') : row.name}</th>
                <td>
                  {row.meanRank.toFixed(2)}
                  {between(row.meanRankBounds)}
                </td>
                <td>
                  {row.strength.toFixed(2)}
                  {between(row.strengthBounds)}
                </td>
                <td>{row.rankings}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </SideScroll>
      <p className={classes.note}>
        {tr(
          '{rankings, plural, one {# ranking} other {# rankings}} by {people, plural, one {# person} other {# people}}. Strength is Bradley and Terry’s (log odds against the mean); in brackets the 95 % interval.',
          { rankings, people },
        )}{' '}
        {agreement === null
          ? tr('Nobody ranked the same outcomes as somebody else yet, so nothing can be said of how far people agree.')
          : tr('Agreement (Kendall’s W, 0 to 1): {agreement, number, ::.00}.', { agreement })}
      </p>
    </>
  );
}
