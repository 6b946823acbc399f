// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { Checkbox } from '@mantine/core';
import { IconClipboardList, IconFileImport, IconPlus, IconZoomCancel } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { tr, trParts } from '../language/tr.ts';
import grid from '../ui/grid/grid.module.css';
import { Cells, Grid } from '../ui/grid/grid.tsx';
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
      first={
        <Checkbox
          size="xs"
          aria-label={tr('Select every row shown')}
          checked={props.everySelected}
          indeterminate={props.someSelected && !props.everySelected}
          onChange={props.onToggleAll}
        />
      }
      below={
        entries.length === 0 &&
        !loading && (
          <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching tasks')}>
            {trParts('Try fewer words or different filters; {kbd} shows all tasks again.', {
              kbd: <Kbd command="library.clear" />,
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
      // biome-ignore lint/a11y/useKeyWithClickEvents: the library's commands walk and open the rows by key
      <div
        className={`${grid.row} ${grid.entry} ${classes.task}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={active}
        data-chosen={chosen}
        data-closed={row.state === 'closed'}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onChoose(row.id)}
        onDoubleClick={() => onOpen(row.id)}
      >
        <div role="gridcell">
          <Checkbox
            size="xs"
            aria-label={tr('Select {id}', { id: row.id })}
            checked={selected}
            onChange={() => onToggle(row.id)}
            onDoubleClick={(event) => event.stopPropagation()}
          />
        </div>
        <Cells columns={columns} row={{ ws, entry }} />
      </div>
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
