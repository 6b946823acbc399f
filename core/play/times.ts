import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { ClockTurn } from '../../schemas/recording.ts';
import type { ReadWord } from '../annotate/proposals/text.ts';
import { largestOf, smallestOf } from '../lists.ts';
import { sharedArea } from '../rect.ts';
import { BLOCK, cornerOf, isOther } from './likeness.ts';
import type { Shift } from './player.ts';

/**
 * Times of day inside texts that a step changes ("07:08:01: File saved."): no two plays show the same one (PL33). A time is known by
 * what it says: in the demonstration's picture the time of the demonstration, in the play's that of the play.
 */

/**
 * When what a picture shows may have been written, ms since 1970: `from` the beginning of the step to `to`, when it was looked at;
 * lines of before are there since `since`. `clock`: the clock that programs of a stage saw meanwhile, the oldest turn first; absent
 * or empty: the machine's.
 */
export type Moments = { since: number; from: number; to: number; clock?: readonly ClockTurn[] | undefined };

/** A time in which local time was so many ms ahead of Greenwich. */
type Zone = Pick<Moments, 'since' | 'from' | 'to'> & { ahead: number };

/** The machine's zones, in which programs that do not bear a stage's clock write, and each turn of that clock for as long as it held. */
function zonesOf({ clock = [], ...all }: Moments, offsets: readonly number[]): Zone[] {
  const turns = clock.flatMap(({ at, ahead }, n) => {
    const until = Math.min(all.to, clock[n + 1]?.at ?? all.to);
    const [since, from] = [Math.max(all.since, at), Math.max(all.from, at)];
    return since > until ? [] : [{ since, from, to: until, ahead }];
  });
  return [...offsets.map((ahead) => ({ ...all, ahead })), ...turns];
}

/** Clocks are shown by the second, and the picture is a moment older or newer than it was looked at, ms. */
const BESIDE = 1500;
const SECOND = 1000;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** More squares that look other, or at more places, are no time in a line. */
const MOST_BLOCKS = 96;
const MOST_PLACES = 6;
/** A line is read so far beyond what looks other, px. */
const BESIDE_X = 96;
const BESIDE_Y = 7;
/** Less sure words are not believed, 0 to 1. */
const LEAST_SURE = 0.5;
/** Letters are smoothed beyond the box that was read, px. */
const EDGE = 2;

/** Groups of digits with one sign between them, as times and dates have them. */
const STAMP = /(?<!\d)\d{1,9}(?:[:.\-/_h]\d{1,9})+|\d{6,8}/g;

/**
 * Whether a text says a time of day, or a date, of these moments, in one of the zones `offsets` (ms that local time is ahead) or by
 * the clock of the stage. Hours and minutes alone are many texts, so that they must be of the step itself.
 */
const isOfMoments = (text: string, moments: Moments, offsets: readonly number[]): boolean =>
  zonesOf(moments, offsets).some((zone) => isOfZone(text, zone));

function isOfZone(text: string, zone: Zone): boolean {
  const { since, from, to, ahead } = zone;
  const groups = text.match(/\d+/g) ?? [];
  const [a = 0, b = 0, c = 0] = groups.map(Number);
  const within = (first: number, last: number, at: number, length: number): boolean =>
    at <= last + BESIDE && at + length > first - BESIDE;
  /** Whether it is that time of day. */
  const isTime = (hour: number, minute: number, second: number | null): boolean => {
    if (hour > 24 || minute > 59 || (second ?? 0) > 60) return false;
    const ofDay = (hour % 24) * 60 * MINUTE + minute * MINUTE + (second ?? 0) * SECOND;
    // A turn of the clock that was over when the step began.
    if (second === null && from > to) return false;
    const [first, length] = second === null ? [from, MINUTE] : [since, SECOND];
    const midnight = Math.floor((to + ahead) / DAY) * DAY - ahead;
    // Yesterday, before midnight; afternoon, where twelve hours are counted.
    return [0, -DAY].some((day) =>
      [0, ...(hour <= 12 ? [DAY / 2, -DAY / 2] : [])].some((half) =>
        within(first, to, midnight + day + half + ofDay, length),
      ),
    );
  };
  const isDate = (year: number, month: number, day: number): boolean => {
    const whole = year < 100 ? 2000 + year : year;
    const at = Date.UTC(whole, month - 1, day);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && within(since, to, at - ahead, DAY);
  };
  if (groups.length === 1 && text.length === 6)
    return isTime(Math.floor(a / 10_000), Math.floor(a / 100) % 100, a % 100);
  if (groups.length === 1 && text.length === 8)
    return isDate(Math.floor(a / 10_000), Math.floor(a / 100) % 100, a % 100);
  // A date and a time, as names of files have them.
  if (groups.length === 2 && groups[0]?.length === 8) return groups.every((one) => isOfZone(one, zone));
  if (groups.length === 2) return groups[1]?.length === 2 && isTime(a, b, null);
  if (groups.length !== 3) return false;
  return isTime(a, b, c) || isDate(a, b, c) || isDate(c, b, a) || isDate(c, a, b);
}

