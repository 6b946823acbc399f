import { Button, FileButton, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { writtenText } from '../../core/import/transcript.ts';
import type { VoiceState } from '../../schemas/api/voice.ts';
import { client, fileUrl } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { useActions } from '../workbench/context.ts';
import { readOnlyNow, useWork, useWorkStore, type WorkState } from '../workbench/store.ts';
import classes from './marks-panel.module.css';
import { WriteDown } from './write-down.tsx';

/** Around a step, µs: what is said of it begins before it. */
const LEAD_US = 1_500_000;
/** Sound that is so far from the picture is moved, s. */
const APART = 0.3;

/** What was said while recording: played with the video and at the step, written down, deleted. Nothing where there is none. */
export function VoicePart(): ReactNode {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const voice = useQuery(queries.voice(ws, recording));
  if (!voice.data?.sound) return null;
  return <Sound ws={ws} recording={recording} voice={voice.data} />;
}

function Sound({ ws, recording, voice }: { ws: string; recording: string; voice: VoiceState }): ReactNode {
  const cache = useQueryClient();
  const audio = useRef<HTMLAudioElement>(null);
  const until = useRef(Number.POSITIVE_INFINITY);
  const readOnly = useWork((state) => readOnlyNow(state) !== null);
  const store = useWorkStore();
  const [asks, setAsks] = useState(false);
  const [sends, setSends] = useState(false);
  useSoundOfVideo(audio, until);
  const take = (now: VoiceState): void => void cache.setQueryData(queries.voice(ws, recording).queryKey, now);
  const remove = useMutation({ mutationFn: () => client.voice.remove({ ws, recording }), onSuccess: take });
  const transcribe = useMutation({
    mutationFn: async (file: File) =>
      client.voice.transcribe({ ws, recording, text: writtenText(new Uint8Array(await file.arrayBuffer())) }),
    onSuccess: take,
  });
  const playStep = (): void => {
    const element = audio.current;
    const span = spanOfStep(store.getState());
    if (!element || !span) return;
    until.current = span.end / 1e6;
    element.currentTime = span.start / 1e6;
    void element.play().catch(() => undefined);
  };
  return (
    <section className={classes.voice} aria-label={tr('Voice')}>
      <h3 className={classes.part}>{tr('Voice')}</h3>
      {/* biome-ignore lint/a11y/useMediaCaption: what is said stands below it as text once somebody wrote it down. */}
      <audio
        ref={audio}
        className={classes.audio}
        src={fileUrl.voice(ws, recording)}
        controls
        preload="metadata"
        aria-label={tr('Voice')}
        onTimeUpdate={(event) => {
          if (event.currentTarget.currentTime < until.current) return;
          until.current = Number.POSITIVE_INFINITY;
          event.currentTarget.pause();
        }}
      />
      <Group gap={6}>
        <Button size="compact-sm" variant="default" onClick={playStep}>
          {tr('Play what is said at this step')}
        </Button>
        {!readOnly && (
          <FileButton accept=".srt,.vtt" onChange={(file) => file && transcribe.mutate(file)}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" loading={transcribe.isPending}>
                {tr('Take a transcript')}
              </Button>
            )}
          </FileButton>
        )}
        {!readOnly && (
          <Button size="compact-sm" variant="default" onClick={() => setSends(true)}>
            {tr('Have it written down')}
          </Button>
        )}
        {!readOnly && (
          <Button size="compact-sm" variant="default" onClick={() => setAsks(true)}>
            {tr('Delete the voice')}
          </Button>
        )}
      </Group>
      {transcribe.error && <ErrorPanel error={transcribe.error} compact />}
      {sends && <WriteDown ws={ws} recording={recording} onWritten={take} onClose={() => setSends(false)} />}
      <SaidHere lines={voice.lines} readOnly={readOnly} />
      <ConfirmDialog
        opened={asks}
        title={tr('Delete the voice of this recording?')}
        confirm={tr('Delete the voice')}
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsks(false) })}
        onCancel={() => setAsks(false)}
      >
        {tr('The sound and its transcript are deleted for ever. Steps, pictures and what was written stay.')}
      </ConfirmDialog>
    </section>
  );
}

/** From a little before the step to the next one. */
function spanOfStep({ doc, at, opened }: WorkState): { start: number; end: number } | null {
  const step = doc.steps[at]?.step;
  if (!step) return null;
  const next = doc.steps[at + 1]?.step.start[2] ?? opened.span.end;
  return { start: Math.max(step.start[2] - LEAD_US, 0), end: Math.max(next, step.end[2]) };
}

/** The lines of the transcript at the step in hand, each of which can become its narration. */
function SaidHere({ lines, readOnly }: { lines: VoiceState['lines']; readOnly: boolean }): ReactNode {
  const actions = useActions();
  const step = useWork((state) => state.doc.steps[state.at]?.step.id);
  const start = useWork((state) => spanOfStep(state)?.start ?? 0);
  const end = useWork((state) => spanOfStep(state)?.end ?? 0);
  if (lines.length === 0) return <p className={classes.quiet}>{tr('Nobody wrote down what is said.')}</p>;
  // A line belongs to the step in whose time most of it lies: its middle.
  const here = lines.filter((line) => (line.start + line.end) / 2 >= start && (line.start + line.end) / 2 < end);
  const said = here.map(({ text }) => text).join(' ');
  if (step === undefined || said === '') return <p className={classes.quiet}>{tr('Nothing is said at this step.')}</p>;
  return (
    <>
      <blockquote className={classes.said}>{said}</blockquote>
      {!readOnly && (
        <Button size="compact-sm" variant="default" onClick={() => actions.narrate(step, said)}>
          {tr('Take as narration')}
        </Button>
      )}
    </>
  );
}

/** The sound goes with the video: as fast, from where it is, and it stops with it. */
function useSoundOfVideo(audio: RefObject<HTMLAudioElement | null>, until: RefObject<number>): void {
  const store = useWorkStore();
  useEffect(
    () =>
      store.subscribe((state, before) => {
        const element = audio.current;
        if (!element) return;
        if (!state.playing) {
          if (before.playing) element.pause();
          return;
        }
        until.current = Number.POSITIVE_INFINITY;
        element.playbackRate = state.rate;
        if (state.playhead === null || state.playhead === before.playhead) return;
        // The video loops, and skips what is idle.
        if (Math.abs(element.currentTime - state.playhead / 1e6) > APART) element.currentTime = state.playhead / 1e6;
        if (element.paused) void element.play().catch(() => undefined);
      }),
    [store, audio, until],
  );
}
