import { IconChevronDown, IconChevronUp, IconCircleDashed, IconFold } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tr } from '../../language/tr.ts';
import { useTools } from '../context.ts';
import { KeyButton, KeyIcon } from '../parts.tsx';
import classes from '../workbench.module.css';

/** Below the list: the ways through it. `open`: the command that goes to what is not done yet. */
export function ListFoot(props: {
  previous: string;
  next: string;
  open: { command: string; label: string };
  children?: ReactNode;
}): ReactNode {
  const { run } = useTools();
  const { previous, next, open } = props;
  return (
    <div className={classes.listFoot} data-bar="list">
      <KeyIcon command="annotate.previous" label={previous} onClick={() => run('annotate.previous')}>
        <IconChevronUp size={15} aria-hidden />
      </KeyIcon>
      <KeyIcon command="annotate.next" label={next} onClick={() => run('annotate.next')}>
        <IconChevronDown size={15} aria-hidden />
      </KeyIcon>
      <KeyButton
        command={open.command}
        label={open.label}
        variant="subtle"
        color="gray"
        icon={<IconCircleDashed size={14} aria-hidden />}
        onClick={() => run(open.command)}
      />
      <span className={classes.spacer} />
      <KeyIcon command="annotate.fold" label={tr('Fold or unfold the subtask')} onClick={() => run('annotate.fold')}>
        <IconFold size={15} aria-hidden />
      </KeyIcon>
      {props.children}
    </div>
  );
}
