import { Select, Switch, TextInput } from '@mantine/core';
import { IconFileImport, IconSearch, IconVideo, IconZoomCancel } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { useDataRows } from '../client/data-rows.ts';
import { paths } from '../client/paths.ts';
import { queries, useLibraryChanges } from '../client/queries.ts';
import { takeImport, useArrivals } from '../desktop/arrivals.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { tr, trParts } from '../language/tr.ts';
import { ColumnsMenu } from '../lists/columns-menu.tsx';
import { SavedViews } from '../lists/saved-views.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { type AddressParts, listPart } from '../ui/address.ts';
import { BulkBar } from '../ui/grid/bulk-bar.tsx';
import { selectionOf } from '../ui/grid/selection.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError, RowKeys } from '../ui/parts.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { useAddress } from '../ui/use-address.ts';
import { RecordingActions, useRecordingActions } from './actions.tsx';
import { areCounted, RECORDING_COLUMNS } from './columns.tsx';
import { EVERYTHING, filterRecordings, type RecordingFilter } from './filter.ts';
import { PreviewPane } from './preview-pane.tsx';
import { partsOfRecordings, recordingsOfParts, useRecordingsView } from './store.ts';
import classes from './table.module.css';
import { RecordingsTable } from './table.tsx';

/** Every recording of the workspace, newest first. */
export function RecordingsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  useLibraryChanges(ws);
  const all = useQuery(queries.recordings(ws));
  const { filter, setFilter, chosen, choose, selected, select } = useRecordingsView(ws);
  const columns = useColumns(ws, 'recordings', RECORDING_COLUMNS);
  const data = useDataRows(ws, areCounted(columns.shown));
  const parts = { ...partsOfRecordings(filter), columns: columns.part };
  const take = (said: AddressParts): void => {
    setFilter(recordingsOfParts(said));
    columns.take(said.columns);
  };
  useAddress(parts, take);
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
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  );
  const row = rows[at];
  const selection = selectionOf(rows, at, selected, select, ({ id }) => id);
  const { picked } = selection;
  const inDataset = (): void => {
    const ids = encodeURIComponent(listPart(selection.target.map(({ id }) => id)) ?? '');
    go(`${paths.dataset(ws)}?recordings=${ids}`);
  };
  const filtered = filter.text !== '' || filter.state !== null || filter.doubtful;
  const change = (part: Partial<RecordingFilter>): void => setFilter({ ...filter, ...part });
  const move = (to: number): void => choose(rows[Math.max(0, Math.min(rows.length - 1, to))]?.id ?? null);
  useHandlers('recordings', {
    'recordings.search': () => search.current?.focus(),
    'recordings.import': () => setImporting(true),
    'recordings.down': () => move(at + 1),
    'recordings.up': () => move(at - 1),
    'recordings.open': { run: () => row && go(paths.annotate(ws, row.id)), enabled: row !== undefined },
    'recordings.review': { run: () => row && go(paths.review(ws, row.id)), enabled: row !== undefined },
    'recordings.play': { run: () => row && go(paths.play(ws, row.id)), enabled: row !== undefined },
    'recordings.plan': { run: () => row && actions.askPlan(row), enabled: row !== undefined },
    'recordings.export': { run: () => row && actions.askExport(row), enabled: row !== undefined },
    'recordings.remove': { run: () => actions.askRemove(selection.target), enabled: row !== undefined },
    'recordings.select': { run: () => row && selection.toggle(row.id), enabled: row !== undefined },
    'recordings.selectAll': { run: selection.toggleAll, enabled: row !== undefined },
    'recordings.dataset': { run: inDataset, enabled: row !== undefined },
    'recordings.clear': {
      run: () => (picked.length > 0 ? selection.clear() : change(EVERYTHING)),
      enabled: picked.length > 0 || filtered,
    },
  });
  const total = all.data?.length ?? 0;
  const importButton = (
    <CommandButton
      variant={total === 0 ? 'filled' : 'default'}
      icon={IconFileImport}
      command="recordings.import"
      onClick={() => setImporting(true)}
    >
      {tr('Import')}
    </CommandButton>
  );
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Recordings')}
        about={
          all.data
            ? filtered
              ? tr('{rows, number} of {total, plural, one {# recording} other {# recordings}}', {
                  rows: rows.length,
                  total,
                })
              : tr('{total, plural, one {# recording} other {# recordings}}', { total })
            : tr('Loading the recordings …')
        }
        actions={total > 0 && importButton}
      />
      <QueryError of={all} what={tr('The recordings could not be read.')} />
      {all.data && total === 0 && (
        <EmptyState icon={<IconVideo size={22} />} title={tr('No recordings yet')} actions={importButton}>
          {tr('Open a task in the library and press Record, or import a recording that was made on another machine.')}
        </EmptyState>
      )}
      {total > 0 && (
        <>
          <search className={classes.filters} aria-label={tr('Recordings')}>
            <TextInput
              ref={search}
              className={classes.search}
              aria-label={tr('Search recordings')}
              placeholder={tr('Search by task, goal, software or id')}
              leftSection={<IconSearch size={14} aria-hidden />}
              rightSection={<Kbd command="recordings.search" />}
              rightSectionPointerEvents="none"
              value={filter.text}
              onChange={(event) => change({ text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') move(at + 1);
                else if (event.key === 'ArrowUp') move(at - 1);
                else if (event.key === 'Enter' && row) go(paths.annotate(ws, row.id));
                else return;
                event.preventDefault();
              }}
            />
            <Select
              aria-label={tr('State')}
              w={160}
              data={[
                { value: '', label: tr('Any state') },
                ...RECORDING_STATES.map((value) => ({ value, label: STATE_NAMES[value] })),
              ]}
              value={filter.state ?? ''}
              onChange={(value) => change({ state: RECORDING_STATES.find((state) => state === value) ?? null })}
              allowDeselect={false}
            />
            <Switch
              label={tr('Only recordings with problems')}
              checked={filter.doubtful}
              onChange={(event) => change({ doubtful: event.currentTarget.checked })}
            />
            <SavedViews ws={ws} columns={columns} parts={parts} onTake={take} />
            <ColumnsMenu columns={columns} />
            {filtered && (
              <CommandButton variant="subtle" command="recordings.clear" onClick={() => change(EVERYTHING)}>
                {tr('Clear filters')}
              </CommandButton>
            )}
            <RowKeys
              keys={[
                [tr('choose'), 'recordings.down', 'recordings.up'],
                [tr('annotate'), 'recordings.open'],
              ]}
            />
          </search>
          {picked.length > 0 && (
            <BulkBar
              words={tr('{picked, plural, one {# recording} other {# recordings}} selected', { picked: picked.length })}
              clear="recordings.clear"
              onClear={selection.clear}
            >
              <CommandButton variant="default" size="compact-sm" command="recordings.dataset" onClick={inDataset}>
                {tr('Show in the data set')}
              </CommandButton>
              <CommandButton
                variant="default"
                color="red"
                size="compact-sm"
                command="recordings.remove"
                onClick={() => actions.askRemove(picked)}
              >
                {tr('Remove …')}
              </CommandButton>
            </BulkBar>
          )}
          {rows.length > 0 ? (
            <div className={classes.beside}>
              <RecordingsTable
                selecting={{ ...selection, selected }}
                ws={ws}
                rows={rows}
                columns={columns.shown}
                {...(data && { data })}
                at={at}
                withTask
                actions={actions}
                onChoose={move}
                onOpen={(id) => go(paths.annotate(ws, id))}
                onReview={(id) => go(paths.review(ws, id))}
              />
              <PreviewPane ws={ws} row={row} />
            </div>
          ) : (
            <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching recordings')}>
              {trParts('Try fewer words or different filters; {kbd} shows all again.', {
                kbd: <Kbd command="recordings.clear" />,
              })}
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
      <RecordingActions ws={ws} actions={actions} scope="recordings" />
    </div>
  );
}
