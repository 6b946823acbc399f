import { Button, Select, Switch, TextInput } from '@mantine/core';
import { IconFileImport, IconSearch, IconVideo, IconZoomCancel } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Kbd } from '../app/keys/kbd.tsx';
import { useHandlers } from '../app/keys/use-commands.ts';
import { paths } from '../app/paths.ts';
import { queries, useLibraryChanges } from '../app/queries.ts';
import { plural } from '../app/ui/format.ts';
import { EmptyState, ErrorPanel, PageHeader, RowKeys } from '../app/ui/parts.tsx';
import { STATE_NAMES } from '../app/ui/states.tsx';
import { takeImport, useArrivals } from '../desktop/arrivals.ts';
import { RecordingActions, useRecordingActions } from './actions.tsx';
import { EVERYTHING, filterRecordings, type RecordingFilter } from './filter.ts';
import { ImportDialog } from './import-dialog.tsx';
import classes from './table.module.css';
import { RecordingsTable } from './table.tsx';

const STATES = ['recorded', 'annotating', 'annotated', 'in-review', 'rejected', 'approved'] as const;

/** Every recording of the workspace, newest first. */
export function RecordingsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  useLibraryChanges(ws);
  const all = useQuery(queries.recordings(ws));
  const [filter, setFilter] = useState<RecordingFilter>(EVERYTHING);
  const [chosen, setChosen] = useState(0);
  const [importing, setImporting] = useState(false);
  const arrived = useArrivals((state) => state.importPath);
  const [given, setGiven] = useState('');
  useEffect(() => {
    const path = arrived === null ? null : takeImport();
    if (path === null) return;
    setGiven(path);
    setImporting(true);
  }, [arrived]);
  const search = useRef<HTMLInputElement>(null);
  const actions = useRecordingActions();
  const rows = useMemo(() => filterRecordings(all.data ?? [], filter), [all.data, filter]);
  const at = Math.max(0, Math.min(chosen, rows.length - 1));
  const row = rows[at];
  const filtered = filter.text !== '' || filter.state !== null || filter.doubtful;
  const change = (part: Partial<RecordingFilter>): void => {
    setFilter({ ...filter, ...part });
    setChosen(0);
  };
  useHandlers('recordings', {
    'recordings.search': () => search.current?.focus(),
    'recordings.import': () => setImporting(true),
    'recordings.down': () => setChosen(at + 1),
    'recordings.up': () => setChosen(Math.max(0, at - 1)),
    'recordings.open': { run: () => row && go(paths.annotate(ws, row.id)), enabled: row !== undefined },
    'recordings.review': { run: () => row && go(paths.review(ws, row.id)), enabled: row !== undefined },
    'recordings.plan': { run: () => row && actions.askPlan(row), enabled: row !== undefined },
    'recordings.export': { run: () => row && actions.askExport(row), enabled: row !== undefined },
    'recordings.remove': { run: () => row && actions.askRemove(row), enabled: row !== undefined },
    'recordings.clear': { run: () => change(EVERYTHING), enabled: filtered },
  });
  const total = all.data?.length ?? 0;
  const importButton = (
    <Button
      variant={total === 0 ? 'filled' : 'default'}
      leftSection={<IconFileImport size={15} aria-hidden />}
      rightSection={<Kbd command="recordings.import" />}
      onClick={() => setImporting(true)}
    >
      Import
    </Button>
  );
  return (
    <div className={classes.page}>
      <PageHeader
        title="Recordings"
        about={
          all.data
            ? filtered
              ? `${rows.length.toLocaleString('en')} of ${plural(total, 'recording')}`
              : plural(total, 'recording')
            : 'Loading the recordings …'
        }
        actions={total > 0 && importButton}
      />
      {all.error && (
        <ErrorPanel error={all.error} what="The recordings could not be read." onRetry={() => void all.refetch()} />
      )}
      {all.data && total === 0 && (
        <EmptyState icon={<IconVideo size={22} />} title="No recordings yet" actions={importButton}>
          Open a task in the library and press Record, or import a recording that was made on another machine.
        </EmptyState>
      )}
      {total > 0 && (
        <>
          <search className={classes.filters} aria-label="Recordings">
            <TextInput
              ref={search}
              className={classes.search}
              aria-label="Search recordings"
              placeholder="Search by task, goal, software or id"
              leftSection={<IconSearch size={14} aria-hidden />}
              rightSection={<Kbd command="recordings.search" />}
              rightSectionPointerEvents="none"
              value={filter.text}
              onChange={(event) => change({ text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') setChosen(at + 1);
                else if (event.key === 'ArrowUp') setChosen(Math.max(0, at - 1));
                else if (event.key === 'Enter' && row) go(paths.annotate(ws, row.id));
                else return;
                event.preventDefault();
              }}
            />
            <Select
              aria-label="State"
              w={160}
              data={[
                { value: '', label: 'Any state' },
                ...STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
              ]}
              value={filter.state ?? ''}
              onChange={(value) => change({ state: STATES.find((state) => state === value) ?? null })}
              allowDeselect={false}
            />
            <Switch
              label="Only doubtful data"
              checked={filter.doubtful}
              onChange={(event) => change({ doubtful: event.currentTarget.checked })}
            />
            {filtered && (
              <Button
                variant="subtle"
                rightSection={<Kbd command="recordings.clear" />}
                onClick={() => change(EVERYTHING)}
              >
                Show all
              </Button>
            )}
            <RowKeys
              keys={[
                ['choose', 'recordings.down', 'recordings.up'],
                ['annotate', 'recordings.open'],
              ]}
            />
          </search>
          {rows.length > 0 ? (
            <RecordingsTable
              ws={ws}
              rows={rows}
              at={at}
              withTask
              actions={actions}
              onChoose={setChosen}
              onOpen={(id) => go(paths.annotate(ws, id))}
              onReview={(id) => go(paths.review(ws, id))}
            />
          ) : (
            <EmptyState icon={<IconZoomCancel size={22} />} title="No recording fits">
              Use fewer words or other choices; <Kbd command="recordings.clear" /> shows all again.
            </EmptyState>
          )}
        </>
      )}
      <ImportDialog
        ws={ws}
        opened={importing}
        path={given}
        onClose={() => {
          setImporting(false);
          setGiven('');
        }}
      />
      <RecordingActions ws={ws} actions={actions} />
    </div>
  );
}
