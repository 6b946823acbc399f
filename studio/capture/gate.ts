import type { PictureJudgement } from '../../native/screen/contract.ts';
import type { PauseReason } from '../../schemas/events.ts';

/**
 * The gate (I6): everything that happens goes in, each with its own time, and comes out only when it is known that it may
 * be written. Pure: it has no clock and writes nothing.
 *
 * With an exclude or allow list (`watching`) a thing is let out when two looks at the window in front stand around its time
 * and both found an allowed window. Without, only pauses are judged and nothing waits.
 */

/** `[from, to)`, µs on the session clock; `to` is infinite while it lasts. */
export type Cut = { from: number; to: number };
export type GateItem = {
  t: number;
  /** The recorder's own word (an anchor, a notice, which file shows what): it says nothing of the person. */
  always?: boolean;
  /** The wall clock, which goes on even where all else is forgotten. */
  ever?: boolean;
  /** A key of the shortcut that began a pause: not cut by that pause. */
  own?: boolean;
  /** A key: it waits until it is known what kind of field it went into, too. */
  key?: boolean;
};
type Mark = { kind: 'pause' | 'resume'; t: number; reason: PauseReason };
export type Released<T> = { kind: 'item'; item: T } | Mark;

/** A look at the window in front, which was read at a moment between the two times. */
export type Look = { asked: number; done: number; allowed: boolean };

export type Gate<T extends GateItem> = {
  add(item: T): void;
  look(look: Look): void;
  /** Opens a cut; nothing when one for this reason is open. */
  pause(t: number, reason: PauseReason): void;
  resume(t: number, reason: PauseReason): void;
  /**
   * Everything from `t` on, past and to come, is forgotten until `resume`: what waits, the pauses in it, the recorder's own
   * words too. That a pause began at `t` is not handed out (whoever rewrites the files says it); whatever else is open is
   * told again after it.
   */
  forget(t: number): void;
  /** Entries that may be written now, in order. */
  take(): Released<T>[];
  /** Whether this time is in a cut that is known by now. */
  isCut(t: number): boolean;
  /** Everything up to here is judged. */
  judgedTo(): number;
  pictures(): PictureJudgement;
  /** No picture is to be taken now. */
  cutsPictures(): boolean;
  isOpen(reason: PauseReason): boolean;
  /** The reason that is told: the first of those that are open. */
  shown(): PauseReason | null;
  /** How much waits. */
  waiting(): number;
};

/**
 * A window is on the screen before it is known to be in front (it is drawn, then it gets the keyboard): pictures from so
 * long before the last good look are cut too. µs.
 */
export const PICTURE_LEAD = 60_000;
/**
 * A window that is gone may be on the screen a while longer: compositors let it fade, and what was below it draws itself anew.
 * No picture is taken for so long after the first good look. µs.
 */
export const PICTURE_TAIL = 250_000;
/** A picture that is handed over late (Wayland) is still judged by the pauses of this time, µs. */
const PICTURES_REMEMBER = 60_000_000;

type GateOptions = {
  watching: boolean;
  /** Who else says which pictures may be kept, and that none is to be taken now. */
  besides?: { pictures(): PictureJudgement; cutsPictures(): boolean };
  /** Keys up to here are judged. Absent: they are judged by nobody. */
  keysTo?(): number;
  /** Told of each entry as it begins to wait. */
  onWaiting?(): void;
};

