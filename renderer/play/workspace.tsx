import { SegmentedControl, Select } from '@mantine/core';
import { IconCertificate, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Job, OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay } from '../../schemas/api/play.ts';
import type { Pace } from '../../schemas/play.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, ErrorPanel, PageHeader, ProgressWithStop, QueryError } from '../ui/parts.tsx';
import { AgreeDialog } from './agree.tsx';
import { Back } from './back.tsx';
import { CheckOutcome } from './checks.tsx';
import { useLivePlay } from './live.ts';
import { PlayMissing } from './missing.tsx';
import classes from './page.module.css';
import { Plays } from './plays.tsx';
import type { RunningPlay } from './running.ts';
import { type PlayView, Sides, type When } from './sides.tsx';
import { StepMarks } from './steps.tsx';
import { usePlace } from './use-place.ts';
import { usePlays } from './use-plays.ts';
import { ProofVerdict } from './verdict.tsx';
import { isOdd, type StepOutcome, tellingMoment } from './words.ts';

const PACES: { value: Pace; label: string }[] = [
  { value: 'ready', label: tr('As soon as the screen is ready') },
  { value: 'recorded', label: tr('At the pace of the person') },
];
const VIEWS: readonly PlayView[] = ['both', 'recorded', 'played'];

/** The page once the recording is there. */
export function PlayWorkspace({ ws, demonstration }: { ws: string; demonstration: OpenedRecording }): ReactNode {
  const { row, steps } = demonstration;
  const [, go] = useLocation();
  const [pace, setPace] = useState<Pace>('ready');
  const [view, setView] = useState<PlayView>('both');
  const ready = useQuery({
    queryKey: ['of', ws, 'tasks', row.task, 'ready', row.id],
    queryFn: ({ signal }) => client.play.ready({ ws, recording: row.id }, { signal }),
  });
  const verdict = useQuery({
    // Others' new checks make it one that no longer counts.
    queryKey: ['of', ws, 'tasks', row.task, 'verdict', row.id],
    queryFn: ({ signal }) => client.play.verdict({ ws, recording: row.id }, { signal }),
  });
  const { list: plays, running, shown, opened, ...played } = usePlays(ws, demonstration);
  const { job } = running;
  const live = useLivePlay(ws, row.id, job);
  const { at, when, setWhen, moveTo, again } = usePlace(demonstration, { job, liveStep: live?.step ?? null, opened });
  const report = opened?.report ?? null;
  const marks = opened && marksOf(demonstration, opened);
  const choose = (id: string | null): void => {
    again();
    played.choose(id);
  };

  const able = ready.data?.missing.length === 0 && job === null && !running.starting;
  const hasChecks = ready.data?.checks != null;
  const nth = plays.data?.findIndex(({ id }) => id === shown?.id) ?? -1;
  const odd = marks?.findIndex((mark, n) => n > at && isOdd(mark)) ?? -1;
  const firstOdd = marks?.findIndex(isOdd) ?? -1;
  const showOdd = (n: number): void => {
    moveTo(n);
    setWhen(tellingMoment(report?.steps.find(({ step }) => step === steps[n]?.id)));
  };
  useHandlers('play', {
    'play.start': { run: () => running.start(pace), enabled: able },
    'play.verify': { run: () => running.verify(pace), enabled: able && hasChecks },
    'play.stop': { run: running.stop, enabled: job !== null },
    'play.down': () => moveTo(at + 1),
    'play.up': () => moveTo(at - 1),
    'play.first': () => moveTo(0),
    'play.last': () => moveTo(steps.length - 1),
    'play.odd': { run: () => showOdd(odd < 0 ? firstOdd : odd), enabled: firstOdd >= 0 },
    'play.when': () => setWhen(when === 'before' ? 'after' : 'before'),
    'play.view': () => setView(VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? 'both'),
    'play.newer': { run: () => choose(plays.data?.[nth - 1]?.id ?? null), enabled: nth > 0 },
    'play.older': {
      run: () => choose(plays.data?.[nth + 1]?.id ?? null),
      enabled: nth >= 0 && nth + 1 < (plays.data?.length ?? 0),
    },
    'play.recording': () => go(paths.annotate(ws, row.id)),
  });
  const done = job?.state === 'running' && job.kind === 'play' ? Math.round(job.progress * steps.length) : null;
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Play')}
        windowTitle={tr('{task} · Play', { task: row.task })}
        above={<Back ws={ws} recording={row.id} />}
        about={<Clamp>{`${row.task} · ${row.goal || tr('No goal yet')}`}</Clamp>}
        actions={<Actions pace={pace} onPace={setPace} running={running} able={able} hasChecks={hasChecks} />}
      />
      {ready.error && (
        <ErrorPanel
          error={ready.error}
          what={tr('Whether this can be played could not be checked.')}
          onRetry={ready.refetch}
        />
      )}
      {ready.data && ready.data.missing.length > 0 && (
        <PlayMissing ws={ws} task={row.task} missing={ready.data.missing} />
      )}
      {running.asking && (
        <AgreeDialog ws={ws} task={row.task} onAgreed={running.asking.go} onClose={running.asking.giveUp} />
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
            playing={job !== null || played.awaited}
            onChoose={choose}
            report={report}
          />
          <QueryError of={plays} compact />
          <StepMarks steps={steps} marks={marks ?? null} at={at} playing={done} onChoose={moveTo} />
        </div>
        <div className={classes.right}>
          {played.error !== null && <ErrorPanel error={played.error} what={tr('This play cannot be opened.')} />}
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

/** The pace, and what begins and ends a play. */
function Actions(props: {
  pace: Pace;
  onPace: (pace: Pace) => void;
  running: RunningPlay;
  able: boolean;
  hasChecks: boolean;
}): ReactNode {
  const { pace, onPace, running, able, hasChecks } = props;
  return (
    <>
      <Select
        aria-label={tr('Pace')}
        w={240}
        data={PACES}
        value={pace}
        allowDeselect={false}
        onChange={(value) => onPace(value === 'recorded' ? 'recorded' : 'ready')}
      />
      {!running.job && (
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
      {running.job ? (
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

function marksOf({ steps }: OpenedRecording, { report }: OpenedPlay): StepOutcome[] {
  const byStep = new Map(report?.steps.map(({ step, verdict }) => [step, verdict]));
  return steps.map(({ id }) => byStep.get(id) ?? (report?.leftOut === id ? 'left out' : 'not reached'));
}
