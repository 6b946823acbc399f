// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { Checkbox } from '@mantine/core';
import { IconClipboardList, IconFileImport, IconPlus, IconZoomCancel } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr, trParts } from '../language/tr.ts';
import grid from '../ui/grid/grid.module.css';
import { type Column, Grid } from '../ui/grid/grid.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { Clamp, EmptyState, Time } from '../ui/parts.tsx';
import { Share, StateLabel } from '../ui/states.tsx';
import thumb from '../ui/thumb.module.css';
import { Thumb } from '../ui/thumb.tsx';
import type { Entry, TaskSort, TaskSortKey } from './filter.ts';
import { stageOf } from './filter.ts';
import classes from './page.module.css';

const ROW_PX = 38;
const COLUMNS: readonly Column<TaskSortKey>[] = [
  { key: 'id', name: tr('Task') },
  { key: 'goal', name: tr('Goal') },
  { key: 'software', name: tr('Software') },
  { key: 'stage', name: tr('State') },
  { key: 'progress', name: tr('Annotated') },
  { key: 'recordings', name: tr('Recordings'), number: true },
  { key: 'created', name: tr('Created') },
];

type Props = {
  ws: string;
  entries: readonly Entry[];
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
  const { ws, entries, at, loading, sort, onSort, onChoose, onOpen, selected, onToggle } = props;
  return (
    <Grid
      label={tr('Tasks')}
      rows={entries}
      at={at}
      rowPx={ROW_PX}
      columns={COLUMNS}
      sort={sort}
      onSort={onSort}
      className={classes.tasks}
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
    const { ws, entry, index, top, chosen, selected, active, onChoose, onOpen, onToggle } = props;
    const { row, software } = entry;
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
        <div role="gridcell" className={grid.id}>
          <Link href={paths.task(ws, row.id)} className={classes.link}>
            <Clamp>{row.id}</Clamp>
          </Link>
        </div>
        <div role="gridcell" className={thumb.beside}>
          <Thumb ws={ws} recording={row.picture} />
          <Clamp>{row.goal || tr('No goal yet')}</Clamp>
        </div>
        <div role="gridcell" className={grid.quiet}>
          <Clamp>{software}</Clamp>
        </div>
        <div role="gridcell">
          {row.state === 'closed' ? (
            <span className={grid.quiet}>{tr('Closed')}</span>
          ) : (
            <StateLabel state={stageOf(row)} />
          )}
        </div>
        <div role="gridcell">{row.recordings > 0 && <Share value={row.progress} />}</div>
        <div role="gridcell" className={`${grid.number} ${grid.quiet}`}>
          {row.recordings || '–'}
        </div>
        <div role="gridcell" className={grid.quiet}>
          <Time iso={row.createdAt} />
        </div>
      </div>
    );
  },
  (a, b) =>
    a.entry === b.entry &&
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
