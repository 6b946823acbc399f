import { Select, TextInput } from '@mantine/core';
import { IconFileImport, IconPlus, IconSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useDataRows } from '../client/data-rows.ts';
import { paths } from '../client/paths.ts';
import { queries, useLibraryChanges } from '../client/queries.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { tr } from '../language/tr.ts';
import { ColumnsMenu } from '../lists/columns-menu.tsx';
import { SavedViews } from '../lists/saved-views.tsx';
import { useColumns } from '../lists/use-columns.ts';
import { PreviewPane, useWide } from '../recordings/preview-pane.tsx';
import type { AddressParts } from '../ui/address.ts';
import { BulkBar } from '../ui/grid/bulk-bar.tsx';
import { selectionOf } from '../ui/grid/selection.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError, RowKeys } from '../ui/parts.tsx';
import { PROOF_NAMES } from '../ui/proof.tsx';
import { STATE_NAMES } from '../ui/states.tsx';
import { useUndoKey } from '../ui/toast.ts';
import { useAddress } from '../ui/use-address.ts';
import { libraryOfParts, PROOFS, partsOfLibrary } from './address.ts';
import { TASK_COLUMNS } from './columns.tsx';
import {
  countEntries,
  filterEntries,
  isFiltered,
  NO_FILTER,
  proofsOfTasks,
  STAGES,
  sortEntries,
  type TaskSort,
  toEntries,
} from './filter.ts';
import { NewTaskDialog } from './new-task.tsx';
import classes from './page.module.css';
import { PeopleDialog } from './people.tsx';
import { SoftwareSidebar } from './sidebar.tsx';
import { SoftwareDialog } from './software-dialog.tsx';
import { useLibraryView } from './store.ts';
import { useTaskActs, willClose } from './task-acts.ts';
import { NoTasks, TasksTable } from './tasks-table.tsx';

type Dialog = 'task' | 'software' | 'people' | 'import' | null;
const PAGE_ROWS = 12;

