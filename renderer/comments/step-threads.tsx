import { type ReactNode, useMemo } from 'react';
import { tr } from '../language/tr.ts';
import { useWork } from '../workbench/store.ts';
import classes from './comments.module.css';
import { numberedThreads } from './talk.ts';
import { ThreadCard } from './thread-card.tsx';

/**
 * The talk about the step in hand: rejections with their reasons first, resolved threads last. `flush`: what is around
 * it keeps the distance to the edges.
 */
export function StepThreads({ flush = false }: { flush?: boolean }): ReactNode {
  const review = useWork((state) => state.review);
  const opened = useWork((state) => state.opened);
  const doc = useWork((state) => state.doc);
  const at = useWork((state) => state.formAt);
  const here = useMemo(() => {
    const rank = (open: boolean, rejected: boolean): number => (open ? 0 : 2) + (rejected ? 0 : 1);
    return numberedThreads({ review, opened, doc })
      .filter((one) => one.at === at)
      .sort((a, b) => rank(a.thread.open, a.thread.reason !== null) - rank(b.thread.open, b.thread.reason !== null));
  }, [review, opened, doc, at]);
  if (here.length === 0) return null;
  return (
    <section className={classes.threads} data-flush={flush} aria-label={tr('Comments at this step')}>
      {here.map((one, index) => (
        <ThreadCard key={one.thread.id} of={one} first={index === 0} />
      ))}
    </section>
  );
}
