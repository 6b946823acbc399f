import { Loader, SegmentedControl } from '@mantine/core';
import { IconChecklist, IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CompositionListed } from '../../schemas/api/compositions.ts';
import { VERIFICATION_STATES, type VerificationState } from '../../schemas/composition-terms.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, ErrorPanel, PageHeader, QueryError, RowKeys, TableHead } from '../ui/parts.tsx';
import { PrintedTables } from '../ui/printed-tables.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import { useUndoKey } from '../ui/toast.ts';
import { isUnsaved } from './draft.ts';
import { type Drafts, draftsOf, useDrafts } from './drafts.ts';
import { LawCounts } from './laws.tsx';
import { allLeft } from './left-edits.ts';
import { NewComposition } from './new-dialog.tsx';
import classes from './page.module.css';
import { deleteComposition } from './remove.ts';
import { verificationWords } from './verify-words.ts';
import { compositionKind } from './words.ts';

/** The compositions of a workspace: how many tasks each joins, which laws it breaks, how often it was run. */
export function CompositionsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions'],
    queryFn: ({ signal }) => client.compositions.list({ ws, ...askerOf(ws) }, { signal }),
  });
  const about = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', '', 'about'],
    queryFn: ({ signal }) => client.compositions.about({ ws, ...askerOf(ws) }, { signal }),
  });
  const cache = useQueryClient();
  const drafts = useDrafts((state) => state.drafts);
  const [making, setMaking] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const [chosen, setChosen] = useState(0);
  const [standing, setStanding] = useState<VerificationState | null>(null);
  const found = all.data ?? [];
  const rows = standing === null ? found : found.filter((one) => one.verification === standing);
  const at = Math.max(0, Math.min(chosen, rows.length - 1));
  const row = rows[at];
  const unwritable = about.data?.unwritable ?? null;
  const isReadable = row?.why === null;
  const remove = async (id: string): Promise<void> => {
    try {
      await deleteComposition(cache, ws, id);
      setFailed(null);
    } catch (error) {
      setFailed(error);
    }
  };
  useUndoKey('compositions');
  useHandlers('compositions', {
    'compositions.new': { run: () => setMaking(true), enabled: unwritable === null },
    'compositions.edit': { run: () => row && go(paths.editComposition(ws, row.id)), enabled: isReadable },
    'compositions.remove': {
      run: () => row && void remove(row.id),
      enabled: isReadable && unwritable === null,
    },
    'compositions.verify': () => go(paths.verification(ws)),
    'compositions.down': () => setChosen(at + 1),
    'compositions.up': () => setChosen(at - 1),
    'compositions.open': { run: () => row && go(paths.composition(ws, row.id)), enabled: isReadable },
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Compositions')}
        about={tr('Tasks joined: pathways, in which answers feed questions, and scenarios, a day on one stage')}
        actions={
          <>
            <CommandButton
              variant="default"
              icon={IconChecklist}
              command="compositions.verify"
              href={paths.verification(ws)}
            >
              {tr('To verify')}
            </CommandButton>
            <CommandButton
              icon={IconPlus}
              command="compositions.new"
              disabled={unwritable !== null}
              onClick={() => setMaking(true)}
            >
              {tr('New composition')}
            </CommandButton>
          </>
        }
      />
      <div className={classes.body}>
        <QueryError of={all} what={tr('The compositions could not be read.')} />
        {failed !== null && <ErrorPanel error={failed} what={tr('It was not deleted.')} compact />}
        {unwritable !== null && (
          <p className={classes.why}>
            {tr('This workspace can only be read, so nothing can be changed here. {why}', { why: unwritable })}
          </p>
        )}
        <Unsaved ws={ws} drafts={drafts} />
        {all.isPending && <Loader size="sm" aria-label={tr('Reading the compositions')} role="status" />}
        {all.data && found.length === 0 && (
          <EmptyState icon={<IconRoute size={22} />} title={tr('No compositions yet')}>
            {tr(
              'A composition joins tasks of the library. New composition makes one here; the command “compositions import” takes one from a file.',
            )}
          </EmptyState>
        )}
        {found.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label={tr('Verification')}
            className={classes.filter}
            value={standing ?? ''}
            onChange={(value) => setStanding(VERIFICATION_STATES.find((one) => one === value) ?? null)}
            data={[
              { value: '', label: tr('All') },
              ...VERIFICATION_STATES.map((value) => ({ value, label: verificationWords(value) })),
            ]}
          />
        )}
        {found.length > 0 && rows.length === 0 && <p className={classes.told}>{tr('None of them.')}</p>}
        {rows.length > 0 && (
          <>
            <RowKeys
              keys={[
                [tr('choose'), 'compositions.down', 'compositions.up'],
                [tr('open it'), 'compositions.open'],
                [tr('edit it'), 'compositions.edit'],
                [tr('delete it'), 'compositions.remove'],
              ]}
            />
            <Rows ws={ws} rows={rows} at={at} onChoose={setChosen} />
            <div className={classes.after}>
              <PrintedTables heading={tr('As the papers print it')} tables={about.data?.tables ?? []} />
            </div>
          </>
        )}
      </div>
      {making && <NewComposition ws={ws} taken={found.map(({ id }) => id)} onClose={() => setMaking(false)} />}
    </div>
  );
}

/** Drafts that were left by the browser's Back while they were edited, and those of tabs that are gone. */
function Unsaved({ ws, drafts }: { ws: string; drafts: Drafts }): ReactNode {
  const here = draftsOf(drafts, ws).flatMap(([id, draft]): [string, string][] =>
    isUnsaved(draft) ? [[id, draft.now.title || id]] : [],
  );
  const unsaved = [...new Map([...allLeft(ws), ...here])];
  if (unsaved.length === 0) return null;
  return (
    <p className={classes.told}>
      {tr('Edited, and not saved yet:')}{' '}
      {unsaved.map(([id, title]) => (
        <Link key={id} href={paths.editComposition(ws, id)} className={classes.link}>
          {title}
        </Link>
      ))}
    </p>
  );
}

function Rows(props: {
  ws: string;
  rows: readonly CompositionListed[];
  at: number;
  onChoose: (at: number) => void;
}): ReactNode {
  const { ws, rows, at, onChoose } = props;
  const columns = [
    tr('Composition'),
    tr('Title'),
    tr('Kind'),
    tr('Level'),
    tr('Tasks'),
    tr('Laws'),
    tr('Runs'),
    tr('Verification'),
  ];
  return (
    <SideScroll label={tr('Compositions')}>
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
                <td colSpan={7} className={classes.refused}>
                  {one.why}
                </td>
              ) : (
                <>
                  <td className={classes.words}>
                    <span className={classes.title}>{one.title}</span>
                    {one.template !== null && (
                      <span className={classes.fine}> {tr('instance of {template}', { template: one.template })}</span>
                    )}
                  </td>
                  <td>{compositionKind(one.kind)}</td>
                  <td>{one.level ?? '–'}</td>
                  <td>{one.kept ? '' : one.members}</td>
                  <td>{one.laws && <LawCounts {...one.laws} />}</td>
                  <td>{one.kept ? '' : one.runs}</td>
                  <td>
                    <Link href={paths.verify(ws, one.id)} className={classes.link}>
                      {one.kept ? tr('You do it blind') : verificationWords(one.verification)}
                    </Link>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  );
}
