import { append } from '../../core/lists.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { FrameEntry } from '../store/recording-folder.ts';

/** One coded picture of the master: its segment and its time in it, ms. */
export type MasterPicture = { seg: number; pts: number };

type Matching = {
  /** The pictures that are kept, in order, each with its line. */
  present: Frame[];
  /** Lines whose pictures are not in the master. */
  lost: Frame[];
  /** Lines that were made anew, out of the master's own times. */
  rebuilt: number;
  /** Lines that were read but held something that cannot be; it was put right by what is around them. */
  corrected: number;
  /** True when `present`, then `lost`, is not what the file says: it has to be written anew. */
  changed: boolean;
};

type MatchOptions = {
  /** Session time of a segment's pts 0 where no line tells, µs; undefined where nothing tells. */
  zeroOf(seg: number): number | undefined;
  /**
   * The end of the stretch around a time of which the person wanted nothing recorded: pictures of then belong to nobody. Infinite
   * where it has none; null: `t` lies in no such stretch. µs.
   */
  privateUntil(t: number): number | null;
  /** A time that is farther from its neighbours' than their pts say is a damaged one, µs; null: times are too loose. */
  toleranceUs: number | null;
};

/**
 * Brings the lines of frames.jsonl and the pictures of the master together by segment and pts (M10). Both are in the order
 * in which they were taken, so the longest run of lines that rises in the master is right, whatever single lines say. A
 * picture between two of them gets a new line when there were lines for it: unread, impossible, or missing in the count
 * `i`. A picture that never had one is left out; it may have been cut off by a pause.
 */
export function matchFrames(
  entries: readonly FrameEntry[],
  pictures: readonly MasterPicture[],
  options: MatchOptions,
): Matching {
  const placeOf = new Map(pictures.map((picture, at) => [keyOf(picture), at]));
  const known = oneOfEach(
    entries.flatMap((entry, at) => {
      if (!('frame' in entry)) return [];
      const place = placeOf.get(keyOf(entry.frame));
      return place === undefined ? [] : [{ at, place, frame: entry.frame }];
    }),
  );
  const anchors = rising(known, ({ place }) => place);
  const sound = new Set(rising(anchors, ({ frame }) => frame.i));
  const times = new Set(rising(anchors, ({ frame }) => frame.t));
  const kept: Kept[] = anchors.map((anchor) => ({ ...anchor, sure: times.has(anchor), count: sound.has(anchor) }));
  if (options.toleranceUs !== null) doubtOutliers(kept, options.toleranceUs);

  const out: { seg: number; pts: number; line: Frame | null; sure: boolean }[] = [];
  const unmatched: Frame[] = [];
  let rebuilt = 0;
  let [entryAt, pictureAt] = [0, 0];
  let before: Kept | null = null;
  for (const anchor of [...kept, null]) {
    const between = entries.slice(entryAt, anchor?.at ?? entries.length);
    const free = pictures.slice(pictureAt, anchor?.place ?? pictures.length);
    const allowed = Math.max(linesIn(between), missingIn(before, anchor));
    const taken = free.slice(0, allowed);
    for (const { seg, pts } of taken) out.push({ seg, pts, line: null, sure: false });
    rebuilt += taken.length;
    append(unmatched, between.flatMap((entry) => ('frame' in entry ? [entry.frame] : [])).slice(taken.length));
    if (!anchor) break;
    const { seg = 0, pts } = anchor.frame;
    out.push({ seg, pts, line: anchor.frame, sure: anchor.sure });
    [entryAt, pictureAt, before] = [anchor.at + 1, anchor.place + 1, anchor];
  }

  // A line that stands twice, or in a wrong place, misses no picture.
  const there = new Set(out.map(keyOf));
  const lost = unmatched.filter((frame) => !there.has(keyOf(frame)));

  const guess = timesBy(out, options);
  const present: Frame[] = [];
  let corrected = unmatched.length - lost.length;
  for (const [at, { seg, pts, line, sure }] of out.entries()) {
    const t = line && sure ? line.t : guess(at);
    if (!line && options.privateUntil(t) !== null) {
      rebuilt--;
      continue;
    }
    if (line && !sure) corrected++;
    present.push(frameOf(line, { pts, t, seg }, present.at(-1)));
  }
  const numbered = inCount(present);
  if (numbered) corrected = Math.max(corrected, kept.filter(({ count }) => !count).length);
  // Lines without a picture at a segment's end are as a killed encoder leaves them.
  const lastOf = new Map(present.map(({ seg = 0, t }) => [seg, t]));
  const isTail = lost.every(({ seg = 0, t }) => t > (lastOf.get(seg) ?? Number.MIN_SAFE_INTEGER));
  // A torn last line is cut off, whatever else there is.
  const unread = entries.some((entry) => !('frame' in entry) && !entry.torn);
  return { present, lost, rebuilt, corrected, changed: unread || rebuilt + corrected > 0 || numbered || !isTail };
}

const keyOf = ({ seg = 0, pts }: { seg?: number | undefined; pts: number }): string => `${seg}:${pts}`;

type Found = { at: number; place: number; frame: Frame };

/** Of lines that name the same picture the one whose time fits it best: the others are copies, or say another's number. */
function oneOfEach(found: readonly Found[]): Found[] {
  const zero = ({ frame }: Found): number => frame.t - frame.pts * 1000;
  const byPlace = Map.groupBy(found, ({ place }) => place);
  if (byPlace.size === found.length) return [...found];
  const usual = new Map(
    [...Map.groupBy(found, ({ frame }) => frame.seg ?? 0)].map(([seg, own]) => {
      const zeros = own.map(zero).sort((a, b) => a - b);
      return [seg, zeros[zeros.length >> 1] ?? 0];
    }),
  );
  const far = (one: Found): number => Math.abs(zero(one) - (usual.get(one.frame.seg ?? 0) ?? 0));
  const chosen = new Set([...byPlace.values()].map((own) => own.reduce((a, b) => (far(b) < far(a) ? b : a))));
  return found.filter((one) => chosen.has(one));
}