/** The library: software at the left, its tasks as a table that is searched, filtered, sorted and walked by keyboard. */
export function LibraryPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  useLibraryChanges(ws);
  const tasks = useQuery(queries.tasks(ws));
  const software = useQuery(queries.software(ws));
  const { filter, sort, chosen } = useLibraryView(ws);
  const { setFilter, setSort, choose, selected, select } = useLibraryView(ws);
  const columns = useColumns(ws, 'library', TASK_COLUMNS);
  const parts = { ...partsOfLibrary(filter, sort), columns: columns.part };
  const take = (said: AddressParts): void => {
    const view = libraryOfParts(said);
    setFilter(view.filter);
    setSort(view.sort);
    columns.take(said.columns);
  };
  useAddress(parts, take);
  const [dialog, setDialog] = useState<Dialog>(null);
  const search = useRef<HTMLInputElement>(null);

  const wantsProof = filter.proof !== null || columns.shown.some(({ id }) => id === 'proof');
  const data = useDataRows(ws, wantsProof);
  const proofs = useMemo(() => (wantsProof && data ? proofsOfTasks(data.values()) : null), [wantsProof, data]);
  const entries = useMemo(
    () => toEntries(tasks.data ?? [], software.data ?? [], proofs),
    [tasks.data, software.data, proofs],
  );
  const sorted = useMemo(() => sortEntries(entries, sort), [entries, sort]);
  const shown = useMemo(() => filterEntries(sorted, filter), [sorted, filter]);
  const counts = useMemo(() => countEntries(entries), [entries]);
  // The first one counts until somebody chooses another.
  const at = Math.max(
    0,
    shown.findIndex((entry) => entry.row.id === chosen),
  );

  const rows = useMemo(() => shown.map(({ row }) => row), [shown]);
  const selection = selectionOf(rows, at, selected, select, ({ id }) => id);
  const { closing, closeOrReopen, inDataset } = useTaskActs(ws, selection.target);
  const recordings = useQuery({ ...queries.recordings(ws), enabled: useWide() }).data ?? [];
  const previewed = recordings.find(({ task }) => task === rows[at]?.id);

  const move = (to: number): void => choose(shown[Math.max(0, Math.min(shown.length - 1, to))]?.row.id ?? null);
  const withChosen = (then: (id: string) => void): void => {
    const id = shown[at]?.row.id;
    if (id !== undefined) then(id);
  };
  useHandlers('library', {
    'library.search': () => {
      search.current?.focus();
      search.current?.select();
    },
    'library.new': () => setDialog('task'),
    'library.software': () => setDialog('software'),
    'library.people': () => setDialog('people'),
    'library.import': () => setDialog('import'),
    'library.down': () => move(at + 1),
    'library.up': () => move(at - 1),
    'library.first': () => move(0),
    'library.last': () => move(shown.length - 1),
    'library.pageDown': () => move(at + PAGE_ROWS),
    'library.pageUp': () => move(at - PAGE_ROWS),
    'library.open': () => withChosen((id) => go(paths.task(ws, id))),
    'library.record': () => withChosen((id) => go(paths.record(ws, id))),
    'library.select': { run: () => withChosen(selection.toggle), enabled: rows.length > 0 },
    'library.selectAll': { run: selection.toggleAll, enabled: rows.length > 0 },
    'library.close': { run: closeOrReopen, enabled: rows.length > 0 && !closing.isPending },
    'library.dataset': { run: inDataset, enabled: rows.length > 0 },
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
        software={software.data ?? []}
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
            <search className={classes.filters} aria-label={tr('Tasks')}>
              <TextInput
                ref={search}
                className={classes.search}
                aria-label={tr('Search tasks')}
                placeholder={tr('Search by id, goal, software or platform')}
                leftSection={<IconSearch size={14} aria-hidden />}
                rightSection={<Kbd command="library.search" />}
                rightSectionPointerEvents="none"
                value={filter.text}
                onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
                onKeyDown={(event) => {
                  // From the words straight on to what was found.
                  if (event.key === 'ArrowDown') move(at + 1);
                  else if (event.key === 'ArrowUp') move(at - 1);
                  else if (event.key === 'Enter') withChosen((id) => go(paths.task(ws, id)));
                  else return;
                  event.preventDefault();
                }}
              />
              <Select
                aria-label={tr('Progress')}
                className={classes.choice}
                data={[
                  { value: '', label: tr('Any progress') },
                  ...STAGES.map((stage) => ({
                    value: stage,
                    label: `${STATE_NAMES[stage]} (${counts.stages.get(stage) ?? 0})`,
                  })),
                ]}
                value={filter.stage ?? ''}
                onChange={(value) => setFilter({ ...filter, stage: STAGES.find((stage) => stage === value) ?? null })}
                allowDeselect={false}
              />
              <Select
                aria-label={tr('Open or closed')}
                className={classes.choice}
                data={[
                  { value: 'all', label: tr('Open and closed') },
                  { value: 'open', label: tr('Only open') },
                  { value: 'closed', label: tr('Only closed') },
                ]}
                value={filter.state}
                onChange={(value) =>
                  setFilter({ ...filter, state: value === 'open' || value === 'closed' ? value : 'all' })
                }
                allowDeselect={false}
              />
              <Select
                aria-label={tr('Proof')}
                className={classes.choice}
                data={[
                  { value: '', label: tr('Proven or not') },
                  ...PROOFS.map((value) => ({ value, label: PROOF_NAMES[value] })),
                ]}
                value={filter.proof ?? ''}
                onChange={(value) => setFilter({ ...filter, proof: PROOFS.find((proof) => proof === value) ?? null })}
                allowDeselect={false}
              />
              <SavedViews ws={ws} columns={columns} parts={parts} onTake={take} />
              <ColumnsMenu columns={columns} />
              {isFiltered(filter) && (
                <CommandButton variant="subtle" command="library.clear" onClick={() => setFilter(NO_FILTER)}>
                  {tr('Clear filters')}
                </CommandButton>
              )}
              <RowKeys
                keys={[
                  [tr('choose'), 'library.down', 'library.up'],
                  [tr('open it'), 'library.open'],
                  [tr('record'), 'library.record'],
                ]}
              />
            </search>
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
                loading={tasks.data === undefined || data === null}
                sort={sort}
                onSort={(key: TaskSort['key']) =>
                  setSort({ key, descending: sort.key === key ? !sort.descending : false })
                }
                onChoose={(id) => choose(id)}
                onOpen={(id) => go(paths.task(ws, id))}
              />
              <PreviewPane ws={ws} row={previewed} />
            </div>
          </>
        )}
      </div>
      <NewTaskDialog
        ws={ws}
        opened={dialog === 'task'}
        software={software.data ?? []}
        initialSoftware={filter.software}
        onClose={() => setDialog(null)}
        onMade={(id) => go(paths.task(ws, id))}
      />
      <SoftwareDialog ws={ws} opened={dialog === 'software'} onClose={() => setDialog(null)} />
      <PeopleDialog ws={ws} opened={dialog === 'people'} onClose={() => setDialog(null)} />
      <ImportDialog ws={ws} opened={dialog === 'import'} onClose={() => setDialog(null)} />
    </div>
  );
}

function describe(shown: number, all: number): string {
  return shown === all
    ? tr('{all, plural, one {# task} other {# tasks}}', { all })
    : tr('{shown, number} of {all, plural, one {# task} other {# tasks}}', { shown, all });
}
