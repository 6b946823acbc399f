import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NO_ANSWER } from '../client/refusal.ts';
import { tr } from '../language/tr.ts';
import { download } from '../ui/download.ts';
import { useActions, useTools } from './context.ts';
import { labelWords } from './labels.ts';
import { useWork } from './store.ts';
import classes from './unstored.module.css';

/**
 * Why the studio does not store what is done here though it answers (its disk is full, its database is locked, it fails), and
 * what the person can do. That it does not answer at all is said by the page's frame.
 */
export function Unstored(): ReactNode {
  const actions = useActions();
  const { review } = useTools();
  const waiting = useWork((state) => state.sync.pending.queue.length + (state.review?.waiting ?? 0));
  const why = useWork((state) => reasonOf(state.sync.lost) ?? reasonOf(state.review?.lost ?? null));
  const gesture = useWork((state) => state.sync.stuck);
  const act = useWork((state) => state.review?.stuck ?? null);
  const stuck = gesture ?? act;
  const queue = useWork((state) => state.sync.pending.queue);
  const recording = useWork((state) => state.opened.row.id);
  if (why === null || waiting === 0) return null;
  const after = stuck
    ? tr(
        '{label} could not be stored in several tries. {changes, plural, one {# change} other {# changes}} wait here, and nothing was dropped.',
        {
          label: labelWords(stuck.label),
          changes: waiting,
        },
      )
    : tr(
        '{changes, plural, one {# change waits} other {# changes wait}} here and will be stored as soon as that is fixed. You can keep working.',
        { changes: waiting },
      );

  function again(): void {
    actions.retry();
    review?.retry();
  }
  function leaveOut(): void {
    if (gesture) actions.leaveOut();
    else review?.leaveOut();
  }
  function save(): void {
    const kept = { recording, gestures: queue, acts: review?.waiting() ?? [] };
    download(`not-stored-${recording}.json`, 'application/json', `${JSON.stringify(kept, null, 2)}\n`);
  }

  return (
    <div className={classes.unstored} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.words}>
        {why} {after}
      </span>
      <Button variant="default" size="compact-xs" onClick={again}>
        {tr('Try again')}
      </Button>
      <Button variant="default" size="compact-xs" onClick={save}>
        {tr('Save what waits to a file')}
      </Button>
      {stuck && (
        <Button variant="default" size="compact-xs" onClick={leaveOut}>
          {tr('Leave it out')}
        </Button>
      )}
    </div>
  );
}

const reasonOf = (lost: string | null): string | null => (lost === NO_ANSWER ? null : lost);
