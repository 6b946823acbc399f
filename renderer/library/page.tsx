import { Button, Select, TextInput } from '@mantine/core';
import { IconFileImport, IconPlus, IconSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Kbd } from '../app/keys/kbd.tsx';
import { useHandlers } from '../app/keys/use-commands.ts';
import { paths } from '../app/paths.ts';
import { queries, useLibraryChanges } from '../app/queries.ts';
import { plural } from '../app/ui/format.ts';
import { ErrorPanel, PageHeader, RowKeys } from '../app/ui/parts.tsx';
import { STATE_NAMES } from '../app/ui/states.tsx';
import { ImportDialog } from '../recordings/import-dialog.tsx';
import {
  countEntries,
  filterEntries,
  isFiltered,
  NO_FILTER,
  type Sort,
  STAGES,
  sortEntries,
  toEntries,
} from './filter.ts';
import { NewTaskDialog } from './new-task.tsx';
import classes from './page.module.css';
import { PeopleDialog } from './people.tsx';
import { SoftwareSidebar } from './sidebar.tsx';
import { SoftwareDialog } from './software-dialog.tsx';
import { useLibraryView } from './store.ts';
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
  const { setFilter, setSort, choose } = useLibraryView(ws);
  const [dialog, setDialog] = useState<Dialog>(null);
  const search = useRef<HTMLInputElement>(null);

  const entries = useMemo(() => toEntries(tasks.data ?? [], software.data ?? []), [tasks.data, software.data]);
  const sorted = useMemo(() => sortEntries(entries, sort), [entries, sort]);
  const shown = useMemo(() => filterEntries(sorted, filter), [sorted, filter]);
  const counts = useMemo(() => countEntries(entries), [entries]);
  const found = shown.findIndex((entry) => entry.row.id === chosen);
  const at = Math.max(0, found);

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
    'library.down': () => move(found < 0 ? 0 : at + 1),
    'library.up': () => move(at - 1),
    'library.first': () => move(0),
    'library.last': () => move(shown.length - 1),
    'library.pageDown': () => move(at + PAGE_ROWS),
    'library.pageUp': () => move(at - PAGE_ROWS),
    'library.open': () => withChosen((id) => go(paths.task(ws, id))),
    'library.record': () => withChosen((id) => go(paths.record(ws, id))),
    'library.clear': { run: () => setFilter(NO_FILTER), enabled: isFiltered(filter) },
  });
  useEffect(() => {
    if (chosen === null && shown[0]) choose(shown[0].row.id);
  }, [chosen, shown, choose]);

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
          title="Library"
          about={tasks.data ? describe(shown.length, entries.length) : 'Loading the tasks …'}
          actions={
            <>
              <Button
                variant="default"
                leftSection={<IconUsers size={15} aria-hidden />}
                rightSection={<Kbd command="library.people" />}
                onClick={() => setDialog('people')}
              >
                People
              </Button>
              <Button
                variant="default"
                leftSection={<IconFileImport size={15} aria-hidden />}
                rightSection={<Kbd command="library.import" />}
                onClick={() => setDialog('import')}
              >
                Import
              </Button>
              <Button
                leftSection={<IconPlus size={15} aria-hidden />}
                rightSection={<Kbd command="library.new" />}
                onClick={() => setDialog('task')}
              >
                New task
              </Button>
            </>
          }
        />
        {tasks.error && (
          <ErrorPanel error={tasks.error} what="The tasks could not be read." onRetry={() => void tasks.refetch()} />
        )}
        {nothingYet && <NoTasks onNew={() => setDialog('task')} onImport={() => setDialog('import')} />}
        {!nothingYet && !tasks.error && (
          <>
            <search className={classes.filters} aria-label="Tasks">
              <TextInput
                ref={search}
                className={classes.search}
                aria-label="Search tasks"
                placeholder="Search by id, goal, software or platform"
                leftSection={<IconSearch size={14} aria-hidden />}
                rightSection={<Kbd command="library.search" />}
                rightSectionPointerEvents="none"
                value={filter.text}
                onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
                onKeyDown={(event) => {
                  // From the words straight on to what was found.
                  if (event.key === 'ArrowDown') move(found < 0 ? 0 : at + 1);
                  else if (event.key === 'ArrowUp') move(at - 1);
                  else if (event.key === 'Enter') withChosen((id) => go(paths.task(ws, id)));
                  else return;
                  event.preventDefault();
                }}
              />
              <Select
                aria-label="Progress"
                className={classes.choice}
                data={[
                  { value: '', label: 'Any progress' },
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
                aria-label="Open or closed"
                className={classes.choice}
                data={[
                  { value: 'all', label: 'Open and closed' },
                  { value: 'open', label: 'Open' },
                  { value: 'closed', label: 'Closed' },
                ]}
                value={filter.state}
                onChange={(value) =>
                  setFilter({ ...filter, state: value === 'open' || value === 'closed' ? value : 'all' })
                }
                allowDeselect={false}
              />
              {isFiltered(filter) && (
                <Button
                  variant="subtle"
                  rightSection={<Kbd command="library.clear" />}
                  onClick={() => setFilter(NO_FILTER)}
                >
                  Show all
                </Button>
              )}
              <RowKeys
                keys={[
                  ['choose', 'library.down', 'library.up'],
                  ['open', 'library.open'],
                  ['record', 'library.record'],
                ]}
              />
            </search>
            <TasksTable
              entries={shown}
              at={at}
              loading={tasks.data === undefined}
              sort={sort}
              onSort={(key: Sort['key']) => setSort({ key, descending: sort.key === key ? !sort.descending : false })}
              onChoose={(id) => choose(id)}
              onOpen={(id) => go(paths.task(ws, id))}
            />
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
  return shown === all ? plural(all, 'task') : `${shown.toLocaleString('en')} of ${plural(all, 'task')}`;
}
