import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconLock, IconUserQuestion } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Kbd } from '../app/keys/kbd.tsx';
import { askWho } from '../app/person.ts';
import { plural } from '../app/ui/format.ts';
import { useNextWork } from '../work/next.ts';
import classes from './annotate.module.css';
import { useTools } from './context.ts';
import { KeyButton } from './parts.tsx';
import { readOnlyNow, useWork } from './store.ts';

/** One line under the bar when there is something to say: who are you, why nothing can be written, what comes next. */
export function Strip({ handedIn }: { handedIn: boolean }): ReactNode {
  const person = useWork((state) => state.person);
  const readOnly = useWork(readOnlyNow);
  const returned = useWork(
    (state) => state.review?.view.threads.filter(({ open, reason }) => open && reason !== null).length ?? 0,
  );
  const { run } = useTools();
  const [later, setLater] = useState(false);
  if (handedIn) {
    return (
      <StripLine tone="good" icon={<IconCircleCheck size={16} aria-hidden />} action={<NextWorkButton />}>
        Handed in. Somebody else reviews it now; nobody reviews their own work.
      </StripLine>
    );
  }
  if (readOnly !== null) {
    return (
      <StripLine tone="quiet" icon={<IconLock size={16} aria-hidden />}>
        Read only. {readOnly}
      </StripLine>
    );
  }
  if (returned > 0) {
    return (
      <StripLine
        tone="bad"
        icon={<IconArrowBackUp size={16} aria-hidden />}
        action={<KeyButton command="comment.next" label="Next unresolved" onClick={() => run('comment.next')} />}
      >
        Sent back: {plural(returned, 'rejection is', 'rejections are')} open. Put each right, or answer it; then hand it
        in again.
      </StripLine>
    );
  }
  if (person === null && !later) {
    return (
      <StripLine
        tone="quiet"
        icon={<IconUserQuestion size={16} aria-hidden />}
        action={
          <>
            <Button size="compact-xs" rightSection={<Kbd command="app.person" />} onClick={() => askWho()}>
              Say who you are
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setLater(true)}>
              Later
            </Button>
          </>
        }
      >
        Nobody is chosen: what you do is kept without a name, and cannot be handed in for review.
      </StripLine>
    );
  }
  return null;
}

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
    <Button size="compact-xs" rightSection={<Kbd command="app.nextWork" />} onClick={() => void next()}>
      Next piece of work
    </Button>
  );
}