export function createGate<T extends GateItem>({
  watching,
  keysTo = () => Number.POSITIVE_INFINITY,
  besides = { pictures: () => ({ to: Number.POSITIVE_INFINITY, cuts: [] }), cutsPictures: () => false },
  onWaiting = () => undefined,
}: GateOptions): Gate<T> {
  /** All cuts by their reason, each list in the order of time: input is judged by its own time, however late it comes. */
  const cuts = new Map<PauseReason, Cut[]>();
  /** In the order in which they were opened. */
  const open = new Map<PauseReason, Cut>();
  let queue: ({ kind: 'item'; item: T } | Mark)[] = [];
  let judged = watching ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  /** The last look at which an allowed window was in front. */
  let lastAllowed = judged;
  let picturesTo = judged;
  /** Until then a window that was left out may still be seen. */
  let seenUntil = Number.NEGATIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  let shown: PauseReason | null = null;
  let shownAt = 0;

  function mark(kind: Mark['kind'], t: number, reason: PauseReason): void {
    shownAt = Math.max(t, shownAt);
    queue.push({ kind, t: shownAt, reason });
    onWaiting();
  }
  function openCut(from: number, t: number, reason: PauseReason): void {
    const cut: Cut = { from, to: Number.POSITIVE_INFINITY };
    const list = cuts.get(reason);
    if (list) list.push(cut);
    else cuts.set(reason, [cut]);
    open.set(reason, cut);
    if (shown !== null) return;
    shown = reason;
    mark('pause', t, reason);
  }
  function closeCut(t: number, reason: PauseReason): void {
    const cut = open.get(reason);
    if (!cut) return;
    cut.to = Math.max(cut.from, t);
    open.delete(reason);
    if (shown !== reason) return;
    mark('resume', t, reason);
    const [next] = open.keys();
    shown = next ?? null;
    // Never two at once in the data: one pause ends where the next begins.
    if (shown !== null) mark('pause', t, shown);
  }

  /** Whether everything of this time was forgotten. */
  function isForgotten(t: number): boolean {
    const list = cuts.get('forgotten') ?? [];
    const last = list[countFrom(list, t) - 1];
    return last !== undefined && t < last.to;
  }

  function cutAt(t: number, own: boolean): boolean {
    for (const [reason, list] of cuts) {
      if (own && (reason === 'user' || reason === 'privacy')) continue;
      const last = list[countFrom(list, t) - 1];
      if (last && t < last.to) return true;
    }
    return false;
  }
  const isCut = (t: number): boolean => cutAt(t, false);

  return {
    add(item) {
      latest = Math.max(latest, item.t);
      queue.push({ kind: 'item', item });
      onWaiting();
    },
    look({ asked, done, allowed }) {
      if (!watching) return;
      latest = Math.max(latest, done);
      if (!allowed) {
        // It is not known which window was in front since the last good look: the time counts as left out.
        if (!open.has('excluded-app')) {
          const from = lastAllowed + 1;
          openCut(from, Number.isFinite(from) ? from : asked, 'excluded-app');
        }
        judged = Math.max(judged, asked);
        return;
      }
      const cut = open.get('excluded-app');
      // The window may have changed while it was read: it is over when the answer was there.
      if (cut) {
        closeCut(done, 'excluded-app');
        seenUntil = done + PICTURE_TAIL;
      }
      judged = Math.max(judged, cut ? done - 1 : asked);
      lastAllowed = Math.max(lastAllowed, asked);
      picturesTo = Math.max(picturesTo, cut ? done - 1 : asked - PICTURE_LEAD);
    },
    pause(t, reason) {
      latest = Math.max(latest, t);
      if (!open.has(reason)) openCut(t, t, reason);
    },
    resume: closeCut,
    forget(t) {
      const before = cuts.get('forgotten') ?? [];
      // One that reaches into another takes its place.
      const list = before.filter(({ from }) => from < t);
      const last = list.at(-1);
      const cut: Cut = last && last.to >= t ? last : { from: t, to: Number.POSITIVE_INFINITY };
      cut.to = Number.POSITIVE_INFINITY;
      if (cut !== last) list.push(cut);
      cuts.set('forgotten', list);
      open.set('forgotten', cut);
      shown = 'forgotten';
      queue = queue.filter((entry) => (entry.kind === 'item' ? entry.item.ever || entry.item.t < t : entry.t < t));
    },
    take() {
      const out: Released<T>[] = [];
      let at = 0;
      for (; at < queue.length; at++) {
        const entry = queue[at];
        if (!entry) break;
        if (entry.kind !== 'item' || entry.item.ever) {
          out.push(entry);
          continue;
        }
        const { t, own = false, always = false, key = false } = entry.item;
        // A judgement of that time may come only now.
        if (isForgotten(t)) continue;
        if (always) {
          out.push(entry);
          continue;
        }
        if (cutAt(t, own)) continue;
        if (t > judged || (key && t > keysTo())) break;
        out.push(entry);
      }
      queue = queue.slice(at);
      return out;
    },
    isCut,
    judgedTo: () => judged,
    pictures() {
      const more = besides.pictures();
      return { to: Math.min(picturesTo, more.to), cuts: [...cutsOfPictures(cuts, latest), ...more.cuts] };
    },
    cutsPictures: () =>
      besides.cutsPictures() || latest < seenUntil || [...open.keys()].some((reason) => reason !== 'sync'),
    isOpen: (reason) => open.has(reason),
    shown: () => shown,
    waiting: () => queue.length,
  };
}

/** The cuts of not long before `latest`, as long as pictures are cut by them. */
function cutsOfPictures(cuts: ReadonlyMap<PauseReason, readonly Cut[]>, latest: number): PictureJudgement['cuts'] {
  const recent: PictureJudgement['cuts'] = [];
  for (const [reason, list] of cuts) {
    if (reason === 'sync') continue;
    const [lead, tail] = reason === 'excluded-app' ? [PICTURE_LEAD, PICTURE_TAIL] : [0, 0];
    for (let i = list.length - 1; i >= 0; i--) {
      const cut = list[i];
      if (!cut || cut.to < latest - PICTURES_REMEMBER) break;
      recent.push({ from: cut.from - lead, to: cut.to + tail });
    }
  }
  return recent;
}

/** How many of the cuts begin at or before `t`. */
function countFrom(list: readonly Cut[], t: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.from ?? Number.POSITIVE_INFINITY) <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
