import type { Action } from '../../schemas/actions.ts';
import type { Frame } from '../../schemas/frames.ts';

/** A stretch of session time [start, end), µs. */
export type Span = { start: number; end: number };

export type KeyframeOptions = {
  /** Frames a second that the recording asked for; one interval is the least distance of K1. */
  fps: number;
  /** The recording's measured sync error, µs (C4): `sync.maxErrorUs`, 0 when unknown. */
  syncErrorUs: number;
  /** Pixels of a frame: `changed` divided by this is the share of K2. */
  screenPixels: number;
  /** Pauses, µs: of the user, for privacy, and of the sync checks (so also [0, span.start)). No overlap needed. */
  pauses?: readonly Span[];
  /** How long the screen must stay still (K2). Default 300. */
  settleMs?: number;
  /** A change below this share of the pixels does not break stillness (K2). Default 0.001. */
  share?: number;
  /** The end of the demonstration, µs (recording.span.end): no frame from then on is looked at. */
  end: number;
};

/** `frame` and `t` are the `i` and the `t` of a line of frames.jsonl (K4). */
export type KeyframeChoice = { action: string; role: 'before' | 'after'; frame: number; t: number };

const SETTLE_MS = 300;
const SHARE = 0.001;

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
  const changes = nextChanges(frames, (options.share ?? SHARE) * options.screenPixels);

  const order = actions.map((_, index) => index).sort((a, b) => actions[a]!.start.t - actions[b]!.start.t || a - b);
  const before: number[] = new Array(actions.length);
  for (const index of order) before[index] = beforeOf(actions[index]!.start.t, lead, frames, pauses);

  const after: number[] = new Array(actions.length);
  order.forEach((index, place) => {
    const action = actions[index]!;
    const next = nextPlace(order, place, actions);
    const cap = next === null ? frames.length - 1 : before[order[next]!]!;
    const limit = firstFrom(frames, limitOf(action.end.t, pauses, options.end)) - 1;
    const last = Math.max(Math.min(cap, limit), before[index]!);
    after[index] = settledFrom(action.end.t, last, Math.max(limit, last), settle, frames, changes);
  });

  return actions.flatMap((action, index) => [
    choice(action, 'before', frames[before[index]!]!),
    choice(action, 'after', frames[after[index]!]!),
  ]);
}

function choice(action: Action, role: 'before' | 'after', frame: Frame): KeyframeChoice {
  return { action: action.id, role, frame: frame.i, t: frame.t };
}

/** K1: what stood on the screen at the press less `lead`; after a pause, the first frame taken since, up to the press. */
function beforeOf(press: number, lead: number, frames: readonly Frame[], pauses: readonly Span[]): number {
  const standing = Math.max(0, lastUntil(frames, press - lead));
  const pause = spanAt(pauses, frames[standing]!.t);
  if (!pause) return standing;
  const since = firstFrom(frames, pause.end);
  return since < frames.length && frames[since]!.t <= press ? since : standing;
}

/** K2: the first frame from `end` on after which nothing changes for `settle`, at the latest the frame `last`. */
function settledFrom(
  end: number,
  last: number,
  limit: number,
  settle: number,
  frames: readonly Frame[],
  changes: readonly number[],
): number {
  let at = firstFrom(frames, end);
  while (at < last) {
    const change = changes[at]!;
    // Frames past the limit are not the demonstration's: they break nothing.
    if (change > limit || frames[change]!.t - frames[at]!.t >= settle) return at;
    at = change;
  }
  return last;
}

/** From when on no frame may show an action's effect: the demonstration's end, or a pause that begins before it. */
function limitOf(end: number, pauses: readonly Span[], demonstrationEnd: number): number {
  const running = spanAt(pauses, end);
  const pause = running ?? pauses[firstStart(pauses, end)];
  return pause ? Math.min(pause.start, demonstrationEnd) : demonstrationEnd;
}

/** The next action by press that is not contained in this one (K2). */
function nextPlace(order: readonly number[], place: number, actions: readonly Action[]): number | null {
  const { end } = actions[order[place]!]!;
  for (let next = place + 1; next < order.length; next++) {
    const other = actions[order[next]!]!;
    const contained = other.start.t < end.t && (other.end.t <= end.t || other.duringDrag);
    if (!contained) return next;
  }
  return null;
}

/** For each frame the index of the next one that changed at least `pixels` pixels; past the end when there is none. */
function nextChanges(frames: readonly Frame[], pixels: number): number[] {
  const next: number[] = new Array(frames.length);
  let change = frames.length;
  for (let at = frames.length - 1; at >= 0; at--) {
    next[at] = change;
    const { changed } = frames[at]!;
    if (changed === undefined || changed >= pixels) change = at;
  }
  return next;
}

/** The index of the last frame with `t` at most `t`; -1 when there is none. */
function lastUntil(frames: readonly Frame[], t: number): number {
  return lowest(frames.length, (at) => frames[at]!.t > t) - 1;
}

/** The index of the first frame with `t` at least `t`; the count when there is none. */
function firstFrom(frames: readonly Frame[], t: number): number {
  return lowest(frames.length, (at) => frames[at]!.t >= t);
}

function firstStart(pauses: readonly Span[], t: number): number {
  return lowest(pauses.length, (at) => pauses[at]!.start >= t);
}

function spanAt(pauses: readonly Span[], t: number): Span | undefined {
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
function joined(pauses: readonly Span[]): Span[] {
  const sorted = pauses.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  const result: Span[] = [];
  for (const { start, end } of sorted) {
    const last = result.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
