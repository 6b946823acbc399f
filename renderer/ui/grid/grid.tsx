// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; heads are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import type { Choosable } from './columns.ts';
import classes from './grid.module.css';
import { tracksOf } from './tracks.ts';

/** A column of rows of R: what its cells show, and how wide it is. */
export type Column<R, K extends string = never> = Choosable & {
  cell: (row: R) => ReactNode;
  className?: string | undefined;
  /** Its cell's tooltip. */
  title?: (row: R) => string;
  /** In px. `narrow`: in windows in which lists are short of room. */
  width: number;
  narrow?: number;
  /** Takes this share of the room that the columns leave. */
  grow?: number;
  /** A click on the head sorts by it. */
  key?: K;
  number?: boolean;
  /** Its head is only said, not shown. */
  unseen?: boolean;
};
/** What the grid itself asks of a column. */
type Head<K extends string> = Omit<Column<never, K>, 'cell' | 'title'>;
type Sorting<K extends string> = { key: K; descending: boolean };

type Props<R, K extends string> = {
  label: string;
  rows: readonly R[];
  /** The chosen row: it is scrolled into sight. */
  at: number;
  rowPx: number;
  /** The class that sets other measures, see grid.module.css. */
  className?: string | undefined;
  columns: readonly Head<K>[];
  /** Before the head of the first column. */
  first?: ReactNode;
  sort?: Sorting<K>;
  onSort?: (key: K) => void;
  /** It is what the page is about, not one of its sections. */
  wholePage?: boolean;
  multiselectable?: boolean;
  /** A row with its place, from 0, and its distance from the first, px. It wears `row` and `entry` of grid.module.css. */
  children: (row: R, index: number, top: number) => ReactNode;
  below?: ReactNode;
};

/** A table whose rows are there only while they are in sight, so thousands scroll as a few do. */
export function Grid<R, K extends string = never>(props: Props<R, K>): ReactNode {
  const { label, rows, at, rowPx, columns, first, sort, onSort } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    // The head covers the first row's place when it sticks.
    scrollPaddingStart: rowPx,
  });
  useEffect(() => {
    if (rows.length > 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, rows.length, virtual]);
  return (
    <div
      className={`${classes.scroller} ${props.className ?? ''}`}
      ref={scroller}
      data-whole-page={props.wholePage === true}
      // A property of its own is no style that the types know.
      style={{ '--row': `${rowPx}px`, ...tracksOf(columns, first !== undefined) } as CSSProperties}
    >
      <div
        className={classes.table}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={props.multiselectable}
      >
        <div className={`${classes.row} ${classes.head}`} role="row" aria-rowindex={1}>
          {first !== undefined && <div role="columnheader">{first}</div>}
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : props.children(row, index, start);
          })}
        </div>
      </div>
      {props.below}
    </div>
  );
}

/** The cells of a row, as its grid's columns make them; a cell before them is before it. */
export function Cells<R>({ columns, row }: { columns: readonly Column<R, string>[]; row: R }): ReactNode {
  return columns.map(({ id, cell, className, title }) => (
    <div key={id} role="gridcell" className={className} title={title?.(row)}>
      {cell(row)}
    </div>
  ));
}

type HeadProps<K extends string> = {
  column: Head<K>;
  sort: Sorting<K> | undefined;
  onSort: ((key: K) => void) | undefined;
};

function HeadCell<K extends string>({ column, sort, onSort }: HeadProps<K>): ReactNode {
  const { name, key, number, unseen } = column;
  const className = number ? classes.number : undefined;
  if (key === undefined) {
    return (
      <div role="columnheader" className={className}>
        {unseen ? <span className="visually-hidden">{name}</span> : name}
      </div>
    );
  }
  const sorted = sort?.key === key;
  const Icon = sort?.descending ? IconChevronDown : IconChevronUp;
  return (
    <div
      role="columnheader"
      className={className}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" className={classes.sort} onClick={() => onSort?.(key)}>
        {name}
        {sorted && <Icon size={12} aria-hidden />}
      </button>
    </div>
  );
}
