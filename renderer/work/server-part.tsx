import { Badge, Button } from '@mantine/core';
import { IconPlayerRecordFilled } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { OutgoingRecording, ServerTaskList } from '../../schemas/api/team-server.ts';
import { client } from '../client/api.ts';
import { untilDone } from '../client/changes.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Clamp, ErrorPanel, ProgressWithStop, QueryError, Time } from '../ui/parts.tsx';
import classes from './page.module.css';
import { serverQueries } from './server-queries.ts';

/** How often it is asked how far recordings are, ms. */
const [SENDING_MS, WAITING_MS] = [1000, 5000];
/** Tasks and recordings that are shown; the command line lists all. */
const MOST_SHOWN = 50;

/** Tasks of the team's server that are to be recorded on this machine, and the recordings that go there. */
export function ServerPart({ ws, origin }: { ws: string; origin: string }): ReactNode {
  const tasks = useQuery({ ...serverQueries.tasks(ws), refetchInterval: 60_000 });
  const outgoing = useQuery({
    ...serverQueries.outgoing(ws),
    refetchInterval: ({ state }) =>
      state.data?.recordings.some((one) => one.state === 'sending') ? SENDING_MS : WAITING_MS,
  });
  const away = tasks.data?.away ?? outgoing.data?.away ?? null;
  const sent = outgoing.data?.recordings ?? [];
  const title = tr('To record for {origin}', { origin });
  return (
    <section aria-label={title} className={classes.server}>
      <h2 className={classes.turn}>{title}</h2>
      <QueryError of={tasks} what={tr('The tasks of the server could not be read.')} compact />
      {away !== null && (
        <ErrorPanel
          error={away}
          what={tr('The server cannot be asked now. Tasks that you took can be recorded; they are sent later.')}
          onRetry={() => void tasks.refetch()}
        />
      )}
      {tasks.data?.clock != null && <p className={classes.why}>{tasks.data.clock}</p>}
      {tasks.data?.tasks.length === 0 && (
        <p className={classes.why}>{tr('Nothing there is to be recorded by you now.')}</p>
      )}
      <ul className={classes.serverList} aria-label={tr('Tasks to record')}>
        {tasks.data?.tasks.slice(0, MOST_SHOWN).map((task) => (
          <li key={task.id} className={classes.item}>
            <TaskToTake ws={ws} task={task} isAway={away !== null} />
          </li>
        ))}
      </ul>
      <QueryError of={outgoing} what={tr('How far recordings are could not be read.')} compact />
      {sent.length > 0 && (
        <ul className={classes.serverList} aria-label={tr('Recordings for the server')}>
          {sent.slice(0, MOST_SHOWN).map((one) => (
            <li key={one.recording} className={classes.item} data-recording={one.recording}>
              <Outgoing ws={ws} one={one} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function TaskToTake(props: { ws: string; task: ServerTaskList['tasks'][number]; isAway: boolean }): ReactNode {
  const { ws, task, isAway } = props;
  const [, go] = useLocation();
  const cache = useQueryClient();
  const isPrepared = task.attachments.some(({ role }) => role === 'recipe');
  const take = useMutation({
    // Taken again, it has the server's words and files of now; while the server is away, it is recorded with those of before.
    mutationFn: async (where: 'display' | 'stage') => {
      if (isAway && task.taken) return { id: task.id, where };
      const { task: id, job } = await client.teamServer.take({ ws, task: task.id });
      // Its stage is set up with the files.
      if (where === 'stage' && job !== null) await untilDone(cache, ws, job, () => undefined);
      return { id, where };
    },
    onSuccess: ({ id, where }) => {
      void cache.invalidateQueries({ queryKey: ['of', ws] });
      go(where === 'stage' ? paths.stage(ws, id) : paths.record(ws, id));
    },
  });
  return (
    <>
      <span className={classes.what}>
        <span className={classes.title}>
          <strong>{task.id}</strong>
          <Clamp>{task.goal || tr('No goal yet')}</Clamp>
        </span>
        <span className={classes.why}>
          {tr('{software}, {recordings, plural, =0 {not recorded yet} one {recorded once} other {recorded # times}}', {
            software: task.software.name,
            recordings: task.recordings,
          })}
        </span>
        {take.error && <ErrorPanel error={take.error} compact />}
      </span>
      {task.mine && <Badge size="sm">{tr('yours')}</Badge>}
      {isPrepared && (
        <Button
          variant="default"
          size="compact-sm"
          loading={take.isPending && take.variables === 'stage'}
          disabled={take.isPending}
          onClick={() => take.mutate('stage')}
          aria-label={tr('Record {task} on its stage', { task: task.id })}
        >
          {tr('On its stage')}
        </Button>
      )}
      <Button
        color="red.8"
        size="compact-sm"
        leftSection={<IconPlayerRecordFilled size={13} aria-hidden />}
        loading={take.isPending && take.variables === 'display'}
        disabled={take.isPending}
        onClick={() => take.mutate('display')}
        aria-label={tr('Record {task}', { task: task.id })}
      >
        {tr('Record')}
      </Button>
    </>
  );
}

function Outgoing({ ws, one }: { ws: string; one: OutgoingRecording }): ReactNode {
  const cache = useQueryClient();
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: serverQueries.outgoing(ws).queryKey });
  const send = useMutation({
    mutationFn: () => client.teamServer.push({ ws, recording: one.recording }),
    onSettled: refresh,
  });
  const stop = useMutation({
    mutationFn: (job: string) => client.jobs.cancel({ ws, job }),
    onSettled: refresh,
  });
  const { task, recording, goal, state, job, progress, message, error } = one;
  const name = task ?? recording;
  const problem = send.error ?? stop.error;
  return (
    <>
      <span className={classes.what}>
        <span className={classes.title}>
          <strong>{name}</strong>
          <Clamp>{goal}</Clamp>
        </span>
        {state === 'sending' ? (
          <ProgressWithStop
            what={tr('Sending {name}', { name })}
            value={progress}
            message={message}
            onStop={job === null ? undefined : () => stop.mutate(job)}
          />
        ) : (
          <span className={classes.why}>{stateWords(one)}</span>
        )}
        {state === 'held' && error !== null && error.code !== 'CANCELLED' && <ErrorPanel error={error} compact />}
        {problem && <ErrorPanel error={problem} compact />}
      </span>
      {one.confirmedAt !== null && (
        <span className={classes.since}>
          <Time iso={one.confirmedAt} />
        </span>
      )}
      {(state === 'held' || state === 'waiting') && (
        <Button
          variant="default"
          size="compact-sm"
          loading={send.isPending}
          onClick={() => send.mutate()}
          aria-label={tr('Send now: {name}', { name })}
        >
          {tr('Send now')}
        </Button>
      )}
    </>
  );
}

function stateWords({ state, here, error }: OutgoingRecording): string {
  if (state === 'recording') return tr('Being recorded.');
  if (state === 'waiting') return tr('Waits to be sent.');
  if (state === 'held') return error?.code === 'CANCELLED' ? tr('Stopped. What arrived stays there.') : tr('Not sent.');
  return here
    ? tr('The server has it, every file confirmed. A copy is here.')
    : tr('The server has it, every file confirmed. The copy here was removed.');
}
