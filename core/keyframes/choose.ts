import type { Action } from '../../schemas/actions.ts';
import type { Frame } from '../../schemas/frames.ts';

/** A stretch of session time [start, end), µs. */
export type TimeSpan = { start: number; end: number };

export type KeyframeOptions = {
  /** Frames a second that the recording asked for; one interval is the least distance of K1. */
  fps: number;
  /** The recording's measured sync error, µs (C4): `sync.maxErrorUs`, 0 when unknown. */
  syncErrorUs: number;
  /** Pixels of a frame: `changed` divided by this is the share of K2. */
  screenPixels: number;
  /** Pauses, µs: of the user, for privacy, and of the sync checks (so also [0, span.start)). No overlap needed. */
  pauses?: readonly TimeSpan[];
  /** How long the screen must stay still (K2). Default 300. */
  settleMs?: number;
  /** A press may have been so much earlier than its event says, µs (K1): `pressStepOf`. */
  pressStepUs: number;
  /** A change below this share of the pixels does not break stillness (K2). Default 0.001. */
  share?: number;
  /** The end of the demonstration, µs (recording.span.end): no frame from then on is looked at. */
  end: number;
};

/** `frame` and `t` are the `i` and the `t` of a line of frames.jsonl (K4). */
export type KeyframeChoice = { action: string; role: 'before' | 'after'; frame: number; t: number };

export const SETTLE_MS = 300;
export const CALM_SHARE = 0.001;
/**
 * A press may have been so much earlier than its event says, µs: Windows' times of input come in steps of up to 16 ms, those of Linux
 * and macOS are exact to a millisecond.
 */
export const pressStepOf = (platform: string): number =>
  platform === 'linux' || platform === 'darwin' ? 1000 : 16_000;

/** Whether a frame counts as a change of the screen (K2): at least `pixels` pixels changed, or nobody counted. */
export const isChange = ({ changed }: Frame, pixels: number): boolean => changed === undefined || changed >= pixels;

/**
 * The frames before and after each action (K1, K2; the open points are decided in RULES.md).
 *
 * `frames` ascend in `t`. Two choices an action, in the order of `actions`: `before`, then `after`; none without frames.
 * Throws RangeError when fps or screenPixels is not positive.
 */
export function chooseKeyframes(
  actions: readonly Action[],
  frames: readonly Frame[],
  options: KeyframeOptions,
): KeyframeChoice[] {
  if (!(options.fps > 0)) throw new RangeError(`fps must be positive, not ${options.fps}`);
  if (!(options.screenPixels > 0)) throw new RangeError(`screenPixels must be positive, not ${options.screenPixels}`);
  if (frames.length === 0) return [];

  const pauses = joined(options.pauses ?? []);
  const lead = Math.max(options.syncErrorUs, 1e6 / options.fps);
  const settle = (options.settleMs ?? SETTLE_MS) * 1000;
  const calm = calmPlaces(frames, (options.share ?? CALM_SHARE) * options.screenPixels, settle);

  const order = actions.map((_, index) => index).sort((a, b) => actions[a]!.start.t - actions[b]!.start.t || a - b);
  const before: number[] = new Array(actions.length);
  const near = Math.max(options.syncErrorUs, options.pressStepUs);
  for (const index of order) before[index] = beforeOf(actions[index]!.start.t, { lead, near, settle }, frames, pauses);

  const after: number[] = new Array(actions.length);
  const nextOf = nextPlaces(order, actions);
  order.forEach((index, place) => {
    const action = actions[index]!;
    const next = nextOf[place] ?? null;
    const cap = next === null ? frames.length - 1 : before[order[next]!]!;
    const limit = firstFrom(frames, limitOf(action.end.t, pauses, options.end)) - 1;
    const last = Math.max(Math.min(cap, limit), before[index]!);
    after[index] = settledFrom(action.end.t, last, Math.max(limit, last), frames, calm);
  });

  return actions.flatMap((action, index) => [
    choice(action, 'before', frames[before[index]!]!),
    choice(action, 'after', frames[after[index]!]!),
  ]);
}

function choice(action: Action, role: 'before' | 'after', frame: Frame): KeyframeChoice {
  return { action: action.id, role, frame: frame.i, t: frame.t };
}

/** Times of K1, µs: `lead` and `near` before a press, and how long a frame must have stood to be no passing one. */
type BeforePress = { lead: number; near: number; settle: number };

/**
 * K1: what stood on the screen at the press less `lead`, or what had taken its place when that was in the middle of its painting;
 * after a pause, the first frame taken since, up to the press.
 */
function beforeOf(press: number, times: BeforePress, frames: readonly Frame[], pauses: readonly TimeSpan[]): number {
  const standing = Math.max(0, lastUntil(frames, press - times.lead));
  const pause = spanAt(pauses, frames[standing]!.t);
  if (!pause) return paintedBy(press, times, standing, frames, pauses);
  const since = firstFrom(frames, pause.end);
  return since < frames.length && frames[since]!.t <= press ? since : standing;
}

/**
 * The frame that had taken the place of `standing` by the press, where that one stood for less than `settle`: a program was painting
 * still. Nothing of the press shows in it: it was read before, by a grabber that says when it read (`seen`).
 */
