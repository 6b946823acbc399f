import { SegmentedControl, Select } from '@mantine/core';
import { IconCertificate, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import type { Job, OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay } from '../../schemas/api/play.ts';
import type { Pace } from '../../schemas/play.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { useLibraryChanges } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, ErrorPanel, PageHeader, ProgressWithStop, QueryError } from '../ui/parts.tsx';
import { Back } from './back.tsx';
import { CheckOutcome } from './checks.tsx';
import { useFollow, useLivePlay } from './live.ts';
import { PlayMissing } from './missing.tsx';
import classes from './page.module.css';
import { Plays } from './plays.tsx';
import { useRunning } from './running.ts';
import { type PlayView, Sides, type When } from './sides.tsx';
import { StepMarks } from './steps.tsx';
import { ProofVerdict } from './verdict.tsx';
import type { StepOutcome } from './words.ts';

const PACES: { value: Pace; label: string }[] = [
  { value: 'ready', label: tr('As soon as the screen is ready') },
  { value: 'recorded', label: tr('At the pace of the person') },
];
const VIEWS: readonly PlayView[] = ['both', 'recorded', 'played'];

/** The page once the recording is there. */
export function PlayWorkspace({ ws, demonstration }: { ws: string; demonstration: OpenedRecording }): ReactNode {
  const { row, steps } = demonstration;
  const [, go] = useLocation();
  const cache = useQueryClient();
  useLibraryChanges(ws);
  const [pace, setPace] = useState<Pace>('ready');
  const [chosen, setChosen] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const [when, setWhen] = useState<When>('before');
  const [view, setView] = useState<PlayView>('both');

  const ofPlays = ['of', ws, 'recordings', row.id, 'plays'] as const;
  const ready = useQuery({
    queryKey: ['of', ws, 'tasks', row.task, 'ready', row.id],
    queryFn: ({ signal }) => client.play.ready({ ws, recording: row.id }, { signal }),
  });
  const plays = useQuery({
    queryKey: ofPlays,
    queryFn: ({ signal }) => client.play.list({ ws, recording: row.id }, { signal }),
  });
  const verdict = useQuery({
    // Others' new checks make it one that no longer counts.
    queryKey: ['of', ws, 'tasks', row.task, 'verdict', row.id],
    queryFn: ({ signal }) => client.play.verdict({ ws, recording: row.id }, { signal }),
  });
  const onOver = useCallback(
    (played: string | null) => {
      setChosen(played);
      void cache.invalidateQueries({ queryKey: ['of', ws, 'recordings', row.id, 'plays'] });
      void cache.invalidateQueries({ queryKey: ['of', ws, 'tasks', row.task, 'verdict'] });
    },
    [cache, ws, row.id, row.task],
  );
  const running = useRunning(ws, row.id, onOver);
  const known = plays.data?.find(({ id }) => id === chosen);
  // The one that has just ended comes with the list that is read anew: until then no other is shown in its place.
  const awaited = chosen !== null && known === undefined && plays.isFetching;
  const shown = known ?? (awaited ? undefined : plays.data?.[0]);
  const play = useQuery({
    queryKey: [...ofPlays, shown?.id],
    queryFn: ({ signal }) => client.play.open({ ws, played: shown?.id ?? '' }, { signal }),
    enabled: shown !== undefined,
    staleTime: 60_000,
  });
  const opened = running.job === null && play.data?.id === shown?.id ? play.data : undefined;
  const report = opened?.report ?? null;
  const marks = opened && marksOf(demonstration, opened);

  const live = useLivePlay(ws, row.id, running.job);
  const { strayed, stray, again } = useFollow(running.job, live?.step ?? null, (step) => {
    setAt(
      Math.max(
        0,
        steps.findIndex(({ id }) => id === step),
      ),
    );
    setWhen('before');
  });
  // A play is opened where it went wrong; whoever has gone to a step since it began or was chosen stays there.
  const [begun, setBegun] = useState<string | null>(null);
  if (opened && opened.id !== begun) {
    const first = beginning(demonstration, opened);
    setBegun(opened.id);
    if (!strayed) {
      setAt(first.at);
      setWhen(first.when);
    }
  }
  const choose = (id: string | null): void => {
    again();
    setChosen(id);
  };

  const able = ready.data?.missing.length === 0 && running.job === null && !running.starting;
  const hasChecks = ready.data?.checks != null;
  const moveTo = (n: number): void => {
    stray();
    setAt(Math.max(0, Math.min(steps.length - 1, n)));
  };
  const nth = plays.data?.findIndex(({ id }) => id === shown?.id) ?? -1;
  const odd = marks?.findIndex((mark, n) => n > at && mark !== 'same' && mark !== 'not reached') ?? -1;
  const firstOdd = marks?.findIndex((mark) => mark !== 'same' && mark !== 'not reached') ?? -1;
  useHandlers('play', {
    'play.start': { run: () => running.start(pace), enabled: able },
    'play.verify': { run: () => running.verify(pace), enabled: able && hasChecks },
    'play.stop': { run: running.stop, enabled: running.job !== null },
    'play.down': () => moveTo(at + 1),
    'play.up': () => moveTo(at - 1),
    'play.first': () => moveTo(0),
    'play.last': () => moveTo(steps.length - 1),
    'play.odd': { run: () => moveTo(odd < 0 ? firstOdd : odd), enabled: firstOdd >= 0 },
    'play.when': () => setWhen(when === 'before' ? 'after' : 'before'),
    'play.view': () => setView(VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? 'both'),
    'play.newer': { run: () => choose(plays.data?.[nth - 1]?.id ?? null), enabled: nth > 0 },
    'play.older': {
      run: () => choose(plays.data?.[nth + 1]?.id ?? null),
      enabled: nth >= 0 && nth + 1 < (plays.data?.length ?? 0),
    },
    'play.recording': () => go(paths.annotate(ws, row.id)),
  });
  const { job } = running;
  const done = job?.state === 'running' && job.kind === 'play' ? Math.round(job.progress * steps.length) : null;
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Play')}
        windowTitle={tr('{task} · Play', { task: row.task })}
        above={<Back ws={ws} recording={row.id} />}
        about={<Clamp>{`${row.task} · ${row.goal || tr('No goal yet')}`}</Clamp>}
        actions={
          <>
            <Select
              aria-label={tr('Pace')}
              w={240}
              data={PACES}
              value={pace}
              allowDeselect={false}
              onChange={(value) => setPace(value === 'recorded' ? 'recorded' : 'ready')}
            />
            {!job && (
              <CommandButton
                variant="default"
                icon={IconCertificate}
                command="play.verify"
                disabled={!able || !hasChecks}
                title={hasChecks ? undefined : tr('The task has no checks, so nothing could be proven.')}
                onClick={() => running.verify(pace)}
              >
                {tr('Verify')}
              </CommandButton>
            )}
            {job ? (
              <CommandButton color="red.8" icon={IconPlayerStopFilled} command="play.stop" onClick={running.stop}>
                {tr('Stop')}
              </CommandButton>
            ) : (
              <CommandButton
                icon={IconPlayerPlayFilled}
                command="play.start"
                disabled={!able}
                onClick={() => running.start(pace)}
              >
                {tr('Play')}
              </CommandButton>
            )}
          </>
        }
      />
      {ready.error && (
        <ErrorPanel
          error={ready.error}
          what={tr('It cannot be told whether this can be played.')}
          onRetry={ready.refetch}
        />
      )}
      {ready.data && ready.data.missing.length > 0 && (
        <PlayMissing ws={ws} task={row.task} missing={ready.data.missing} />
      )}
      {running.error !== null && <ErrorPanel error={running.error} compact />}
      {running.failed?.error && <ErrorPanel error={running.failed.error} what={tr('It could not be played.')} />}
      {job && (
        <ProgressWithStop
          what={whatGoesOn(job)}
          value={job.state === 'waiting' ? null : job.progress}
          message={job.message}
        />
      )}
      {verdict.error && <ErrorPanel error={verdict.error} what={tr('The verdict cannot be read.')} compact />}
      {!job && verdict.data && <ProofVerdict {...verdict.data} />}
      <div className={classes.columns}>
        <div className={classes.left}>
          <Plays
            plays={plays.data ?? []}
            shown={shown}
            playing={job !== null || awaited}
            onChoose={choose}
            report={report}
          />
          <QueryError of={plays} compact />
          <StepMarks steps={steps} marks={marks ?? null} at={at} playing={done} onChoose={moveTo} />
        </div>
        <div className={classes.right}>
          {play.error && <ErrorPanel error={play.error} what={tr('This play cannot be opened.')} />}
          <Sides
            ws={ws}
            demonstration={demonstration}
            play={opened ?? null}
            mark={marks?.[at] ?? null}
            at={at}
            when={when}
            view={view}
            isPlaying={job !== null}
            live={live?.picture ?? null}
            controls={<Controls when={when} view={view} onWhen={setWhen} onView={setView} />}
          />
          {report && <CheckOutcome ws={ws} task={row.task} report={report} />}
        </div>
      </div>
    </div>
  );
}

