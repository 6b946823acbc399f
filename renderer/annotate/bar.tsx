import { Badge, Switch, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconMessages,
  IconMovie,
  IconSend,
} from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Kbd } from '../app/keys/kbd.tsx';
import { StateLabel } from '../app/ui/states.tsx';
import classes from './annotate.module.css';
import { useActions, useTools } from './context.ts';
import { nextLabel } from './document/undo-labels.ts';
import { medians } from './effort.ts';
import type { HandIn } from './hand-in.ts';
import { KeyButton, KeyIcon, keepFocus } from './parts.tsx';
import { readOnlyNow, useWork } from './store.ts';

/** Which recording, how much is left, whether it is stored, and what goes for the whole page. */
export function Bar(props: { autoAdvance: boolean; onAutoAdvance: () => void; handIn: HandIn }): ReactNode {
  const { run } = useTools();
  const row = useWork((state) => state.opened.row);
  const source = useWork((state) => state.open === 'source');
  return (
    <header className={classes.bar}>
      <h1 className={classes.title} title={`${row.task} · recording ${row.id}`}>
        {row.task} <span className={classes.recording}>{row.id}</span>
      </h1>
      <Progress />
      <div className={classes.spacer} />
      <Saved />
      <UndoRedo />
      <span className={classes.switch}>
        <Switch
          label="Go on by itself"
          checked={props.autoAdvance}
          onChange={props.onAutoAdvance}
          onMouseDown={keepFocus}
        />
        <Kbd command="annotate.autoAdvance" />
      </span>
      <KeyButton
        command="annotate.source"
        label="Source"
        pressed={source}
        icon={<IconMovie size={13} aria-hidden />}
        onClick={() => run('annotate.source')}
      />
      <Comments />
      <HandInButton {...props.handIn} />
      <WorkState />
    </header>
  );
}

function Progress(): ReactNode {
  const left = useWork((state) => state.doc.left);
  const done = useWork((state) => state.doc.done);
  const effort = useWork((state) => state.effort.done);
  const found = useMemo(() => medians({ done: effort, now: null }), [effort]);
  const total = left + done;
  const words = total === 0 ? 'No steps' : left === 0 ? 'All done' : `${left} of ${total} left`;
  return (
    <div className={classes.progress}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Steps done"
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        <div className={classes.fill} style={{ transform: `scaleX(${total === 0 ? 0 : done / total})` }} />
      </div>
      <span className="tabular" data-testid="left">
        {words}
      </span>
      {found && (
        <Tooltip
          label={`Medians of ${found.steps} steps confirmed in this browser: ${(found.ms / 1000).toFixed(1)} s and ${found.keystrokes} keys and pointer actions a step.`}
        >
          <span className={classes.quiet} data-testid="median">
            {(found.ms / 1000).toFixed(1)} s a step
          </span>
        </Tooltip>
      )}
    </div>
  );
}

/** There is no Save button: what is stored and what waits is said instead. */
export function Saved(): ReactNode {
  const actions = useActions();
  const { review } = useTools();
  const waiting = useWork((state) => state.sync.pending.queue.length + (state.review?.waiting ?? 0));
  const lost = useWork((state) => state.sync.lost ?? state.review?.lost ?? null);
  const unkept = useWork((state) => state.sync.unkept || state.review?.unkept === true);
  const changes = waiting === 1 ? '1 change waits' : `${waiting} changes wait`;
  const words =
    lost !== null ? (waiting > 0 ? `Offline: ${changes}` : 'Offline') : waiting > 0 ? 'Saving …' : 'All changes saved';
  const Icon = lost !== null ? IconCloudOff : waiting > 0 ? IconCloudUp : IconCloudCheck;
  const why =
    lost === null
      ? 'Every change is stored at once; there is nothing to save.'
      : `${lost} What you do waits here${unkept ? ' (leave this page open: the browser has no room to keep it)' : ', also over a reload,'} and is sent when it answers. Click to try now.`;
  return (
    <Tooltip label={why}>
      <UnstyledButton
        className={classes.saved}
        data-lost={lost !== null}
        onMouseDown={keepFocus}
        onClick={() => {
          actions.retry();
          review?.retry();
        }}
      >
        <Icon size={16} aria-hidden /> <span role="status">{words}</span>
      </UnstyledButton>
    </Tooltip>
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
      label={open > 0 ? `Comments (${open})` : 'Comments'}
      pressed={shown}
      icon={<IconMessages size={13} aria-hidden />}
      onClick={() => run('comment.panel')}
    />
  );
}

function HandInButton({ what, busy, toggle }: HandIn): ReactNode {
  const left = useWork((state) => state.doc.left);
  const handedIn = useWork((state) =>
    state.review?.view.documents.some((one) => one.id === state.document && one.submitted !== null),
  );
  const readOnly = useWork((state) => readOnlyNow(state) !== null);
  if (what === 'hand in' && (readOnly || handedIn)) return null;
  return (
    <KeyButton
      command="annotate.handIn"
      label={what === 'hand in' ? 'Hand in' : 'Take back'}
      variant={what === 'hand in' && left === 0 ? 'filled' : 'default'}
      icon={<IconSend size={13} aria-hidden />}
      disabled={busy}
      onClick={toggle}
    />
  );
}

export function UndoRedo(): ReactNode {
  const actions = useActions();
  const labels = useWork((state) => state.sync.labels);
  const waiting = useWork((state) => state.sync.pending.queue.length > 0);
  const undo = nextLabel(labels, 'undo');
  const redo = nextLabel(labels, 'redo');
  const named = (what: string, label: string | null) => (label === null ? what : `${what}: ${label}`);
  return (
    <>
      <KeyIcon
        command="annotate.undo"
        label={named('Undo', undo.label)}
        disabled={undo.label === null && !undo.unknown && !waiting}
        onClick={actions.undo}
      >
        <IconArrowBackUp size={16} aria-hidden />
      </KeyIcon>
      <KeyIcon
        command="annotate.redo"
        label={named('Redo', redo.label)}
        disabled={redo.label === null && !redo.unknown && !waiting}
        onClick={actions.redo}
      >
        <IconArrowForwardUp size={16} aria-hidden />
      </KeyIcon>
    </>
  );
}

/** The state follows from what people do; it is shown, not chosen. */
export function WorkState(): ReactNode {
  const state = useWork(({ review, opened }) => review?.view.state ?? opened.row.state);
  const blind = useWork(({ review, document, opened }) => review?.view.blind === true || document !== opened.row.id);
  return (
    <>
      {blind && (
        <Tooltip label="You annotate this recording without seeing what others made of it; both are compared later.">
          <Badge size="sm" color="gray" className={classes.blind} tabIndex={0}>
            blind
          </Badge>
        </Tooltip>
      )}
      <span className={classes.state}>
        <span className="visually-hidden">State of the work: </span>
        <StateLabel state={state} />
      </span>
    </>
  );
}
