import { Menu, Switch, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconMovie,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { RecordingState } from '../../schemas/api/models.ts';
import { client, toError } from '../app/api.ts';
import { Kbd } from '../app/keys/kbd.tsx';
import { StateLabel } from '../app/ui/states.tsx';
import classes from './annotate.module.css';
import { useActions, useTools } from './context.ts';
import { nextLabel } from './document/undo-labels.ts';
import { medians } from './effort.ts';
import { KeyButton, KeyIcon, keepFocus } from './parts.tsx';
import { useWork, useWorkStore } from './store.ts';

/** Which recording, how much is left, whether it is stored, and what goes for the whole page. */
export function Bar(props: { autoAdvance: boolean; onAutoAdvance: () => void }): ReactNode {
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
      <StateMenu />
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
function Saved(): ReactNode {
  const actions = useActions();
  const waiting = useWork((state) => state.sync.pending.queue.length);
  const lost = useWork((state) => state.sync.lost);
  const unkept = useWork((state) => state.sync.unkept);
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
        onClick={() => actions.retry()}
      >
        <Icon size={16} aria-hidden /> <span role="status">{words}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

function UndoRedo(): ReactNode {
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

/** States an annotator may set; reviewing has its own place. */
const STATES: readonly RecordingState[] = ['recorded', 'annotating', 'annotated'];

function StateMenu(): ReactNode {
  const store = useWorkStore();
  const actions = useActions();
  const queries = useQueryClient();
  const ws = useWork((state) => state.ws);
  const row = useWork((state) => state.opened.row);
  const left = useWork((state) => state.doc.left);
  const change = useMutation({
    mutationFn: (state: RecordingState) => client.recordings.setState({ ws, recording: row.id, state }),
    onSuccess: (next) => {
      store.setState(({ opened }) => ({ opened: { ...opened, row: next } }));
      void queries.invalidateQueries({ queryKey: ['of', ws, 'recordings'] });
    },
    onError: (error) => actions.say(`The state was not changed. ${toError(error).message}`),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.state}>
          <span className="visually-hidden">State of the work: </span>
          <StateLabel state={row.state} />
          <IconChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{left > 0 ? `${left} steps are not done yet` : 'Every step is done'}</Menu.Label>
        {STATES.map((state) => (
          <Menu.Item key={state} disabled={state === row.state} onClick={() => change.mutate(state)}>
            <StateLabel state={state} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
