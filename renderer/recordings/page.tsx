import { IconFileImport, IconVideo, IconZoomCancel } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { takeImport, useArrivals } from '../desktop/arrivals.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { tr, trParts } from '../language/tr.ts';
import { PreviewPane } from '../lists/preview-pane.tsx';
import { listPart } from '../ui/address.ts';
import { BulkBar } from '../ui/grid/bulk-bar.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError } from '../ui/parts.tsx';
import { RecordingActions, useRecordingActions } from './actions.tsx';
import { EVERYTHING } from './filter.ts';
import { RecordingFilters } from './recording-filters.tsx';
import classes from './table.module.css';
import { RecordingsTable } from './table.tsx';
import { useRecordingsList } from './use-recordings-list.ts';

/** Every recording of the workspace, newest first. */
export function RecordingsPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const list = useRecordingsList(ws);
  const { all, total, data, columns, rows, at, row, selection, selected, filtered, change, move } = list;
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
  const { picked } = selection;
  const inDataset = (): void => {
    const ids = encodeURIComponent(listPart(selection.target.map(({ id }) => id)) ?? '');
    go(`${paths.dataset(ws)}?recordings=${ids}`);
  };
  const annotate = (id: string): void => go(paths.annotate(ws, id));
  useHandlers('recordings', {
    'recordings.search': () => search.current?.focus(),
    'recordings.import': () => setImporting(true),
    'recordings.down': () => move(at + 1),
    'recordings.up': () => move(at - 1),
    'recordings.open': { run: () => row && annotate(row.id), enabled: row !== undefined },
    'recordings.review': { run: () => row && go(paths.review(ws, row.id)), enabled: row !== undefined },
    'recordings.candidates': { run: () => row && go(paths.candidates(ws, row.id)), enabled: row !== undefined },
    'recordings.play': { run: () => row && go(paths.play(ws, row.id)), enabled: row !== undefined },
    'recordings.plan': { run: () => row && actions.askPlan(row), enabled: row !== undefined },
    'recordings.assign': { run: () => actions.askAssign(selection.target), enabled: row !== undefined },
    'recordings.export': { run: () => row && actions.askExport(row), enabled: row !== undefined },
    'recordings.skill': { run: () => row && go(paths.skill(ws, row.task, row.id)), enabled: row !== undefined },
    'recordings.remove': { run: () => actions.askRemove(selection.target), enabled: row !== undefined },
    'recordings.select': { run: () => row && selection.toggle(row.id), enabled: row !== undefined },
    'recordings.selectAll': { run: selection.toggleAll, enabled: row !== undefined },
    'recordings.dataset': { run: inDataset, enabled: row !== undefined },
    'recordings.clear': {
      run: () => (picked.length > 0 ? selection.clear() : change(EVERYTHING)),
      enabled: picked.length > 0 || filtered,
    },
  });
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
          <RecordingFilters ws={ws} list={list} search={search} onOpen={annotate} />
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
                size="compact-sm"
                command="recordings.assign"
                onClick={() => actions.askAssign(picked)}
              >
                {tr('Assign …')}
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
                onOpen={annotate}
                onReview={(id) => go(paths.review(ws, id))}
              />
              <PreviewPane ws={ws} row={row} />
            </div>
          ) : (
            <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching recordings')}>
              {trParts('Try fewer words or different filters; {kbd} shows all again.', {
                kbd: <Kbd command="recordings.clear" main />,
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
