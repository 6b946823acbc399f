import type { ReactNode } from 'react';
import { useNextWork } from '../client/next-work.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useWork } from './store.ts';
import classes from './workbench.module.css';

/** What there is to say of the whole page, over its list: all of it, in as many lines as it takes. */
export function StripLine(props: {
  tone: 'good' | 'quiet' | 'bad';
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className={classes.strip} data-tone={props.tone} role="status">
      {props.icon}
      <span className={classes.stripText}>{props.children}</span>
      {props.action}
    </div>
  );
}

/** On to what the queue says is next. */
export function NextWorkButton(): ReactNode {
  const ws = useWork((state) => state.ws);
  const next = useNextWork(ws);
  return (
    <CommandButton size="compact-xs" command="app.nextWork" onClick={() => void next()}>
      {tr('Next work item')}
    </CommandButton>
  );
}
