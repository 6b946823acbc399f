import {
  IconBookmark,
  IconEraser,
  IconEyeOff,
  IconFlag,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { RecorderState } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { useRecorderActs } from '../client/recorder-acts.ts';
import { PAUSED_WORDS } from '../client/recorder-controls.ts';
import { forgetLabel } from '../client/recorder-shortcuts.ts';
import { useStream } from '../client/stream.ts';
import { tr } from '../language/tr.ts';
import { duration } from '../ui/format.ts';
import { formatKey } from '../ui/keys/chord.ts';
import { usePageTitle } from '../ui/parts.tsx';
import classes from './bar.module.css';

/**
 * The recording bar: a small window of its own that lies beside what is recorded. It takes no focus; its keys are the
 * recorder's own, which are heard everywhere.
 */
export function RecordingBar(): ReactNode {
  usePageTitle(tr('Recording'));
  const [state, setState] = useState<RecorderState | null>(null);
  useStream('recorder', (signal) => client.recorder.watch(undefined, { signal }), setState);
  return (
    <section className={classes.bar} aria-label={tr('Recording')} data-paused={isPaused(state)}>
      {state && <Shown state={state} />}
    </section>
  );
}

const isPaused = (state: RecorderState | null): boolean =>
  state?.phase === 'recording' && state.paused !== null && state.paused !== 'sync';

function Shown({ state }: { state: RecorderState }): ReactNode {
  const { keys, may, acts, sending } = useRecorderActs(state);
  const { phase, paused } = state;
  const told = useTold(state);
  if (phase === 'starting' || phase === 'countdown') {
    return (
      <>
        <span className={classes.count} role="timer" aria-live="assertive">
          {state.countdown ?? '…'}
        </span>
        <span className={classes.words}>
          {tr('Go to the application. The recording of {task} begins.', { task: state.task })}
        </span>
        <Act label={tr('Stop')} chord={keys.stop} onClick={acts.stop} stop>
          <IconPlayerStopFilled size={17} aria-hidden />
        </Act>
      </>
    );
  }
  if (phase !== 'recording') return <span className={classes.words}>{tr('Closing the recording …')}</span>;
  const words = sending.error ? tr('Not done: the studio did not answer.') : (told ?? wordsOf(state));
  return (
    <>
      <span className={classes.dot} aria-hidden />
      <span className={classes.time} role="timer" aria-label={tr('Recorded time')}>
        {duration(state.t)}
      </span>
      <span className={classes.words} role="status" title={words}>
        {words}
      </span>
      <Act label={tr('Mark the end of a subtask')} chord={keys.mark} onClick={acts.mark} off={!may.mark}>
        <IconFlag size={17} aria-hidden />
      </Act>
      <Act label={tr('Mark this moment')} chord={keys.moment} onClick={acts.moment} off={!may.mark}>
        <IconBookmark size={17} aria-hidden />
      </Act>
      <Act
        label={paused === 'user' ? tr('Resume') : tr('Pause')}
        chord={keys.pause}
        onClick={acts.pause}
        off={!may.pause}
      >
        {paused === 'user' ? (
          <IconPlayerPlayFilled size={17} aria-hidden />
        ) : (
          <IconPlayerPauseFilled size={17} aria-hidden />
        )}
      </Act>
      <Act
        label={paused === 'privacy' ? tr('End the privacy pause') : tr('Privacy pause')}
        chord={keys.privacy}
        onClick={acts.privacy}
        off={!may.privacy}
      >
        <IconEyeOff size={17} aria-hidden />
      </Act>
      <Act label={forgetLabel(state.forgetMinutes)} chord={keys.forget} onClick={acts.forget} off={!may.forget}>
        <IconEraser size={17} aria-hidden />
      </Act>
      <Act label={tr('Stop')} chord={keys.stop} onClick={acts.stop} stop>
        <IconPlayerStopFilled size={17} aria-hidden />
      </Act>
    </>
  );
}

/** How long the bar says what became of a wish to forget, ms. */
const TOLD_MS = 8000;

/** The last forgetting, or why it failed; null when it is a while ago. */
function useTold(state: RecorderState): string | null {
  const times = state.forgotten?.times ?? 0;
  const refused = state.notices.filter(({ code }) => code === 'not-forgotten');
  const [told, setTold] = useState({ times, refused: refused.length, words: '' });
  if (times > told.times) setTold({ times, refused: refused.length, words: state.forgotten?.message ?? '' });
  else if (refused.length > told.refused)
    setTold({ times, refused: refused.length, words: refused.at(-1)?.message ?? '' });
  useEffect(() => {
    if (told.words === '') return;
    const timer = setTimeout(() => setTold((now) => ({ ...now, words: '' })), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return told.words === '' ? null : told.words;
}

function wordsOf(state: RecorderState): string {
  const paused = isPaused(state) && state.paused !== null ? PAUSED_WORDS[state.paused] : undefined;
  if (paused !== undefined) return paused;
  const counts = [
    tr('{events, plural, one {# event} other {# events}}', { events: state.events }),
    tr('{marks, plural, one {# mark} other {# marks}}', { marks: state.marks }),
  ];
  if (state.voice) counts.push(state.voice === 'heard' ? tr('voice is recorded') : tr('voice is not heard'));
  if (state.dropped > 0)
    counts.push(tr('{dropped, plural, one {# frame} other {# frames}} dropped', { dropped: state.dropped }));
  return counts.join(' · ');
}

function Act(props: {
  label: string;
  chord: string;
  onClick: () => void;
  off?: boolean;
  stop?: boolean;
  children: ReactNode;
}): ReactNode {
  const label = `${props.label} (${formatKey(props.chord)})`;
  return (
    <button
      type="button"
      className={classes.act}
      data-stop={props.stop === true}
      aria-label={label}
      title={label}
      onClick={props.onClick}
      disabled={props.off === true}
    >
      {props.children}
    </button>
  );
}