type Kept = { at: number; place: number; frame: Frame; sure: boolean; count: boolean };

const linesIn = (entries: readonly FrameEntry[]): number =>
  entries.reduce((sum, entry) => sum + ('frame' in entry ? 1 : entry.unread), 0);

/** How many lines the count `i` misses between two lines; 0 where it cannot tell. */
function missingIn(before: Kept | null, after: Kept | null): number {
  if (!after?.count || (before && !before.count)) return 0;
  return Math.max(0, after.frame.i - (before?.frame.i ?? -1) - 1);
}

/** Longest strictly rising part of a list, O(n log n). */
function rising<T>(list: readonly T[], by: (item: T) => number): T[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, item] of list.entries()) {
    const value = by(item);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (by(list[ends[middle]!]!) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = at;
  }
  const chosen: T[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) chosen.push(list[at]!);
  return chosen.reverse();
}

/** A time that fits neither neighbour, while these fit each other, is damaged. */
function doubtOutliers(kept: Kept[], tolerance: number): void {
  const zero = ({ frame }: Kept): number => frame.t - frame.pts * 1000;
  for (const own of Map.groupBy(kept, ({ frame }) => frame.seg ?? 0).values()) {
    for (const [at, entry] of own.entries()) {
      const [a, b] = at === 0 ? [own[1], own[2]] : [own[at - 1], own[at + 1] ?? own[at - 2]];
      if (!a || !b) continue;
      const far = (x: Kept, y: Kept): boolean => Math.abs(zero(x) - zero(y)) > tolerance;
      if (far(entry, a) && far(entry, b) && !far(a, b)) entry.sure = false;
    }
  }
}

/** The time of a picture without a line, by the nearest sound line of its segment, µs. */
function timesBy(
  out: readonly { seg: number; pts: number; line: Frame | null; sure: boolean }[],
  { zeroOf, privateUntil }: Pick<MatchOptions, 'zeroOf' | 'privateUntil'>,
): (at: number) => number {
  const sound = out.map(({ line, sure }) => (line && sure ? line : null));
  const before: (Frame | null)[] = [];
  for (const [at, line] of sound.entries()) before.push(line ?? before[at - 1] ?? null);
  const after: (Frame | null)[] = [];
  for (let at = sound.length - 1; at >= 0; at--) after[at] = sound[at] ?? after[at + 1] ?? null;
  const ofSegment = Map.groupBy(out, ({ seg }) => seg);
  const guessed = new Map<number, number>();
  /** Nothing of this segment is left but its pictures: it began after the picture before it, and after a pause that it would lie in. */
  function zeroAfter(t: number, seg: number): number {
    const known = guessed.get(seg);
    if (known !== undefined) return known;
    const times = (ofSegment.get(seg) ?? []).map(({ pts }) => pts * 1000);
    const first = times[0] ?? 0;
    let zero = t + 1000 - first;
    const until = times.map((time) => privateUntil(zero + time)).find((end) => end !== null);
    if (until !== undefined && Number.isFinite(until)) zero = until - first;
    guessed.set(seg, zero);
    return zero;
  }
  return (at) => {
    const { seg, pts } = out[at]!;
    // Its own line is none of these: it is not sound.
    const own = [before[at], after[at]].flatMap((line) => (line && (line.seg ?? 0) === seg ? [line] : []));
    const near = own.sort((a, b) => Math.abs(a.pts - pts) - Math.abs(b.pts - pts))[0];
    if (near) return near.t + (pts - near.pts) * 1000;
    const zero = zeroOf(seg);
    if (zero !== undefined) return zero + pts * 1000;
    return zeroAfter(before[at]?.t ?? 0, seg) + pts * 1000;
  };
}

function frameOf(line: Frame | null, { pts, t, seg }: { pts: number; t: number; seg: number }, before?: Frame): Frame {
  const after = before ? Math.max(t, before.t + 1) : t;
  const frame: Frame = { i: line?.i ?? -1, pts, t: after };
  // Nobody can have looked after the picture was taken, or before the one that it compares with.
  if (line?.seen !== undefined && line.seen <= after && (!before || line.seen >= before.t)) frame.seen = line.seen;
  if (line?.changed !== undefined) frame.changed = line.changed;
  if (seg > 0) frame.seg = seg;
  if (!line) frame.rebuilt = true;
  return frame;
}

/** Counts the frames through from 0 where their own numbers cannot stay. True when one had to change. */
function inCount(frames: Frame[]): boolean {
  // Numbers of a segment are without a gap: `segments[].frames` counts from its first.
  const stay = frames.every((frame, at) => {
    const before = frames[at - 1];
    if (!before) return frame.i >= 0;
    return (frame.seg ?? 0) === (before.seg ?? 0) ? frame.i === before.i + 1 : frame.i > before.i;
  });
  if (stay) return false;
  // New lines take the numbers that their place leaves; all are counted anew only where that cannot be.
  const first = frames.findIndex(({ i }) => i >= 0);
  const fits = first >= 0 && frames.every(({ i }, at) => i < 0 || i - at === frames[first]!.i - first);
  const from = fits ? frames[first]!.i - first : 0;
  for (const [at, frame] of frames.entries()) frame.i = Math.max(0, from) + at;
  return true;
}
