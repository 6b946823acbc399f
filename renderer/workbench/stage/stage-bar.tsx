import { Menu, SegmentedControl, UnstyledButton } from '@mantine/core';
import {
  IconLayoutGrid,
  IconMaximize,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconRepeat,
  IconZoomIn,
  IconZoomOut,
  IconZoomScan,
} from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { tr } from '../../language/tr.ts';
import { formatKey } from '../../ui/keys/chord.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { useKeysOf } from '../../ui/keys/store.ts';
import { MenuItems } from '../../ui/menu-items.tsx';
import { useActions, useTools } from '../context.ts';
import { clock } from '../frames/times.ts';
import { fitViewport, percentOfScale, pictureRect } from '../geometry.ts';
import { KeyButton, KeyIcon, keepFocus } from '../parts.tsx';
import { type KeyframeSide, shownFrame, useWork, useWorkStore } from '../store.ts';
import { RATES } from '../video/player.ts';
import classes from './stage-bar.module.css';

/** Which picture is shown, how large, and the video's controls. */
export function StageBar(): ReactNode {
  const { run } = useTools();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is.
    <div className={classes.bar} data-bar="picture" onMouseDown={keepFocus}>
      <BackToBoxes />
      <Sides />
      <Moment />
      <span className={classes.spacer} />
      <Play />
      <span className={classes.group}>
        <KeyIcon command="annotate.zoomOut" label={tr('Zoom out')} onClick={() => run('annotate.zoomOut')}>
          <IconZoomOut size={15} aria-hidden />
        </KeyIcon>
        <Zoom />
        <KeyIcon command="annotate.zoomIn" label={tr('Zoom in')} onClick={() => run('annotate.zoomIn')}>
          <IconZoomIn size={15} aria-hidden />
        </KeyIcon>
        <KeyIcon command="annotate.zoomFit" label={tr('Fit the picture')} onClick={() => run('annotate.zoomFit')}>
          <IconMaximize size={15} aria-hidden />
        </KeyIcon>
        <KeyIcon command="annotate.loupe" label={tr('Loupe')} onClick={() => run('annotate.loupe')}>
          <IconZoomScan size={15} aria-hidden />
        </KeyIcon>
      </span>
    </div>
  );
}

/** The way back to the sheet of all boxes, from a step that was opened there. */
function BackToBoxes(): ReactNode {
  const { run } = useTools();
  const left = useWork((state) => state.sheet.is === 'left');
  if (!left) return null;
  return (
    <KeyButton
      command="annotate.boxes"
      label={tr('All boxes')}
      title={tr('Back to all boxes')}
      icon={<IconLayoutGrid size={14} aria-hidden />}
      onClick={() => run('annotate.boxes')}
    />
  );
}

function Sides(): ReactNode {
  const store = useWorkStore();
  const side = useWork((state) => (state.flipping ? 'flip' : state.looking !== null ? 'other' : state.side));
  const [flip] = useKeysOf('annotate.flip');
  return (
    <span
      className={classes.group}
      title={flip === undefined ? undefined : tr('Before or after ({flip})', { flip: formatKey(flip) })}
    >
      <SegmentedControl
        aria-label={tr('Which picture')}
        value={side}
        data={[
          { value: 'before', label: tr('Before') },
          { value: 'after', label: tr('After') },
          { value: 'flip', label: tr('Alternate') },
        ]}
        onChange={(value) =>
          store.setState({
            side: value === 'after' ? 'after' : 'before',
            flipping: value === 'flip',
            looking: null,
            playing: null,
            playhead: null,
          })
        }
      />
    </span>
  );
}

/** Which frame it is, its own time, and the way to move the step's picture. */
function Moment(): ReactNode {
  const actions = useActions();
  const frames = useWork((state) => state.opened.frames);
  const origin = useWork((state) => state.opened.span.start);
  const place = useWork(shownFrame);
  const side = useWork((state) => state.side);
  const looking = useWork((state) => state.looking !== null);
  const moved = useWork((state) => {
    const step = state.doc.steps[state.at];
    return step !== undefined && step[state.side] !== step.step[state.side];
  });
  const frame = frames[place];
  return (
    <span className={classes.group}>
      {!looking && <MoveFrame side={side} by={-1} />}
      <span className={classes.moment} data-testid="moment">
        {frame ? (
          <>
            <span className={classes.number}>{tr('frame {number}', { number: frame[0] })} · </span>
            {clock(frame[1], origin)}
          </>
        ) : (
          tr('no frame')
        )}
        {looking ? ` · ${tr('looking')}` : moved ? ` · ${tr('moved')}` : ''}
      </span>
      {!looking && <MoveFrame side={side} by={1} />}
      {moved && !looking && (
        <button type="button" className={classes.reset} onClick={() => actions.resetKeyframe(side)}>
          {tr('Reset')}
        </button>
      )}
    </span>
  );
}