/** Which moment of the step, and which of its pictures. */
function Controls(props: {
  when: When;
  view: PlayView;
  onWhen: (when: When) => void;
  onView: (view: PlayView) => void;
}): ReactNode {
  const { when, view, onWhen, onView } = props;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={tr('Which moment')}
        data={[
          { value: 'before', label: tr('Before') },
          { value: 'after', label: tr('After') },
        ]}
        value={when}
        onChange={(value) => onWhen(value === 'after' ? 'after' : 'before')}
      />
      <SegmentedControl
        size="xs"
        aria-label={tr('Which picture')}
        data={[
          { value: 'both', label: tr('Both') },
          { value: 'recorded', label: tr('Recorded') },
          { value: 'played', label: tr('Played') },
        ]}
        value={view}
        onChange={(value) => onView(VIEWS.find((one) => one === value) ?? 'both')}
      />
    </>
  );
}

function whatGoesOn({ kind, state }: Pick<Job, 'kind' | 'state'>): string {
  if (state === 'waiting') return tr('Waiting for another play to end');
  return kind === 'verify'
    ? tr('Verifying: several plays, each on a display of its own')
    : tr('Playing on a display of its own');
}

/** The step at which a play stopped, and the picture that says why; else the first. */
function beginning({ steps }: OpenedRecording, { report }: OpenedPlay): { at: number; when: When } {
  const last = report?.steps.at(-1);
  if (last?.verdict !== 'different' && last?.verdict !== 'missing') return { at: 0, when: 'before' };
  const at = steps.findIndex(({ id }) => id === last.step);
  return { at: Math.max(0, at), when: last.seen?.after == null ? 'before' : 'after' };
}

function marksOf({ steps }: OpenedRecording, { report }: OpenedPlay): StepOutcome[] {
  const byStep = new Map(report?.steps.map(({ step, verdict }) => [step, verdict]));
  return steps.map(({ id }) => byStep.get(id) ?? 'not reached');
}
