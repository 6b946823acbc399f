import { CloseButton, SegmentedControl } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { tr } from '../language/tr.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork, useWorkStore } from '../workbench/store.ts';
import classes from './comments.module.css';
import { numberedThreads, useTalk } from './talk.ts';
import { ThreadCard } from './thread-card.tsx';

/** Every comment of the recording, in its order. Open while one works. */
export function ThreadsPanel(): ReactNode {
  const store = useWorkStore();
  const talk = useTalk();
  const review = useWork((state) => state.review);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const [which, setWhich] = useState<'open' | 'all'>('open');
  const all = useMemo(() => numberedThreads({ review, opened, doc }), [review, opened, doc]);
  const open = all.filter(({ thread }) => thread.open).length;
  const shown = which === 'all' ? all : all.filter(({ thread }) => thread.open);
  return (
    <aside className={classes.panel} aria-label={tr('Comments')}>
      <header className={classes.panelHead}>
        <h2>{tr('Comments')}</h2>
        <CloseButton size="sm" aria-label={tr('Close the comments')} onClick={() => store.setState({ open: null })} />
      </header>
      <div className={classes.panelRow}>
        <SegmentedControl
          aria-label={tr('Which comments')}
          value={which}
          data={[
            { value: 'open', label: tr('Open ({open})', { open }) },
            { value: 'all', label: tr('All ({all})', { all: all.length }) },
          ]}
          onChange={(value) => setWhich(value === 'all' ? 'all' : 'open')}
        />
        <KeyButton command="comment.next" label={tr('Next')} disabled={open === 0} onClick={() => talk?.next()} />
      </div>
      {shown.length === 0 && (
        <p className={classes.quiet}>
          {all.length === 0
            ? tr('Nobody has said anything yet. Shift+C comments on the step, Shift+P on a place in the picture.')
            : tr('Every comment is resolved.')}
        </p>
      )}
      {shown.map((one) => (
        <ThreadCard key={one.thread.id} of={one} onGo={() => talk?.show(one)} />
      ))}
    </aside>
  );
}