/** Whether two texts are the same but for times, each of its own moments. */
export function sameButTimes(
  was: { text: string; moments: Moments },
  is: { text: string; moments: Moments },
  offsets: readonly number[],
): boolean {
  if (was.text.replace(STAMP, '#') !== is.text.replace(STAMP, '#')) return false;
  const stamps = was.text.match(STAMP) ?? [];
  return (is.text.match(STAMP) ?? []).every((stamp, n) => {
    const other = stamps[n] ?? '';
    return (
      stamp === other ||
      (stamp.replace(/\d+/g, '') === other.replace(/\d+/g, '') &&
        isOfMoments(other, was.moments, offsets) &&
        isOfMoments(stamp, is.moments, offsets))
    );
  });
}

/** A place where squares look other: the box around them, and the part of the picture that is read for it. */
export type OtherLine = { blocks: number[]; box: Rect; crop: Rect };

/** The places in which these squares lie, a line each; null where they are too many for times in lines. */
export function otherLines(blocks: readonly number[], { width, height }: RgbImage): OtherLine[] | null {
  if (blocks.length === 0 || blocks.length > MOST_BLOCKS) return null;
  const columns = Math.ceil(width / BLOCK);
  const rest = new Set(blocks);
  const places: OtherLine[] = [];
  for (const first of blocks) {
    if (!rest.delete(first)) continue;
    if (places.length === MOST_PLACES) return null;
    const own = [first];
    // Digits that are the same in both lie between others.
    for (let at = 0; at < own.length; at++) {
      const [column, row] = [own[at]! % columns, Math.floor(own[at]! / columns)];
      for (const near of rest) {
        if (Math.abs(Math.floor(near / columns) - row) > 1 || Math.abs((near % columns) - column) > 4) continue;
        rest.delete(near);
        own.push(near);
      }
    }
    const corners = own.map((block) => cornerOf(block, width));
    const [xs, ys] = [corners.map((one) => one.x), corners.map((one) => one.y)];
    const [left, top] = [smallestOf(xs), smallestOf(ys)];
    const [right, bottom] = [Math.min(width, largestOf(xs) + BLOCK), Math.min(height, largestOf(ys) + BLOCK)];
    const [x, y] = [Math.max(0, left - BESIDE_X), Math.max(0, top - BESIDE_Y)];
    const far = { right: Math.min(width, right + BESIDE_X), bottom: Math.min(height, bottom + BESIDE_Y) };
    places.push({
      blocks: own,
      box: { x: left, y: top, width: right - left, height: bottom - top },
      crop: { x, y, width: far.right - x, height: far.bottom - y },
    });
  }
  return places;
}

/** What was read at one place in the demonstration and in the play; boxes in px of the demonstration's picture. */
export type ReadPlace = { was: readonly ReadWord[]; is: readonly ReadWord[] };
type Read = {
  still: RgbImage;
  live: RgbImage;
  shift: Shift;
  moments: { was: Moments; is: Moments };
  offsets: readonly number[];
};

/**
 * Whether at this place nothing but times is other: every pixel that is lies in a word that is the same but for a time. Gives those
 * words of both.
 */
export function timesAt(
  { blocks }: OtherLine,
  { was, is }: ReadPlace,
  { still, live, shift, moments, offsets }: Read,
): { was: string; is: string } | null {
  const pairs = was.flatMap((one) => {
    const [other] = is
      .map((word) => ({ word, shared: sharedArea(word.box, one.box) }))
      .toSorted((a, b) => b.shared - a.shared);
    if (!other || other.shared === 0 || one.text === other.word.text) return [];
    if (Math.min(one.confidence, other.word.confidence) < LEAST_SURE) return [];
    const [before, now] = [
      { text: one.text, moments: moments.was },
      { text: other.word.text, moments: moments.is },
    ];
    return sameButTimes(before, now, offsets) ? [{ was: one, is: other.word }] : [];
  });
  const boxes = pairs.map((pair) => joined(pair.was.box, pair.is.box));
  const isExplained = (x: number, y: number): boolean =>
    boxes.some(
      (box) => x >= box.x - EDGE && y >= box.y - EDGE && x < box.x + box.width + EDGE && y < box.y + box.height + EDGE,
    );
  for (const block of blocks) {
    const corner = cornerOf(block, still.width);
    for (let y = corner.y; y < Math.min(still.height, corner.y + BLOCK); y++)
      for (let x = corner.x; x < Math.min(still.width, corner.x + BLOCK); x++)
        if (isOther(still, x, y, live, x + shift.x, y + shift.y) && !isExplained(x, y)) return null;
  }
  return pairs.length === 0
    ? null
    : { was: pairs.map((pair) => pair.was.text).join(' '), is: pairs.map((pair) => pair.is.text).join(' ') };
}

function joined(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
