import { isUnseen } from '../../core/actions/unseen.ts';
import { elementTarget } from '../../core/play/element.ts';
import { piecesOf } from '../../core/play/pieces.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Keyframe, Recording } from '../../schemas/recording.ts';
import { placeIn } from '../files/inside.ts';
import { cutKeyframes } from '../recordings/cut.ts';
import { lastPicture, restlessOf } from './beside-steps.ts';
import type { PlayPart, PlayPicture, Restless } from './protocol.ts';

/** A demonstration as it is played. */
export type Script = {
  recording: Recording;
  actions: readonly Action[];
  parts: PlayPart[];
  restless: Restless | null;
  layout: { layout: string; variant: string };
  size: { width: number; height: number };
};

/**
 * Reads a closed recording as a script, cutting stills that are missing. Throws BAD_FILE for one that has no recorded
 * input or no steps, and what cutting throws.
 */
export async function scriptOf(folder: string, ffmpeg: FfmpegInfo, signal?: AbortSignal): Promise<Script> {
  const closed = await cutKeyframes(folder, ffmpeg, signal ? { signal } : {});
  const { meta: recording, actions } = closed;
  if (actions.length === 0) {
    throw new StudioError('BAD_FILE', `The recording ${recording.id} has no steps, so there is nothing to play.`, {
      recording: recording.id,
    });
  }
  if (actions.some(isUnseen)) {
    throw new StudioError(
      'BAD_FILE',
      `The input of ${recording.id} was not recorded (it was imported from a video or another tool), so it cannot be played.`,
      { recording: recording.id },
    );
  }
  if (actions.some(({ withheld }) => withheld)) {
    throw new StudioError(
      'BAD_FILE',
      `In ${recording.id} something was typed into a field for passwords, which is not recorded, so it cannot be played.`,
      { recording: recording.id },
    );
  }
  const pictures = new Map(closed.keyframes.keyframes.map((still) => [`${still.action} ${still.role}`, still]));
  const { events, excluded } = closed.input();
  const pieces = piecesOf(events, actions, excluded);
  const stepEnd = actions.at(-1)?.end.t ?? 0;
  const last = await lastPicture(closed, { stepEnd, events }, ffmpeg, signal);
  const parts = actions.map((action, n): PlayPart => {
    const before = pictures.get(`${action.id} before`);
    const after = pictures.get(`${action.id} after`);
    if (!before || !after) {
      throw new StudioError(
        'BAD_FILE',
        `Step ${n + 1} of ${recording.id} has no picture of the screen before or after it, so nothing could be compared.`,
        { recording: recording.id, step: action.id },
      );
    }
    const previous = actions[n - 1];
    const nextBefore = pictures.get(`${actions[n + 1]?.id} before`);
    const at = placeOf(action);
    const { x, y, t } = action.start;
    return {
      step: action.id,
      at,
      element: elementTarget(closed.elementOf({ kind: action.kind, start: [x, y, t] }), at),
      events: [...(pieces[n]?.events ?? [])],
      gapMs: Math.max(0, (action.start.t - (previous?.end.t ?? recording.span?.start ?? action.start.t)) / 1000),
      settleMs: Math.max(0, (after.t - action.end.t) / 1000),
      before: picture(folder, before),
      after: picture(folder, after),
      later: nextBefore ? picture(folder, nextBefore) : n === actions.length - 1 ? (last?.picture ?? null) : null,
      laterMs: nextBefore || !last ? 0 : Math.max(0, (last.restAt - action.end.t) / 1000),
    };
  });
  const restless = await restlessOf(closed, events, ffmpeg, signal);
  return { recording, actions, parts, restless, layout: layoutOf(events), size: sizeOf(recording) };
}

const placeOf = ({ kind, start: { x, y } }: Action): PlayPart['at'] =>
  (kind === 'click' || kind === 'drag' || kind === 'scroll' || kind === 'hover') && x !== null && y !== null
    ? { x, y }
    : null;

const picture = (folder: string, { file, origin, width, height }: Keyframe): PlayPicture => ({
  file: placeIn(folder, `keyframes/${file}`),
  ...origin,
  width,
  height,
});

/** `de`, `us(intl)` as X wants them; US where another system named its layout in its own way. */
function layoutOf(events: readonly RawEvent[]): Script['layout'] {
  const first = events.find((event) => event.type === 'layout');
  const named = /^([a-z]{2,20})(?:\(([a-z0-9_]{1,30})\))?$/.exec(first?.type === 'layout' ? first.layout.id : 'us');
  return { layout: named?.[1] ?? 'us', variant: named?.[2] ?? '' };
}

/** The smallest screen that all displays of the demonstration fit on. */
function sizeOf({ displays, segments }: Recording): Script['size'] {
  const all = displays[0]?.displays ?? [];
  const width = all.reduce((most, one) => Math.max(most, one.x + one.width), segments[0]?.width ?? 1280);
  const height = all.reduce((most, one) => Math.max(most, one.y + one.height), segments[0]?.height ?? 720);
  return { width, height };
}