function paintedBy(
  press: number,
  { near, settle }: BeforePress,
  standing: number,
  frames: readonly Frame[],
  pauses: readonly TimeSpan[],
): number {
  const next = frames[standing + 1];
  if (!next || next.t > press - near || next.t - frames[standing]!.t >= settle) return standing;
  const last = lastUntil(frames, press - near);
  for (let at = standing + 1; at <= last; at++) {
    const { t, seen, rebuilt } = frames[at]!;
    if (seen === undefined || rebuilt || spanAt(pauses, t)) return standing;
  }
  return last;
}

/**
 * K2: the first frame from `end` on after which nothing changes for `settle`, at the latest the frame `last`. Where a screen
 * never rests, each action would look at all frames; the places at which it does are known before (`calm`).
 */
function settledFrom(end: number, last: number, limit: number, frames: readonly Frame[], calm: Calm): number {
  const at = firstFrom(frames, end);
  if (at >= last) return last;
  const rest = calm.restFrom[at]!;
  if (rest < last) return rest;
  // Frames past the limit are not the demonstration's: they break nothing.
  const standing = Math.max(at, calm.changedUntil[last - 1]!);
  return calm.nextChange[standing]! > limit ? standing : last;
}

/** From when on no frame may show an action's effect: the demonstration's end, or a pause that begins before it. */
function limitOf(end: number, pauses: readonly TimeSpan[], demonstrationEnd: number): number {
  const running = spanAt(pauses, end);
  const pause = running ?? pauses[firstStart(pauses, end)];
  return pause ? Math.min(pause.start, demonstrationEnd) : demonstrationEnd;
}

/** For each place in `order` that of the next action by press that is not contained in it (K2); null for none. */
function nextPlaces(order: readonly number[], actions: readonly Action[]): (number | null)[] {
  const next: (number | null)[] = new Array(order.length);
  // Later actions that end after all between them and this one: only these can be the first to outlast it.
  const outlasting: number[] = [];
  for (let place = order.length - 1; place >= 0; place--) {
    const own = actions[order[place]!]!;
    const { end } = own;
    const isNext = (other: number): boolean => {
      const { start, end: otherEnd, duringDrag } = actions[order[other]!]!;
      return start.t >= end.t || (otherEnd.t > end.t && !duringDrag);
    };
    // Most actions hold no others.
    const beside = place + 1 === order.length || isNext(place + 1);
    const since = beside
      ? place + 1
      : lowest(order.length, (at) => at > place && actions[order[at]!]!.start.t >= end.t);
    const deep = beside
      ? 0
      : lowest(outlasting.length, (n) => actions[order[outlasting[outlasting.length - 1 - n]!]!]!.end.t > end.t);
    const outlasts = beside ? since : (outlasting[outlasting.length - 1 - deep] ?? order.length);
    const first = Math.min(since, outlasts);
    next[place] = first < order.length ? first : null;
    if (own.duringDrag) continue;
    while (outlasting.length > 0 && actions[order[outlasting.at(-1)!]!]!.end.t <= end.t) outlasting.pop();
    outlasting.push(place);
  }
  return next;
}

type Calm = {
  /** For each frame the next one that changed; past the end when there is none. */
  nextChange: number[];
  /** For each frame the last one until it that changed; -1 when there is none. */
  changedUntil: number[];
  /** For each frame the first one from it on, going from change to change, after which nothing changes for long enough. */
  restFrom: number[];
};

/** Where the screen rests. A frame counts as a change when at least `pixels` pixels changed. */
function calmPlaces(frames: readonly Frame[], pixels: number, settle: number): Calm {
  const count = frames.length;
  const [nextChange, restFrom]: [number[], number[]] = [new Array(count), new Array(count)];
  let change = count;
  for (let at = count - 1; at >= 0; at--) {
    nextChange[at] = change;
    const rests = change >= count || frames[change]!.t - frames[at]!.t >= settle;
    restFrom[at] = rests ? at : restFrom[change]!;
    if (isChange(frames[at]!, pixels)) change = at;
  }
  let last = -1;
  const changedUntil = frames.map((frame, at) => {
    if (isChange(frame, pixels)) last = at;
    return last;
  });
  return { nextChange, changedUntil, restFrom };
}

/** The index of the last frame with `t` at most `t`; -1 when there is none. */
export function lastUntil(frames: readonly Frame[], t: number): number {
  return lowest(frames.length, (at) => frames[at]!.t > t) - 1;
}

/** The index of the first frame with `t` at least `t`; the count when there is none. */
function firstFrom(frames: readonly Frame[], t: number): number {
  return lowest(frames.length, (at) => frames[at]!.t >= t);
}

function firstStart(pauses: readonly TimeSpan[], t: number): number {
  return lowest(pauses.length, (at) => pauses[at]!.start >= t);
}

function spanAt(pauses: readonly TimeSpan[], t: number): TimeSpan | undefined {
  const pause = pauses[lowest(pauses.length, (at) => pauses[at]!.end > t)];
  return pause && pause.start <= t ? pause : undefined;
}

/** Binary search: the lowest index at which `holds`, which is false up to some index and true from there on. */
function lowest(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Pauses in order, those that touch or overlap made one, so that binary search holds. */
function joined(pauses: readonly TimeSpan[]): TimeSpan[] {
  const sorted = pauses.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  const result: TimeSpan[] = [];
  for (const { start, end } of sorted) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
