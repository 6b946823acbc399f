import { Badge, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconCloudCheck, IconCloudOff, IconCloudUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { NO_ANSWER } from '../client/refusal.ts';
import { tr } from '../language/tr.ts';
import { StateLabel } from '../ui/states.tsx';
import { useActions, useTools } from './context.ts';
import { nextUndoLabel } from './document/undo-labels.ts';
import { labelWords } from './labels.ts';
import { KeyIcon, keepFocus } from './parts.tsx';
import { useWork } from './store.ts';
import classes from './workbench.module.css';

/** There is no Save button: what is stored and what waits is said instead. */
export function Saved(): ReactNode {
  const actions = useActions();
  const { review } = useTools();
  const waiting = useWork((state) => state.sync.pending.queue.length + (state.review?.waiting ?? 0));
  const lost = useWork((state) => state.sync.lost ?? state.review?.lost ?? null);
  const unkept = useWork((state) => state.sync.unkept || state.review?.unkept === true);
  const changes = waiting === 1 ? tr('1 change waits') : tr('{waiting} changes wait', { waiting });
  const words =
    lost !== null ? lostWords(lost, waiting, changes) : waiting > 0 ? tr('Saving …') : tr('All changes saved');
  const Icon = lost !== null ? IconCloudOff : waiting > 0 ? IconCloudUp : IconCloudCheck;
  const why =
    lost === null
      ? tr('Every change is stored at once; there is nothing to save.')
      : unkept
        ? tr(
            '{lost} What you do waits here (leave this page open: the browser has no room to keep it) and is sent when it answers. Click to try now.',
            { lost },
          )
        : tr('{lost} What you do waits here, also over a reload, and is sent when it answers. Click to try now.', {
            lost,
          });
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
        <Icon size={16} aria-hidden />
        {/* Seen while something waits; else the cloud says it. */}
        <span role="status" className={lost === null ? 'visually-hidden' : undefined}>
          {words}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}

function lostWords(lost: string, waiting: number, changes: string): string {
  if (lost === NO_ANSWER) return waiting > 0 ? tr('Offline: {changes}', { changes }) : tr('Offline');
  return waiting > 0 ? tr('Not saved: {changes}', { changes }) : tr('Not saved');
}

export function UndoRedo(): ReactNode {
  const actions = useActions();
  const labels = useWork((state) => state.sync.labels);
  const waiting = useWork((state) => state.sync.pending.queue.length > 0);
  const undo = nextUndoLabel(labels, 'undo');
  const redo = nextUndoLabel(labels, 'redo');
  const named = (what: string, label: string | null) => (label === null ? what : `${what}: ${labelWords(label)}`);
  return (
    <>
      <KeyIcon
        command="annotate.undo"
        label={named(tr('Undo'), undo.label)}
        disabled={undo.label === null && !undo.unknown && !waiting}
        onClick={actions.undo}
      >
        <IconArrowBackUp size={16} aria-hidden />
      </KeyIcon>
      <KeyIcon
        command="annotate.redo"
        label={named(tr('Redo'), redo.label)}
        disabled={redo.label === null && !redo.unknown && !waiting}
        onClick={actions.redo}
      >
        <IconArrowForwardUp size={16} aria-hidden />
      </KeyIcon>
    </>
  );
}

type Reviewed = { state: RecordingState; documents: readonly { id: string; submitted: number | null }[] };

/** The state of somebody's work: of blind work that is submitted, too, while the others are still at theirs. */
export function workStateOf(review: Reviewed | null, document: string, atFirst: RecordingState): RecordingState {
  const state = review?.state ?? atFirst;
  const own = review?.documents.find(({ id }) => id === document);
  return state === 'annotating' && own && own.submitted !== null ? 'annotated' : state;
}

/** The state follows from what people do; it is shown, not chosen. */
export function WorkStateLabel(): ReactNode {
  const state = useWork(({ review, opened, document }) =>
    workStateOf(review?.view ?? null, document, opened.row.state),
  );
  const blind = useWork(({ review, document, opened }) => review?.view.blind === true || document !== opened.row.id);
  return (
    <>
      {blind && (
        <Tooltip
          label={tr('You annotate this recording without seeing what others made of it; both are compared later.')}
        >
          <Badge size="sm" color="gray" className={classes.blind} tabIndex={0}>
            {tr('blind')}
          </Badge>
        </Tooltip>
      )}
      <span className={classes.state}>
        <span className="visually-hidden">{tr('State of the work:')} </span>
        <StateLabel state={state} />
      </span>
    </>
  );
}
