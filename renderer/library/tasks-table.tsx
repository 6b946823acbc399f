// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { Button } from '@mantine/core';
import { IconClipboardList, IconFileImport, IconPlus, IconZoomCancel } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import grid from '../app/grid/grid.module.css';
import { type Column, Grid } from '../app/grid/grid.tsx';
import { Kbd } from '../app/keys/kbd.tsx';
import { Clamp, EmptyState, Time } from '../app/ui/parts.tsx';
import { Share, StateLabel } from '../app/ui/states.tsx';
import type { Entry, Sort, SortKey } from './filter.ts';
import { stageOf } from './filter.ts';
import classes from './page.module.css';

const ROW_PX = 34;
const COLUMNS: readonly Column<SortKey>[] = [
  { key: 'id', name: 'Task' },
  { key: 'goal', name: 'Goal' },
  { key: 'software', name: 'Software' },
  { key: 'stage', name: 'State' },
  { key: 'progress', name: 'Annotated' },
  { key: 'recordings', name: 'Rec.', number: true },
  { key: 'created', name: 'Made' },
];

type Props = {
  entries: readonly Entry[];
  /** The chosen row. */
  at: number;
  loading: boolean;
  sort: Sort;
  onSort: (key: SortKey) => void;
  onChoose: (id: string) => void;
  onOpen: (id: string) => void;
};

/** The tasks. */
export function TasksTable({ entries, at, loading, sort, onSort, onChoose, onOpen }: Props): ReactNode {
  return (
    <Grid
      label="Tasks"
      {...{ rows: entries, at, rowPx: ROW_PX, columns: COLUMNS, sort, onSort }}
      className={classes.tasks}
      wholePage
      below={
        entries.length === 0 &&
        !loading && (
          <EmptyState icon={<IconZoomCancel size={22} />} title="No task fits">
            Use fewer words or other choices; <Kbd command="library.clear" /> shows all tasks again.
          </EmptyState>
        )
      }
    >
      {(entry, index, top) => (
        <TaskLine key={entry.row.id} {...{ entry, index, top, onChoose, onOpen }} chosen={index === at} />
      )}
    </Grid>
  );
}

type LineProps = {
  entry: Entry;
  index: number;
  top: number;
  chosen: boolean;
  onChoose: (id: string) => void;
  onOpen: (id: string) => void;
};

/** Compared by what it shows: while one types in the search box, rows that stay are not made again. */
const TaskLine = memo(
  function TaskLine({ entry, index, top, chosen, onChoose, onOpen }: LineProps): ReactNode {
    const { row, software } = entry;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the library's commands walk and open the rows by key
      <div
        className={`${grid.row} ${grid.entry} ${classes.task}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={chosen}
        data-chosen={chosen}
        data-closed={row.state === 'closed'}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => (chosen ? onOpen(row.id) : onChoose(row.id))}
        onDoubleClick={() => onOpen(row.id)}
      >
        <div role="gridcell" className={grid.id}>
          <Clamp>{row.id}</Clamp>
        </div>
        <div role="gridcell">
          <Clamp>{row.goal || 'No goal yet'}</Clamp>
        </div>
        <div role="gridcell" className={grid.quiet}>
          <Clamp>{software}</Clamp>
        </div>
        <div role="gridcell">
          {row.state === 'closed' ? <span className={grid.quiet}>Closed</span> : <StateLabel state={stageOf(row)} />}
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
  (a, b) => a.entry === b.entry && a.top === b.top && a.chosen === b.chosen && a.index === b.index,
);

/** A library with nothing in it yet, and the two ways on. */
export function NoTasks({ onNew, onImport }: { onNew: () => void; onImport: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconClipboardList size={22} />}
      title="No tasks yet"
      actions={
        <>
          <Button
            leftSection={<IconPlus size={15} aria-hidden />}
            rightSection={<Kbd command="library.new" />}
            onClick={onNew}
          >
            New task
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileImport size={15} aria-hidden />}
            rightSection={<Kbd command="library.import" />}
            onClick={onImport}
          >
            Import a recording
          </Button>
        </>
      }
    >
      A task says what is to be done in which software. Make one and record it, or import a recording that was made on
      another machine.
    </EmptyState>
  );
}
