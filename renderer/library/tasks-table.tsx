// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; heads and cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { Button } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconClipboardList,
  IconFileImport,
  IconPlus,
  IconZoomCancel,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { Kbd } from '../app/keys/kbd.tsx';
import { Clamp, EmptyState, Time } from '../app/ui/parts.tsx';
import { Share, StateLabel } from '../app/ui/states.tsx';
import type { Entry, Sort, SortKey } from './filter.ts';
import { stageOf } from './filter.ts';
import classes from './page.module.css';

const ROW_PX = 34;
const COLUMNS: { key: SortKey; name: string; number?: boolean }[] = [
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

/** The tasks: only the rows in sight are there, so thousands scroll as a few do. */
export function TasksTable({ entries, at, loading, sort, onSort, onChoose, onOpen }: Props): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    // The head lies over the first row's place when it sticks.
    scrollPaddingStart: ROW_PX,
  });
  useEffect(() => {
    if (entries.length > 0) rows.scrollToIndex(at, { align: 'auto' });
  }, [at, entries.length, rows]);

  return (
    <div className={classes.scroller} ref={scroller}>
      <div className={classes.table} role="grid" aria-label="Tasks" aria-rowcount={entries.length + 1}>
        <div className={`${classes.row} ${classes.head}`} role="row" aria-rowindex={1}>
          {COLUMNS.map(({ key, name, number }) => (
            <div
              key={key}
              role="columnheader"
              aria-sort={sort.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'}
              className={number ? classes.number : undefined}
            >
              <button type="button" className={classes.sort} onClick={() => onSort(key)}>
                {name}
                {sort.key === key &&
                  (sort.descending ? (
                    <IconChevronDown size={12} aria-hidden />
                  ) : (
                    <IconChevronUp size={12} aria-hidden />
                  ))}
              </button>
            </div>
          ))}
        </div>
        <div className={classes.body} role="rowgroup" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index];
            if (!entry) return null;
            return (
              <TaskLine
                key={entry.row.id}
                entry={entry}
                index={index}
                top={start}
                chosen={index === at}
                onChoose={onChoose}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
      {entries.length === 0 && !loading && (
        <EmptyState icon={<IconZoomCancel size={22} />} title="No task fits">
          Use fewer words or other choices; <Kbd command="library.clear" /> shows all tasks again.
        </EmptyState>
      )}
    </div>
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
        className={`${classes.row} ${classes.entry}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={chosen}
        data-closed={row.state === 'closed'}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => (chosen ? onOpen(row.id) : onChoose(row.id))}
        onDoubleClick={() => onOpen(row.id)}
      >
        <div role="gridcell" className={classes.id}>
          <Clamp>{row.id}</Clamp>
        </div>
        <div role="gridcell">
          <Clamp>{row.goal || 'No goal yet'}</Clamp>
        </div>
        <div role="gridcell" className={classes.quiet}>
          <Clamp>{software}</Clamp>
        </div>
        <div role="gridcell">
          {row.state === 'closed' ? <span className={classes.quiet}>Closed</span> : <StateLabel state={stageOf(row)} />}
        </div>
        <div role="gridcell">{row.recordings > 0 && <Share value={row.progress} />}</div>
        <div role="gridcell" className={`${classes.number} ${classes.quiet}`}>
          {row.recordings || '–'}
        </div>
        <div role="gridcell" className={classes.quiet}>
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
