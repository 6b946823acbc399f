import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';

/** Fields of one part of a list, and at their end the button that removes it. */
export function Removable(props: {
  children: ReactNode;
  /** The button's name for who does not see the row: `Remove the output time`. */
  label: string;
  onRemove: () => void;
  /** By which the editor finds the row. */
  row?: string;
}): ReactNode {
  const { children, label, onRemove, row } = props;
  const { isLocked } = useEditing();
  const remove = ({ currentTarget }: { currentTarget: Element }): void => {
    const part = currentTarget.closest('section');
    onRemove();
    // The button goes with its row: the keyboard stays in the part of the form.
    requestAnimationFrame(() => part?.querySelector('button')?.focus());
  };
  return (
    <div className={classes.removable} data-row={row}>
      {children}
      <Button variant="subtle" color="red" disabled={isLocked} onClick={remove} aria-label={label}>
        {tr('Remove')}
      </Button>
    </div>
  );
}