const MOVE_WORDS = {
  before: { back: tr('Move the before frame back'), on: tr('Move the before frame on') },
  after: { back: tr('Move the after frame back'), on: tr('Move the after frame on') },
} as const;

/** Drawn once a side: the words between the two change at every step. */
const MoveFrame = memo(function MoveFrame({ side, by }: { side: KeyframeSide; by: 1 | -1 }): ReactNode {
  const actions = useActions();
  const Icon = by < 0 ? IconPlayerTrackPrev : IconPlayerTrackNext;
  return (
    <KeyIcon
      command={`annotate.${side}${by < 0 ? 'Back' : 'Forward'}`}
      label={MOVE_WORDS[side][by < 0 ? 'back' : 'on']}
      onClick={() => actions.moveKeyframe(side, by)}
    >
      <Icon size={14} aria-hidden />
    </KeyIcon>
  );
});

function Play(): ReactNode {
  const store = useWorkStore();
  const { run } = useTools();
  const playing = useWork((state) => state.playing?.what ?? null);
  const rate = useWork((state) => state.rate);
  const skipIdle = useWork((state) => state.skipIdle);
  const [slower] = useKeysOf('annotate.slower');
  const [faster] = useKeysOf('annotate.faster');
  return (
    <span className={classes.group}>
      <KeyIcon
        command="annotate.play"
        label={playing === 'step' ? tr('Stop') : tr('Play the clip around the step')}
        pressed={playing === 'step'}
        onClick={() => run('annotate.play')}
      >
        {playing === 'step' ? <IconPlayerPause size={15} aria-hidden /> : <IconRepeat size={15} aria-hidden />}
      </KeyIcon>
      <KeyIcon
        command="annotate.playAll"
        label={playing === 'recording' ? tr('Stop') : tr('Play on from here')}
        pressed={playing === 'recording'}
        onClick={() => run('annotate.playAll')}
      >
        {playing === 'recording' ? <IconPlayerPause size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
      </KeyIcon>
      <span className={classes.rate}>
        <select
          aria-label={tr('Speed')}
          title={tr('Speed ({keys})', {
            keys: [slower, faster].flatMap((key) => (key === undefined ? [] : formatKey(key))).join(', '),
          })}
          value={rate}
          className={classes.select}
          onChange={(event) => store.setState({ rate: Number(event.currentTarget.value) })}
        >
          {RATES.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </span>
      <KeyIcon
        command="annotate.skipIdle"
        label={tr('Skip idle stretches')}
        pressed={skipIdle}
        onClick={() => run('annotate.skipIdle')}
      >
        <IconPlayerSkipForward size={15} aria-hidden />
      </KeyIcon>
    </span>
  );
}

function Zoom(): ReactNode {
  const { run } = useTools();
  const percent = useWork((state) => {
    const rect = pictureRect(state.opened, shownFrame(state));
    if (state.viewport) return percentOfScale(state.viewport.scale, devicePixelRatio);
    if (!rect || state.stage.width === 0) return null;
    return percentOfScale(fitViewport(rect, state.stage).scale, devicePixelRatio);
  });
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <UnstyledButton className={classes.percent} title={tr('Zoom …')}>
          <span className="visually-hidden">{tr('Zoom')} </span>
          <span data-testid="zoom">{percent === null ? '' : `${percent} %`}</span>
        </UnstyledButton>
      </Menu.Target>
      <MenuItems>
        {ZOOMS.map(({ command, label }) => (
          <Menu.Item key={command} rightSection={<Kbd command={command} />} onClick={() => run(command)}>
            {label}
          </Menu.Item>
        ))}
      </MenuItems>
    </Menu>
  );
}

const ZOOMS = [
  { command: 'annotate.zoomFit', label: tr('Fit') },
  { command: 'annotate.zoom100', label: '100 %' },
  { command: 'annotate.zoom200', label: '200 %' },
] as const;
