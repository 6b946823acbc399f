import { Loader } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CompositionListed } from '../../schemas/api/compositions.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError, RowKeys, TableHead } from '../ui/parts.tsx';
import { LawCounts } from './laws.tsx';
import classes from './page.module.css';
import { compositionKind } from './words.ts';

/** The compositions of a workspace: how many tasks each joins, which laws it breaks, how often it was run. */
export function CompositionsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions'],
    queryFn: ({ signal }) => client.compositions.list({ ws }, { signal }),
  });
  const [chosen, setChosen] = useState(0);
  const rows = all.data ?? [];
  const at = Math.max(0, Math.min(chosen, rows.length - 1));
  const row = rows[at];
  useHandlers('compositions', {
    'compositions.down': () => setChosen(at + 1),
    'compositions.up': () => setChosen(at - 1),
    'compositions.open': { run: () => row && go(paths.composition(ws, row.id)), enabled: row?.why === null },
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Compositions')}
        about={tr('Tasks joined: pathways, in which answers feed questions, and scenarios, a day on one stage')}
      />
      <div className={classes.body}>
        <QueryError of={all} what={tr('The compositions could not be read.')} />
        {all.isPending && <Loader size="sm" aria-label={tr('Reading the compositions')} role="status" />}
        {all.data && rows.length === 0 && (
          <EmptyState icon={<IconRoute size={22} />} title={tr('No compositions yet')}>
            {tr(
              'The command “compositions new” makes one of tasks of the library, and “compositions import” takes one from a file. Both stand here then.',
            )}
          </EmptyState>
        )}
        {rows.length > 0 && (
          <>
            <RowKeys
              keys={[
                [tr('choose'), 'compositions.down', 'compositions.up'],
                [tr('open it'), 'compositions.open'],
              ]}
            />
            <Rows ws={ws} rows={rows} at={at} onChoose={setChosen} />
          </>
        )}
      </div>
    </div>
  );
}

function Rows(props: {
  ws: string;
  rows: readonly CompositionListed[];
  at: number;
  onChoose: (at: number) => void;
}): ReactNode {
  const { ws, rows, at, onChoose } = props;
  const columns = [tr('Composition'), tr('Title'), tr('Kind'), tr('Level'), tr('Tasks'), tr('Laws'), tr('Runs')];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by key
    <section className={classes.scroll} tabIndex={0} aria-label={tr('Compositions')}>
      <table className={classes.list}>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((one, n) => (
            <tr key={one.id} data-chosen={n === at} onClick={() => onChoose(n)}>
              <th scope="row">
                {one.why === null ? (
                  <Link
                    href={paths.composition(ws, one.id)}
                    className={classes.link}
                    aria-current={n === at ? 'true' : undefined}
                  >
                    {one.id}
                  </Link>
                ) : (
                  one.id
                )}
              </th>
              {one.why !== null || one.kind === null ? (
                <td colSpan={6} className={classes.refused}>
                  {one.why}
                </td>
              ) : (
                <>
                  <td className={classes.words}>{one.title}</td>
                  <td>{compositionKind(one.kind)}</td>
                  <td>{one.level ?? '–'}</td>
                  <td>{one.members}</td>
                  <td>
                    <LawCounts broken={one.broken} notes={one.notes} />
                  </td>
                  <td>{one.runs}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
