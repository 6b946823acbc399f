import { Button, Loader } from '@mantine/core';
import {
  IconBookmark,
  IconEraser,
  IconEyeOff,
  IconFlag,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RecorderState } from '../../schemas/api/models.ts';
import { useRecorderActs } from '../client/recorder-acts.ts';
import { PAUSED_WORDS } from '../client/recorder-controls.ts';
import { forgetLabel } from '../client/recorder-shortcuts.ts';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { bytes, duration } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, ProgressWithStop } from '../ui/parts.tsx';
import { mayLieOn } from './geometry.ts';
import classes from './page.module.css';
import { useScreenPictures } from './pictures.ts';

/** The recorder as it goes: what one glances at while working elsewhere, and the things one can do. */
export function Live({ state }: { state: RecorderState }): ReactNode {
  const { keys, may, acts, sending } = useRecorderActs(state);
  const { phase, paused } = state;
  useHandlers('record', {
    'record.cancel': { run: acts.cancel, enabled: phase === 'starting' || phase === 'countdown' },
    'record.stop': { run: acts.stop, enabled: may.stop },
    'record.forget': { run: acts.forget, enabled: may.forget },
    'record.mark': { run: acts.mark, enabled: may.mark },
    'record.moment': { run: acts.moment, enabled: may.mark },
    'record.pause': { run: acts.pause, enabled: may.pause },
    'record.privacy': { run: acts.privacy, enabled: may.privacy },
  });

  if (phase === 'starting' || phase === 'countdown') {
    return (
      <section className={classes.live} aria-label={tr('Countdown')}>
        {phase === 'countdown' ? (
          <p className={classes.count} role="timer" aria-live="assertive">
            {state.countdown}
          </p>
        ) : (
          <p className={classes.getsReady} role="status">
            <Loader size={26} aria-hidden />
            {tr('Starting …')}
          </p>
        )}
        <p className={classes.hint}>
          {phase === 'countdown'
            ? trParts('Switch to the application now. {keys} stops, wherever you are.', {
                keys: <ChordKeys chord={keys.stop} />,
              })
            : state.shared
              ? tr(
                  'The system asks which screen to share: choose the display that is to be recorded. The recording begins then.',
                )
              : tr('The recorder gets ready. Nothing is recorded yet.')}
        </p>
        <CommandButton
          variant="default"
          size="sm"
          command="record.cancel"
          onClick={acts.cancel}
          loading={sending.isPending}
        >
          {tr('Cancel')}
        </CommandButton>
        {sending.error && <ErrorPanel error={sending.error} compact />}
      </section>
    );
  }
  if (phase === 'closing' || phase === 'keyframes') {
    return (
      <section className={classes.card} aria-label={tr('Closing the recording')}>
        <ProgressWithStop
          what={
            phase === 'closing'
              ? tr('Closing the recording and making the check at the end')
              : tr('Reading the actions and choosing the picture before and after each')
          }
          value={null}
          message={tr('Everything is on the disk already. The annotation opens by itself.')}
        />
      </section>
    );
  }
  return (
    <section className={classes.live} aria-label={tr('Recording')}>
      <div className={classes.clock} data-paused={paused !== null}>
        <span className={classes.dot} aria-hidden />
        <span className="tabular" role="timer" aria-label={tr('Recorded time')}>
          {duration(state.t)}
        </span>
      </div>
      <p className={classes.phase} role="status">
        {paused === null ? tr('Recording') : (PAUSED_WORDS[paused] ?? tr('Paused'))}
      </p>
      {/* The same words once more are said once more: it is another element then. */}
      <p className={classes.forgotten} role="status">
        {state.forgotten && <span key={state.forgotten.times}>{state.forgotten.message}</span>}
      </p>
      <dl className={classes.figures}>
        <Figure name={tr('Frames')} value={state.frames.toLocaleString(shownLanguage())} />
        <Figure name={tr('Dropped')} value={state.dropped.toLocaleString(shownLanguage())} bad={state.dropped > 0} />
        <Figure name={tr('Events')} value={state.events.toLocaleString(shownLanguage())} />
        <Figure name={tr('Marks')} value={state.marks.toLocaleString(shownLanguage())} />
        {state.voice && (
          <Figure
            name={tr('Voice')}
            value={state.voice === 'heard' ? tr('Recorded') : tr('Not heard')}
            bad={state.voice === 'lost'}
          />
        )}
        <Figure
          name={tr('Free disk space')}
          value={state.freeBytes === null ? '–' : bytes(state.freeBytes)}
          bad={state.freeBytes !== null && state.freeBytes < 2e9}
        />
      </dl>
      {state.dropped > 0 && (
        <p className={classes.hint}>
          {tr(
            '{dropped, plural, one {# picture was} other {# pictures were}} dropped because the machine was busy. No step is lost, but its picture may be older. Fewer frames per second help next time.',
            { dropped: state.dropped },
          )}
        </p>
      )}
      <div className={classes.controls}>
        <Control icon={IconFlag} chord={keys.mark} onClick={acts.mark} disabled={!may.mark}>
          {tr('Mark')}
        </Control>
        <Control icon={IconBookmark} chord={keys.moment} onClick={acts.moment} disabled={!may.mark}>
          {tr('Moment')}
        </Control>
        <Control
          icon={paused === 'user' ? IconPlayerPlayFilled : IconPlayerPauseFilled}
          chord={keys.pause}
          onClick={acts.pause}
          disabled={!may.pause}
        >
          {paused === 'user' ? tr('Resume') : tr('Pause')}
        </Control>
        <Control icon={IconEyeOff} chord={keys.privacy} onClick={acts.privacy} disabled={!may.privacy}>
          {paused === 'privacy' ? tr('End the privacy pause') : tr('Privacy pause')}
        </Control>
        <Control icon={IconEraser} chord={keys.forget} onClick={acts.forget} disabled={!may.forget}>
          {forgetLabel(state.forgetMinutes)}
        </Control>
        <Control icon={IconPlayerStopFilled} chord={keys.stop} onClick={acts.stop} color="red.8">
          {tr('Stop')}
        </Control>
      </div>
      <p className={classes.hint}>
        {tr('These shortcuts work everywhere and are never recorded. Clicks on this page are.')}
      </p>
      <LivePicture state={state} />
      {sending.error && <ErrorPanel error={sending.error} compact />}
      {state.notices.length > 0 && (
        <ul className={classes.notices} aria-label={tr('Notices')}>
          {state.notices.slice(-6).map(({ code, message }) => (
            <li key={`${code}${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A button that does what a shortcut does everywhere. */
function Control(props: {
  icon: typeof IconFlag;
  chord: string;
  onClick: () => void;
  disabled?: boolean;
  color?: string;
  children: string;
}): ReactNode {
  const { icon: Icon, chord, onClick, disabled = false, color, children } = props;
  return (
    <Button
      {...(color === undefined ? { variant: 'default' } : { color })}
      size="sm"
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={<ChordKeys chord={chord} />}
      onClick={onClick}
      disabled={disabled}
    >
      {children}
    </Button>
  );
}

function Figure({ name, value, bad = false }: { name: string; value: string; bad?: boolean }): ReactNode {
  return (
    <div className={classes.figure} data-bad={bad}>
      <dt>{name}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  );
}

/** What is recorded, as it is now: only while this page lies beside it, or the picture would be recorded with each change. */
function LivePicture({ state: { view, shared } }: { state: RecorderState }): ReactNode {
  const beside = view != null && shared !== true && !mayLieOn(window, view);
  const { view: picture } = useScreenPictures(NO_LISTS, beside);
  if (view == null || shared) return null;
  // Chromium knows whether there is another display to move it to; others do not say.
  if (!beside && Reflect.get(screen, 'isExtended') === false) return null;
  if (!beside)
    return <p className={classes.hint}>{tr('Move this page to another display to see a live picture here.')}</p>;
  return picture && <img className={classes.livePicture} src={picture} alt={tr('What is recorded now')} />;
}

const NO_LISTS = { exclude: [], only: [] };
