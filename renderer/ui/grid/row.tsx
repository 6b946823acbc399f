// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import type { HTMLAttributes, ReactNode } from 'react';
import { tr } from '../../language/tr.ts';
import classes from './grid.module.css';

type RowProps = HTMLAttributes<HTMLDivElement> & {
  /** Its place, from 0, and its distance from the first row, px. */
  index: number;
  top: number;
  /** The highlighted one. */
  chosen: boolean;
  /** An act would be about it. */
  selected: boolean;
  onOpen: () => void;
};

/** A row of a grid: a click highlights it, a double click opens it, as Enter does. */
export function GridRow({ index, top, chosen, selected, onOpen, className = '', ...rest }: RowProps): ReactNode {
  return (
    <div
      {...rest}
      className={`${classes.row} ${classes.entry} ${className}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-chosen={chosen}
      style={{ transform: `translateY(${top}px)` }}
      onDoubleClick={onOpen}
    />
  );
}

type TickProps = { label: string; checked: boolean; some?: boolean; onToggle: () => void };

/** The browser's own box: every row has one, and a library's is a dozen components. `some`: neither all nor none. */
function Tick({ label, checked, some = false, onToggle }: TickProps): ReactNode {
  return (
    <input
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = some;
      }}
      onChange={onToggle}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}

/** The cell in which a row is selected for one act over several. `label` says which row. */
export function SelectCell(props: { label: string; selected: boolean; onToggle: () => void }): ReactNode {
  return (
    <div role="gridcell">
      <Tick label={props.label} checked={props.selected} onToggle={props.onToggle} />
    </div>
  );
}

/** Selects every row that is shown, in the head of the grid. */
export function SelectEvery(props: { every: boolean; some: boolean; onToggle: () => void }): ReactNode {
  const { every, some, onToggle } = props;
  return <Tick label={tr('Select every row shown')} checked={every} some={some && !every} onToggle={onToggle} />;
}
