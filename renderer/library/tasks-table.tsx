import { IconClipboardList, IconFileImport, IconPlus, IconZoomCancel } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { tr, trParts } from '../language/tr.ts';
import { Cells, Grid } from '../ui/grid/grid.tsx';
import { GridRow, SelectCell, SelectEvery } from '../ui/grid/row.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { EmptyState } from '../ui/parts.tsx';
import type { TaskColumn } from './columns.tsx';
import type { Entry, TaskSort, TaskSortKey } from './filter.ts';
import classes from './page.module.css';

const ROW_PX = 38;
type Props = {
  ws: string;
  entries: readonly Entry[];
  columns: readonly TaskColumn[];
  /** The chosen row. */
  at: number;
  loading: boolean;
  sort: TaskSort;
  onSort: (key: TaskSortKey) => void;
  selected: ReadonlySet<string>;
  everySelected: boolean;
  someSelected: boolean;
  onChoose: (id: string) => void;
  onOpen: (id: string) => void;
  onToggle: (id: string) => void;
  onToggleAll: () => void;
};

/** The tasks. A click highlights a row, a double click opens it, as Enter does. */
export function TasksTable(props: Props): ReactNode {
  const { ws, entries, columns, at, loading, sort, onSort, onChoose, onOpen, selected, onToggle } = props;
  return (
    <Grid
      label={tr('Tasks')}
      rows={entries}
      at={at}
      rowPx={ROW_PX}
      columns={columns}
      sort={sort}
      onSort={onSort}
      wholePage
      multiselectable
      first={<SelectEvery every={props.everySelected} some={props.someSelected} onToggle={props.onToggleAll} />}
      below={
        entries.length === 0 &&
        !loading && (
          <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching tasks')}>
            {trParts('Try fewer words or different filters; {kbd} shows all tasks again.', {
              kbd: <Kbd command="library.clear" main />,
            })}
          </EmptyState>
        )
      }
    >
      {(entry, index, top) => (
        <TaskLine
          key={entry.row.id}
          ws={ws}
          entry={entry}
          columns={columns}
          index={index}
          top={top}
          onChoose={onChoose}
          onOpen={onOpen}
          onToggle={onToggle}
          chosen={index === at}
          selected={selected.has(entry.row.id)}
          active={props.someSelected ? selected.has(entry.row.id) : index === at}
        />
      )}
    </Grid>
  );
}

type LineProps = {
  ws: string;
  entry: Entry;
  columns: readonly TaskColumn[];
  index: number;
  top: number;
  chosen: boolean;
  selected: boolean;
  /** An act would be about it. */
  active: boolean;
  onChoose: (id: string) => void;
  onOpen: (id: string) => void;
  onToggle: (id: string) => void;
};

/** Compared by what it shows: while one types in the search box, rows that stay are not made again. */
const TaskLine = memo(
  function TaskLine(props: LineProps): ReactNode {
    const { ws, entry, columns, index, top, chosen, selected, active, onChoose, onOpen, onToggle } = props;
    const { row } = entry;
    return (
      <GridRow
        index={index}
        top={top}
        chosen={chosen}
        selected={active}
        className={classes.task}
        data-closed={row.state === 'closed'}
        onClick={() => onChoose(row.id)}
        onOpen={() => onOpen(row.id)}
      >
        <SelectCell label={tr('Select {id}', { id: row.id })} selected={selected} onToggle={() => onToggle(row.id)} />
        <Cells columns={columns} row={{ ws, entry }} />
      </GridRow>
    );
  },
  (a, b) =>
    a.entry === b.entry &&
    a.columns === b.columns &&
    a.top === b.top &&
    a.chosen === b.chosen &&
    a.selected === b.selected &&
    a.active === b.active &&
    a.index === b.index,
);

/** A library with nothing in it yet, and the two ways on. */
export function NoTasks({ onNew, onImport }: { onNew: () => void; onImport: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconClipboardList size={22} />}
      title={tr('No tasks yet')}
      actions={
        <>
          <CommandButton icon={IconPlus} command="library.new" onClick={onNew}>
            {tr('New task')}
          </CommandButton>
          <CommandButton variant="default" icon={IconFileImport} command="library.import" onClick={onImport}>
            {tr('Import a recording')}
          </CommandButton>
        </>
      }
    >
      {tr(
        'A task describes a goal in one application. Make one and record it, or import a recording that was made on another machine.',
      )}
    </EmptyState>
  );
}
