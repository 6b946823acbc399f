import { Anchor, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { LiveRunState, RunCommand } from '../../schemas/api/runs.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { useStream } from '../client/stream.ts';
import { tr } from '../language/tr.ts';
import { toError } from '../ui/errors.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, EmptyState, ErrorPanel, PageHeader } from '../ui/parts.tsx';
import { LiveActions } from './live-actions.tsx';
import { LiveLines } from './live-lines.tsx';
import { LiveStageView } from './live-stage.tsx';
import classes from './page.module.css';
import { OutcomeOfRun } from './run-outcome.tsx';
import { agentWords, phaseWords } from './words.ts';

/** A run that goes on: its stage as it is now, what the agent thinks and does, and the mouse and the keyboard for a person. */
export function LiveRunPage({ ws, run }: { ws: string; run: string }): ReactNode {
  const [state, setState] = useState<LiveRunState | null>(null);
  const [lost, setLost] = useState<unknown>(null);
  useStream(
    lost === null ? `${ws}/${run}` : null,
    async (signal) => {
      try {
        return await client.runs.watch({ ws, run }, { signal });
      } catch (error) {
        // It is none of this studio's any more, and will not come back.
        if (toError(error).code === 'USAGE') setLost(error);
        throw error;
      }
    },
    setState,
  );
  if (state) return <Live key={run} ws={ws} state={state} />;
  return (
    <div className={classes.page}>
      <PageHeader title={tr('Run')} above={<Back ws={ws} />} />
      {lost !== null && <ErrorPanel error={lost} what={tr('This run cannot be shown.')} />}
    </div>
  );
}

function Back({ ws }: { ws: string }): ReactNode {
  return (
    <Anchor component={Link} href={paths.runs(ws)} size="xs">
      {tr('Runs')}
    </Anchor>
  );
}

function Live({ ws, state }: { ws: string; state: LiveRunState }): ReactNode {
  const { id: run, phase, hand, agent, recording } = state;
  const [, go] = useLocation();
  const stage = useRef<HTMLTextAreaElement>(null);
  const sent = useRef<() => Promise<void>>(async () => undefined);
  const [problem, setProblem] = useState<unknown>(null);
  const [answer, setAnswer] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const command = useMutation({
    mutationFn: async (what: RunCommand) => {
      // The last key is the person's before the run is over, or the agent's again; a stop waits for nothing.
      if (what !== 'stop') await sent.current();
      return client.runs.command({ ws, run, what, ...(what === 'done' && state.answers && { answer }) });
    },
    onMutate: () => setProblem(null),
  });
  const isHuman = agent === 'human';
  const mine = phase === 'acting' && hand === 'person';
  const able = { acts: mine, takes: phase === 'acting' && hand === 'agent' && !isHuman };
  const isOn = phase === 'setting' || phase === 'acting';
  const { next } = state;
  // Somebody who does a composition is led from task to task.
  useEffect(() => {
    if (next !== null) go(paths.liveRun(ws, next), { replace: true });
  }, [next, ws, go]);
  // Whoever gets the mouse and the keyboard wants to use them.
  useEffect(() => {
    if (mine) stage.current?.focus({ preventScroll: true });
  }, [mine]);
  useHandlers('live', {
    'live.stage': { run: () => stage.current?.focus(), enabled: mine },
    'live.take': { run: () => command.mutate('take-over'), enabled: able.takes },
    'live.giveBack': { run: () => command.mutate('give-back'), enabled: mine && !isHuman },
    'live.answer': { run: () => field.current?.focus(), enabled: mine && state.answers },
    'live.done': { run: () => command.mutate('done'), enabled: mine && isHuman },
    'live.giveUp': { run: () => command.mutate('give-up'), enabled: mine && isHuman },
    'live.end': { run: () => command.mutate('end'), enabled: mine && !isHuman },
    'live.stop': { run: () => command.mutate('stop'), enabled: isOn },
    'live.recording': {
      run: () => recording !== null && go(paths.annotate(ws, recording)),
      enabled: phase === 'over' && recording !== null,
    },
    'live.list': () => go(paths.runs(ws)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={state.task}
        windowTitle={tr('{task} · Run', { task: state.task })}
        above={<Back ws={ws} />}
        about={<Clamp>{`${agentWords(agent, state.model)} · ${state.goal || tr('No goal yet')}`}</Clamp>}
        actions={
          <LiveActions
            state={state}
            busy={command.isPending}
            onCommand={(what) => command.mutate(what)}
            answer={answer}
            onAnswer={setAnswer}
            field={field}
          />
        }
      />
      {command.error && <ErrorPanel error={command.error} compact />}
      {problem !== null && <ErrorPanel error={problem} compact />}
      <div className={classes.live}>
        <div className={classes.seen}>
          <p className={classes.phase} role="status" data-hand={mine ? 'person' : hand}>
            {phaseWords(state)}
          </p>
          {phase === 'setting' && (
            <EmptyState title={tr('The stage is being set up')}>
              {state.note || tr('Its programs are started; this takes some seconds.')}
            </EmptyState>
          )}
          {phase === 'acting' && (
            <LiveStageView ws={ws} run={run} field={stage} acts={mine} sent={sent} onError={setProblem} />
          )}
          {phase === 'checking' && (
            <EmptyState title={tr('The outcome is being looked at')}>
              {tr('The recording is closed, and the checks of the task are evaluated.')}
            </EmptyState>
          )}
          {phase === 'over' && <OutcomeOfRun state={state} />}
          {phase === 'over' && (
            <Group gap={8} className={classes.next}>
              {recording !== null && state.error === null && (
                <Button component={Link} href={paths.annotate(ws, recording)} variant="default">
                  {tr('Open its recording')}
                </Button>
              )}
              <Button component={Link} href={paths.runs(ws)} variant="default">
                {tr('All runs')}
              </Button>
            </Group>
          )}
        </div>
        <LiveLines state={state} />
      </div>
    </div>
  );
}
