import { ActionIcon, Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';

/** How a part of a list is put elsewhere in it; null: it is at that end. */
type Moving = { up: (() => void) | null; down: (() => void) | null; label: string };

/**
 * Fields of one part of a list, and at their end the button that removes it. One that has an order is put up and down by buttons, and
 * by Alt and the arrows in its fields.
 */
export function Removable(props: {
  children: ReactNode;
  /** The button's name for who does not see the row: `Remove the output time`. */
  label: string;
  onRemove: () => void;
  /** By which the editor finds the row. */
  row?: string;
  moving?: Moving;
}): ReactNode {
  const { children, label, onRemove, row, moving } = props;
  const { isLocked } = useEditing();
  const own = useRef<HTMLDivElement>(null);
  const remove = ({ currentTarget }: { currentTarget: Element }): void => {
    const part = currentTarget.closest('section');
    onRemove();
    // The button goes with its row: the keyboard stays in the part of the form.
    requestAnimationFrame(() => part?.querySelector('button')?.focus());
  };
  const move = (by: 'up' | 'down'): void => {
    const act = moving?.[by];
    if (!act || isLocked) return;
    // Rows are told apart by their place: the keyboard goes along with what is moved.
    const rows = [...(own.current?.closest('section')?.querySelectorAll(`[data-row="${row}"]`) ?? [])];
    const at = rows.indexOf(own.current as Element);
    const within = [...(own.current?.querySelectorAll<HTMLElement>('input, button') ?? [])];
    const focused = within.indexOf(document.activeElement as HTMLElement);
    act();
    requestAnimationFrame(() => {
      const fields = rows[at + (by === 'up' ? -1 : 1)]?.querySelectorAll<HTMLButtonElement>('input, button');
      const next = fields?.[Math.max(0, focused)];
      (next?.disabled ? fields?.[0] : next)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!moving || !event.altKey || !(event.key === 'ArrowUp' || event.key === 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key === 'ArrowUp' ? 'up' : 'down');
  };
  return (
    <div ref={own} className={classes.removable} data-row={row} onKeyDownCapture={onKeyDown}>
      {children}
      {moving && (
        <span className={classes.moves}>
          {(['up', 'down'] as const).map((by) => (
            <ActionIcon
              key={by}
              variant="subtle"
              color="gray"
              disabled={isLocked || moving[by] === null}
              aria-label={
                by === 'up'
                  ? tr('Move {what} up', { what: moving.label })
                  : tr('Move {what} down', { what: moving.label })
              }
              title={by === 'up' ? tr('Up (Alt+↑)') : tr('Down (Alt+↓)')}
              onClick={() => move(by)}
            >
              {by === 'up' ? <IconArrowUp size={15} /> : <IconArrowDown size={15} />}
            </ActionIcon>
          ))}
        </span>
      )}
      <Button variant="subtle" color="red" disabled={isLocked} onClick={remove} aria-label={label}>
        {tr('Remove')}
      </Button>
    </div>
  );
}
