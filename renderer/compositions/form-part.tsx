import type { ReactNode } from 'react';
import { CommandButton } from '../ui/keys/command-button.tsx';
import classes from './edit.module.css';
import { useEditing } from './editing.ts';

/** One part of a form: its name, the button that adds to it, and what is in it. */
export function FormPart(props: {
  id: string;
  title: string;
  command: string;
  /** The button's words. */
  label: string;
  /** No more fits into it. */
  isFull?: boolean;
  onAdd: () => void;
  children: ReactNode;
}): ReactNode {
  const { id, title, command, label, isFull = false, onAdd, children } = props;
  const { isLocked } = useEditing();
  return (
    <section aria-labelledby={id} className={classes.part}>
      <div className={classes.partHead}>
        <h3 id={id}>{title}</h3>
        <CommandButton
          variant="default"
          size="compact-xs"
          command={command}
          disabled={isLocked || isFull}
          onClick={onAdd}
        >
          {label}
        </CommandButton>
      </div>
      {children}
    </section>
  );
}
