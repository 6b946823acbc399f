import { isUnseen } from '../../core/actions/unseen.ts';
import { placeAt } from '../../core/annotate/picture.ts';
import { CALM_SHARE } from '../../core/keyframes/choose.ts';
import { elementTarget } from '../../core/play/element.ts';
import type { PlayWindow } from '../../core/play/layers.ts';
import type { PlayPart, PlayPicture, Restless } from '../../core/play/part.ts';
import { beforeFirstKey, type Piece, piecesOf } from '../../core/play/pieces.ts';
import { awayAt, leftAt } from '../../core/play/set-off.ts';
import { settlingFrames } from '../../core/play/settling.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame, WindowLine } from '../../schemas/frames.ts';
import type { Keyframe, Recording } from '../../schemas/recording.ts';
import { placeIn } from '../files/inside.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { cutKeyframes } from '../recordings/cut.ts';
import { lastPicture, picturesAt } from './beside-steps.ts';
import { learntOf } from './learnt.ts';
import { whyNotKnown, withMended } from './mended.ts';
import { WRITTEN_BEFORE_MS } from './protocol.ts';

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
 * Reads a closed recording as a script, cutting stills that are missing. `mended`: the texts that people gave steps of withheld keys. Throws BAD_FILE for one that has no recorded
 * input or no steps, and what cutting throws.
 */
export async function scriptOf(
  folder: string,
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
  mended: ReadonlyMap<string, string> = new Map(),
): Promise<Script> {
  const closed = await cutKeyframes(folder, ffmpeg, signal ? { signal } : {});
  const { meta: recording, actions } = closed;
  const why = whyNot(recording.id, actions, mended);
  if (why !== null) throw new StudioError('BAD_FILE', why, { recording: recording.id });
  const pictures = new Map(closed.keyframes.keyframes.map((still) => [`${still.action} ${still.role}`, still]));
  const { events, excluded, windows } = closed.input();
  const pieces = withMended(piecesOf(events, actions, excluded), { actions, events, mended }, recording.id);
  const stepEnd = actions.at(-1)?.end.t ?? 0;
  const frames = closed.changes();
  const last = await lastPicture(closed, { stepEnd, events, changes: frames }, ffmpeg, signal);
  const early = beforeFirstKeys(closed, pieces, pictures);
  const left = beforeSetOffs(closed, frames, pieces, pictures);
  const settling = beforeSteps(closed, frames, pieces);
  const own = await picturesAt(
    closed,
    [...early, ...left, ...settling.flat()].filter((place) => place !== null),
    ffmpeg,
    signal,
  );
  const began = Date.parse(recording.clock.startedAt);
  const parts = actions.map((action, n): Omit<PlayPart, 'caret' | 'away'> => {
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
    const rested = own.get(left[n] ?? -1);
    return {
      step: action.id,
      types: action.kind === 'type',
      at,
      window: action.window?.title || null,
      windows: {
        before: windowsAt(windows, before.t),
        after: windowsAt(windows, Math.min(after.t + TOLD_LATE, actions[n + 1]?.start.t ?? Number.MAX_SAFE_INTEGER)),
        later: windowsAt(windows, nextBefore?.t ?? last?.t ?? after.t),
      },
      element: elementTarget(closed.elementOf({ kind: action.kind, start: [x, y, t] }), at),
      events: [...(pieces[n]?.events ?? [])],
      gapMs: Math.max(0, (action.start.t - (previous?.end.t ?? recording.span?.start ?? action.start.t)) / 1000),
      settleMs: Math.max(0, (after.t - action.end.t) / 1000),
      before: own.get(early[n] ?? -1) ?? picture(folder, before),
      after: rested ?? picture(folder, after),
      rests: rested !== undefined,
      settling: pair(settling[n]?.map((place) => own.get(place))),
      later: nextBefore ? picture(folder, nextBefore) : n === actions.length - 1 ? (last?.picture ?? null) : null,
      laterMs: nextBefore || !last ? 0 : Math.max(0, (last.restAt - action.end.t) / 1000),
      written: {
        since: began - WRITTEN_BEFORE_MS,
        from: began + t / 1000,
        to: began + (nextBefore?.t ?? last?.t ?? after.t) / 1000,
        ...(recording.stageClock && { clock: recording.stageClock }),
      },
    };
  });
  const steps = parts.map(({ step, before, at }, n) => {
    const shown = pictures.get(`${step} before`)?.t ?? 0;
    return {
      before,
      at,
      away: at && awayAt(frames, shown, pieces[n] ?? { events: [] }, at, leadOf(recording)),
      after: actions[n]?.end.t ?? 0,
      until: pieces[n + 1]?.events[0]?.t ?? Number.MAX_SAFE_INTEGER,
    };
  });
  const { restless, carets, aways } = await learntOf(closed, { events, frames, steps }, ffmpeg, signal);
  const whole = parts.map((part, n): PlayPart => ({ ...part, caret: carets[n] ?? null, away: aways[n] ?? null }));
  return { recording, actions, parts: whole, restless, layout: layoutOf(events), size: sizeOf(recording) };
}

