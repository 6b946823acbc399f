import type { ReactNode } from 'react';
import { tr } from '../../language/tr.ts';
import { CommandButton } from '../keys/command-button.tsx';
import classes from './bulk-bar.module.css';

/** While rows are selected: how many, what can be done with all of them, and the way out. */
export function BulkBar(props: {
  /** "3 tasks selected". */
  words: string;
  clear: string;
  onClear: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={classes.bar} role="toolbar" aria-label={tr('With the selected rows')}>
      <span role="status" className={classes.words}>
        {props.words}
      </span>
      {props.children}
      <CommandButton variant="subtle" size="compact-sm" color="gray" command={props.clear} onClick={props.onClear}>
        {tr('Clear selection')}
      </CommandButton>
    </div>
  );
}
