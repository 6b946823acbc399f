import { IconFileImport, IconPlus, IconTable, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { RecordingRow, TaskRow } from '../../schemas/api/models.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { tr } from '../language/tr.ts';
import { AssignDialog } from '../lists/assign-dialog.tsx';
import { PreviewPane, useWide } from '../lists/preview-pane.tsx';
import { BulkBar } from '../ui/grid/bulk-bar.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { useUndoKey } from '../ui/toast.ts';
import { isFiltered, NO_FILTER, type TaskSort } from './filter.ts';
import { NewTaskDialog } from './new-task.tsx';
import classes from './page.module.css';
import { PeopleDialog } from './people.tsx';
import { SoftwareSidebar } from './sidebar.tsx';
import { SoftwareDialog } from './software-dialog.tsx';
import { TableDialog } from './table-dialog.tsx';
import { useTaskActs, willClose } from './task-acts.ts';
import { TaskFilters } from './task-filters.tsx';
import { NoTasks, TasksTable } from './tasks-table.tsx';
import { useLibrary } from './use-library.ts';

type Dialog = 'task' | 'software' | 'people' | 'import' | 'assign' | 'table' | null;
const PAGE_ROWS = 12;

/** The library: software at the left, its tasks as a table that is searched, filtered, sorted and walked by keyboard. */
export function LibraryPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const list = useLibrary(ws);
  const { tasks, software, filter, setFilter, sort, setSort, columns, entries, counts, shown, at } = list;
  const { selection, selected, choose, move, withChosen } = list;
  const [dialog, setDialog] = useState<Dialog>(null);
  const search = useRef<HTMLInputElement>(null);

  const { closing, closeOrReopen, inDataset } = useTaskActs(ws, selection.target);
  const wide = useWide();
  const recordings = useQuery({ ...queries.recordings(ws), enabled: wide || dialog === 'assign' }).data;
  const previewed = recordings?.find(({ task }) => task === shown[at]?.row.id);
  const open = (id: string): void => go(paths.task(ws, id));

  useHandlers('library', {
    'library.search': () => {
      search.current?.focus();
      search.current?.select();
    },
    'library.new': () => setDialog('task'),
    'library.table': () => setDialog('table'),
    'library.software': () => setDialog('software'),
    'library.people': () => setDialog('people'),
    'library.import': () => setDialog('import'),
    'library.down': () => move(at + 1),
    'library.up': () => move(at - 1),
    'library.first': () => move(0),
    'library.last': () => move(shown.length - 1),
    'library.pageDown': () => move(at + PAGE_ROWS),
    'library.pageUp': () => move(at - PAGE_ROWS),
    'library.open': () => withChosen(open),
    'library.record': () => withChosen((id) => go(paths.record(ws, id))),
    'library.select': { run: () => withChosen(selection.toggle), enabled: shown.length > 0 },
    'library.selectAll': { run: selection.toggleAll, enabled: shown.length > 0 },
    'library.close': { run: closeOrReopen, enabled: shown.length > 0 && !closing.isPending },
    'library.assign': { run: () => setDialog('assign'), enabled: shown.length > 0 },
    'library.dataset': { run: inDataset, enabled: shown.length > 0 },
    'library.clear': {
      run: () => (selection.picked.length > 0 ? selection.clear() : setFilter(NO_FILTER)),
      enabled: selection.picked.length > 0 || isFiltered(filter),
    },
  });

  useUndoKey('library');

  const nothingYet = tasks.data?.length === 0;
  return (
    <div className={classes.page}>
      <SoftwareSidebar
        software={software}
        counts={counts.software}
        total={entries.length}
        chosen={filter.software}
        onChoose={(id) => setFilter({ ...filter, software: id })}
        onAdd={() => setDialog('software')}
      />
      <div className={classes.content}>
        <PageHeader
          title={tr('Library')}
          about={tasks.data ? describe(shown.length, entries.length) : tr('Loading the tasks …')}
          actions={
            <>
              <CommandButton
                variant="default"
                icon={IconUsers}
                command="library.people"
                onClick={() => setDialog('people')}
              >
                {tr('People')}
              </CommandButton>
              <CommandButton
                variant="default"
                icon={IconFileImport}
                command="library.import"
                onClick={() => setDialog('import')}
              >
                {tr('Import')}
              </CommandButton>
              <CommandButton
                variant="default"
                icon={IconTable}
                command="library.table"
                onClick={() => setDialog('table')}
              >
                {tr('From a table')}
              </CommandButton>
              <CommandButton icon={IconPlus} command="library.new" onClick={() => setDialog('task')}>
                {tr('New task')}
              </CommandButton>
            </>
          }
        />
        <QueryError of={tasks} what={tr('The tasks could not be read.')} />
        {nothingYet && <NoTasks onNew={() => setDialog('task')} onImport={() => setDialog('import')} />}
        {!nothingYet && !tasks.error && (
          <>
            <TaskFilters ws={ws} list={list} search={search} onOpen={open} />
            {selection.picked.length > 0 && (
              <BulkBar
                words={tr('{picked, plural, one {# task} other {# tasks}} selected', {
                  picked: selection.picked.length,
                })}
                clear="library.clear"
                onClear={selection.clear}
              >
                <CommandButton
                  variant="default"
                  size="compact-sm"
                  loading={closing.isPending}
                  command="library.close"
                  onClick={closeOrReopen}
                >
                  {willClose(selection.target) ? tr('Close') : tr('Reopen')}
                </CommandButton>
                <CommandButton
                  variant="default"
                  size="compact-sm"
                  command="library.assign"
                  onClick={() => setDialog('assign')}
                >
                  {tr('Assign …')}
                </CommandButton>
                <CommandButton variant="default" size="compact-sm" command="library.dataset" onClick={inDataset}>
                  {tr('Show in the data set')}
                </CommandButton>
              </BulkBar>
            )}
            {closing.error && <ErrorPanel error={closing.error} what={tr('Not every task was changed.')} compact />}
            <div className={classes.beside}>
              <TasksTable
                ws={ws}
                selected={selected}
                everySelected={selection.every}
                someSelected={selection.picked.length > 0}
                onToggle={selection.toggle}
                onToggleAll={selection.toggleAll}
                entries={shown}
                columns={columns.shown}
                at={at}
                loading={list.loading}
                sort={sort}
                onSort={(key: TaskSort['key']) =>
                  setSort({ key, descending: sort.key === key ? !sort.descending : false })
                }
                onChoose={(id) => choose(id)}
                onOpen={open}
              />
              <PreviewPane ws={ws} row={previewed} />
            </div>
          </>
        )}
      </div>
      <NewTaskDialog
        ws={ws}
        opened={dialog === 'task'}
        software={software}
        initialSoftware={filter.software}
        onClose={() => setDialog(null)}
        onMade={open}
      />
      <TableDialog ws={ws} opened={dialog === 'table'} software={software} onClose={() => setDialog(null)} />
      <SoftwareDialog ws={ws} opened={dialog === 'software'} onClose={() => setDialog(null)} />
      <PeopleDialog ws={ws} opened={dialog === 'people'} onClose={() => setDialog(null)} />
      <AssignDialog
        ws={ws}
        rows={dialog === 'assign' && recordings ? recordingsOf(recordings, selection.target) : null}
        scope="library"
        onClose={() => setDialog(null)}
      />
      <ImportDialog ws={ws} opened={dialog === 'import'} onClose={() => setDialog(null)} />
    </div>
  );
}

/** The recordings of these tasks whose work can be assigned. */
function recordingsOf(all: readonly RecordingRow[], tasks: readonly Pick<TaskRow, 'id'>[]): RecordingRow[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return all.filter(({ task, phase, state }) => ids.has(task) && phase === 'closed' && state !== 'approved');
}

function describe(shown: number, all: number): string {
  return shown === all
    ? tr('{all, plural, one {# task} other {# tasks}}', { all })
    : tr('{shown, number} of {all, plural, one {# task} other {# tasks}}', { shown, all });
}