/** A window is on the screen so long before it is told of, on a busy machine, µs. */
const TOLD_LATE = 300_000;
/** So many windows lie in a picture at most, as far as a play looks. */
const MOST_WINDOWS = 12;

/** The windows that had been in front by then, the last one first; some may be gone. */
function windowsAt(lines: readonly WindowLine[], t: number): PlayWindow[] {
  const windows = new Map<string, PlayWindow>();
  for (let n = lines.findLastIndex((line) => line.t <= t); n >= 0 && windows.size < MOST_WINDOWS; n--) {
    const { id, title, app, bounds } = lines[n]!;
    if (bounds && !windows.has(id)) windows.set(id, { title, app, bounds });
  }
  return [...windows.values()];
}

/** Why a recording with these steps cannot be played; null when it can. */
function whyNot(id: string, actions: readonly Action[], mended: ReadonlyMap<string, string>): string | null {
  if (actions.length === 0) return `The recording ${id} has no steps, so there is nothing to play.`;
  if (actions.some(isUnseen))
    return `The input of ${id} was not recorded (it was imported from a video or another tool), so it cannot be played.`;
  return whyNotKnown(id, actions, mended);
}

/**
 * For each step without a place whose first key went down before its press (the Ctrl of a shortcut, for which some programs
 * change the screen), the place of the frame before that key: that is the screen on which it is played. Null for the others.
 */
function beforeFirstKeys(
  { actions, frames, meta }: ClosedRecording,
  pieces: readonly Piece[],
  pictures: ReadonlyMap<string, Keyframe>,
): (number | null)[] {
  const lead = leadOf(meta);
  return actions.map((action, n) => {
    const since = pictures.get(`${actions[n - 1]?.id} after`)?.t ?? Number.MIN_SAFE_INTEGER;
    const t = placeOf(action) === null ? beforeFirstKey(pieces[n], action.start.t, { lead, since }) : null;
    const place = t === null ? -1 : placeAt(frames, t);
    const before = pictures.get(`${action.id} before`)?.t;
    return before !== undefined && (frames[place]?.[1] ?? before) < before ? place : null;
  });
}

/** So much before an input nothing of it shows in a frame, µs. */
const leadOf = ({ sync, capture }: Recording): number => Math.max(sync?.maxErrorUs ?? 0, 1e6 / capture.fps);

/** For each step after which the pointer set off before its picture, the place of the frame before that (PL30); null for others. */
function beforeSetOffs(
  { actions, meta, resolution: { width, height } }: ClosedRecording,
  frames: readonly Frame[],
  pieces: readonly Piece[],
  pictures: ReadonlyMap<string, Keyframe>,
): (number | null)[] {
  const options = { lead: leadOf(meta), pixels: CALM_SHARE * width * height };
  return actions.map(({ id, start }, n) => {
    const shown = pictures.get(`${id} after`)?.t;
    const next = pieces[n + 1];
    return next && shown !== undefined ? leftAt(frames, { began: start.t, shown }, next, options) : null;
  });
}

/** For each step without a place the places of two frames before it, where the screen still changed by itself (PL46). */
const beforeSteps = (
  { actions, meta }: ClosedRecording,
  frames: readonly Frame[],
  pieces: readonly Piece[],
): ([number, number] | null)[] =>
  actions.map((action, n) => {
    const ended = actions[n - 1]?.end.t ?? Number.MIN_SAFE_INTEGER;
    const began = pieces[n]?.events[0]?.t ?? action.start.t;
    return placeOf(action) === null ? settlingFrames(frames, { ended, began, lead: leadOf(meta) }) : null;
  });

const pair = ([first, second]: readonly (PlayPicture | undefined)[] = []): PlayPart['settling'] =>
  first && second ? [first, second] : null;

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
