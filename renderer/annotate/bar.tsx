import { Tooltip } from '@mantine/core';
import { IconListCheck, IconMessages, IconMovie, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Saved, UndoRedo, WorkStateLabel } from '../workbench/bar.tsx';
import { useTools } from '../workbench/context.ts';
import { medians } from '../workbench/effort.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { readOnlyNow, useWork } from '../workbench/store.ts';
import { Track } from '../workbench/track.tsx';
import classes from '../workbench/workbench.module.css';
import { type HandIn, mayResubmit } from './hand-in.ts';
import { useGaps } from './missing.ts';

/** Which recording, how much is left, whether it is stored, and what goes for the whole page. */
export function Bar({ handIn }: { handIn: HandIn }): ReactNode {
  const { run } = useTools();
  const row = useWork((state) => state.opened.row);
  const source = useWork((state) => state.open === 'source');
  return (
    <div className={classes.bar}>
      <h1 className={classes.title} title={tr('{task} · recording {id}', { task: row.task, id: row.id })}>
        {row.task} <span className={classes.recording}>{row.id}</span>
      </h1>
      <WorkStateLabel />
      <Progress />
      <div className={classes.spacer} />
      <Saved />
      <UndoRedo />
      <KeyButton
        command="annotate.source"
        label={tr('Source video')}
        title={tr('Source video and transcript')}
        pressed={source}
        icon={<IconMovie size={14} aria-hidden />}
        onClick={() => run('annotate.source')}
      />
      <PlayAgain />
      <Comments />
      <MissingButton />
      <HandInButton {...handIn} />
    </div>
  );
}

function Progress(): ReactNode {
  const left = useWork((state) => state.doc.left);
  const done = useWork((state) => state.doc.done);
  const effort = useWork((state) => state.effort.done);
  const found = useMemo(() => medians({ done: effort, now: null }), [effort]);
  const total = left + done;
  const words =
    total === 0 ? tr('No steps') : left === 0 ? tr('All done') : tr('{done} of {total} done', { done, total });
  return (
    <Track label={tr('Steps done')} value={done} total={total} words={words}>
      {found && (
        <Tooltip
          label={tr(
            'Medians of {steps} steps confirmed in this browser: {seconds} s and {keystrokes} keys and pointer actions per step.',
            { steps: found.steps, seconds: (found.ms / 1000).toFixed(1), keystrokes: found.keystrokes },
          )}
        >
          <span className={classes.quiet} data-testid="median">
            {tr('{seconds} s/step', { seconds: (found.ms / 1000).toFixed(1) })}
          </span>
        </Tooltip>
      )}
    </Track>
  );
}

/** The way to playing it again, and to the plays that there are. */
function PlayAgain(): ReactNode {
  const [, go] = useLocation();
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const open = (): void => go(paths.play(ws, recording));
  useHandlers('annotate.edit.work', { 'annotate.playAgain': open });
  return (
    <KeyButton
      command="annotate.playAgain"
      label={tr('Play again')}
      icon={<IconPlayerPlay size={14} aria-hidden />}
      onClick={open}
    />
  );
}

/** The way to all comments, once there are any. */
function Comments(): ReactNode {
  const { run } = useTools();
  const total = useWork((state) => state.review?.view.threads.length ?? 0);
  const open = useWork((state) => state.review?.view.threads.filter((thread) => thread.open).length ?? 0);
  const shown = useWork((state) => state.open === 'threads');
  if (total === 0) return null;
  return (
    <KeyButton
      command="comment.panel"
      label={open > 0 ? tr('Comments ({open})', { open }) : tr('Comments')}
      pressed={shown}
      icon={<IconMessages size={13} aria-hidden />}
      onClick={() => run('comment.panel')}
    />
  );
}

/** How much is missing, and the way to the list of it. */
function MissingButton(): ReactNode {
  const { run } = useTools();
  const { length } = useGaps();
  const readOnly = useWork((state) => readOnlyNow(state) !== null);
  const shown = useWork((state) => state.open === 'missing');
  if (readOnly || (length === 0 && !shown)) return null;
  return (
    <KeyButton
      command="annotate.missing"
      label={tr('{gaps, number} missing', { gaps: length })}
      title={tr('Boxes, titles and narrations that are missing')}
      pressed={shown}
      icon={<IconListCheck size={13} aria-hidden />}
      onClick={() => run('annotate.missing')}
    />
  );
}

function HandInButton({ what, busy, toggle }: HandIn): ReactNode {
  const allDone = useWork((state) => state.doc.left === 0 && state.doc.steps.length > 0);
  const handedIn = useWork(
    (state) =>
      !mayResubmit(state) &&
      state.review?.view.documents.some((one) => one.id === state.document && one.submitted !== null),
  );
  const readOnly = useWork((state) => readOnlyNow(state) !== null);
  const { length } = useGaps();
  if (what === 'submit' && (readOnly || handedIn)) return null;
  const missing =
    what === 'submit' && length > 0
      ? tr('Submit: {gaps, plural, one {# thing is} other {# things are}} missing', { gaps: length })
      : null;
  return (
    <KeyButton
      command="annotate.handIn"
      label={what === 'submit' ? tr('Submit') : tr('Withdraw')}
      variant={what === 'submit' && allDone ? 'filled' : 'default'}
      icon={<IconSend size={13} aria-hidden />}
      disabled={busy}
      {...(missing !== null && { title: missing })}
      onClick={toggle}
    />
  );
}
