import { setTimeout as sleep } from 'node:timers/promises';
import type { Pixel } from '../../core/annotate/picture.ts';
import { type Placing, placedBy, shiftAt } from '../../core/play/layers.ts';
import { BLOCK, cornerOf, NO_BLOCKS } from '../../core/play/likeness.ts';
import type { Shift, SightAfter, SightBefore } from '../../core/play/player.ts';
import { isLitAlike } from '../../core/play/set-off.ts';
import {
  afterEffect,
  beforeEffect,
  beforeInWindows,
  blocksAround,
  changedBlocks,
  followers,
  hasFollowed,
  isAlike,
  isOtherBlock,
  looksOther,
  NOWHERE,
  spoiledBlocks,
} from '../../core/play/sight.ts';
import { findMoved, isAt, shiftOf, shiftsOf } from '../../core/play/target.ts';
import type { Moments } from '../../core/play/times.ts';
import { isSameRect } from '../../core/rect.ts';
import { plural } from '../../core/words.ts';
import type { openTitles } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { type ActOptions, approach } from './act.ts';
import { type InHand, isTimeToSearch, LIGHT_UP_MS, steadyOf } from './in-hand.ts';
import type { PlayPart, PlayPicture } from './protocol.ts';
import type { TimesReader } from './read-times.ts';
import type { ElementSeeker } from './seek-element.ts';

/** Looks at the screen before and after a step in hand, and has core/play compare it with the demonstration's pictures. */

const MOST_LIGHT_UP_MS = 400;
/** How long a program is waited for at each look, ms. */
const ANSWER_MS = 100;
/** A window has moved when at least this part of the screen is other, and so many places agree how far. */
const MOVED_CHANGES = 0.02;
const MOVED_PLACES = 2;

/** A window that lies over what a step without a place changes makes more than this share of it other; a late line does not. */
const LAID_OVER = 0.1;

const NO_CARET = 'the caret does not show where it did after the step';

const isNowhere = ({ x, y }: Shift): boolean => x === 0 && y === 0;

/** How far the windows of a picture have moved each (PL35); null where they have not, or that is not known. */
const placingIn = ({ windows }: Eyes, was: PlayPart['windows']['before'], view: PlayPicture): Placing | null =>
  was.length === 0 || !windows?.list ? null : placedBy(was, windows.list(), view);

/** How far the window of the first step has moved since the demonstration, as far as the windows and the screen tell (PL25). */
export function shiftAtStart(eyes: Eyes, { part, before }: InHand): Shift {
  const placed = placingIn(eyes, part.windows.before, part.before);
  if (placed) return placed.front;
  const { hands } = eyes;
  const live = see(hands, part.before);
  const changed = live && changedBlocks(before, live);
  if (!changed || changed.size * BLOCK ** 2 < before.width * before.height * MOVED_CHANGES) return NOWHERE;
  const [best] = shiftsOf(before, live, changed);
  return best && best.places >= MOVED_PLACES ? best.shift : NOWHERE;
}

/** What a play looks and asks with. `since`: texts on the screen were written after this, ms since 1970. */
export type Eyes = {
  hands: Hands;
  seeker: ElementSeeker;
  times: TimesReader;
  since: number;
  windows: Pick<Awaited<ReturnType<typeof openTitles>>, 'titles' | 'titleAt' | 'list'> | null;
};

export async function lookBefore(
  eyes: Eyes,
  inHand: InHand,
  lastShift: Shift,
  options: ActOptions,
): Promise<SightBefore> {
  const { hands, seeker, times, since } = eyes;
  const { part, before, effect, restless } = inHand;
  const { at } = part;
  // Nothing else tells that a step without anything to see was taken in; keys that wait together may be taken in another order.
  if (!(await hands.answered(ANSWER_MS))) return { there: false, why: 'the program does not answer' };
  if (at === null) {
    const live = see(hands, part.before);
    if (!live) return offScreen(part.before);
    const likely = [lastShift, NOWHERE];
    let sight = beforeEffect(before, live, inHand, likely);
    if (!sight.there && isTimeToSearch(inHand)) {
      sight = beforeEffect(before, live, inHand, likely, true);
      const shifts = sight.there ? [] : shiftsOf(before, live, [...effect, ...inHand.marks]).map(({ shift }) => shift);
      if (shifts.length > 0) sight = beforeEffect(before, live, inHand, shifts);
      const placing = sight.there ? null : placingIn(eyes, part.windows.before, part.before);
      sight = (placing && beforeInWindows(before, live, inHand, placing)) ?? sight;
      if (!sight.there && sight.unlike) {
        const { blocks, shift } = sight.unlike;
        const is = { since, from: since, to: Date.now() };
        const was = { ...part.written, from: part.written.since, to: part.written.from };
        const read = await times.timesIn({ still: before, live, blocks, shift, moments: { was, is } });
        if (read) sight = beforeEffect(before, live, { ...inHand, effect: without(effect, blocks) }, [shift]);
        const corner = cornerOf(blocks[0] ?? 0, before.width);
        const first = { x: corner.x + part.before.x, y: corner.y + part.before.y };
        const reason = blocks.length < effect.size * LAID_OVER ? null : whyOther(eyes, inHand, live, first);
        if (!sight.there && reason !== null) sight = { there: false, why: `${sight.why}: ${reason}` };
        inHand.searched = sight.there ? null : sight.why;
      }
    }
    if (!sight.there) return { there: false, why: inHand.searched ?? sight.why };
    inHand.liveBefore = live;
    return sight;
  }
  const target = { x: at.x - part.before.x, y: at.y - part.before.y };
  // With the pointer away, then on it: the picture was taken before the press, when it was lit up or not yet.
  const away = see(hands, part.before);
  if (!away) return offScreen(part.before);
  inHand.liveBefore = away;
  // A window that had moved at the step before has most likely not moved back.
  const last = isNowhere(lastShift) ? [NOWHERE] : [lastShift, NOWHERE];
  const own = eyes.windows?.list ? shiftAt(part.windows.before, eyes.windows.list(), at) : null;
  const likely = own ? [own, ...last.filter(({ x, y }) => x !== own.x || y !== own.y)] : last;
  const shift = shiftOf(before, away, target, likely, restless);
  if (shift) return { there: true, shift };
  const from = hands.pointer();
  for (const one of likely) {
    const dark = inHand.away && isAt(inHand.away, away, target, one, restless) ? inHand.away : null;
    await approach(hands, inHand, one, options);
    for (let waited = 0; waited < inHand.lightUpMs; waited += LIGHT_UP_MS) {
      await sleep(LIGHT_UP_MS);
      const lit = see(hands, part.before);
      if (!lit) continue;
      if (isAt(before, lit, target, one, restless)) return { there: true, shift: one };
      const isLit = dark && isLitAlike({ away: dark, on: before }, { away, on: lit }, target, one, restless);
      if (isLit) return { there: true, shift: one };
    }
  }
  inHand.lightUpMs = Math.min(MOST_LIGHT_UP_MS, 2 * inHand.lightUpMs);
  // Back again: a pointer that rests brings tooltips up.
  hands.move(from.x, from.y);
  inHand.approached = null;
  const why = `the target at ${at.x}, ${at.y} does not look as before the step`;
  if (!isTimeToSearch(inHand)) return { there: false, why: inHand.searched ?? why };
  const found = findMoved(before, away, target, restless);
  if ('shift' in found) return { there: true, shift: found.shift };
  const looked = `${why}: ${whyOther(eyes, inHand, away, at) ?? found.why}`;
  inHand.searched = looked;
  const { element } = part;
  if (!element) return { there: false, why: looked };
  const asked = await seeker.seek(element, at);
  const askedBefore = inHand.elementShift;
  inHand.elementShift = 'shift' in asked ? asked.shift : null;
  if ('why' in asked) {
    inHand.searched = `${looked}, and ${asked.why}`;
    return { there: false, why: inHand.searched };
  }
  // Twice at the same place: a window may be on its way still.
  if (askedBefore?.x !== asked.shift.x || askedBefore.y !== asked.shift.y) return { there: false, why: looked };
  return { there: true, shift: asked.shift, element: { role: element.role, name: element.name } };
}

/**
 * Why a place (px of the desktop) looks other, where more is known than that it does: another window lies over it, or all of it has
 * another theme or font. Null: nothing more is known.
 */
function whyOther(eyes: Eyes, { part, before }: InHand, live: RgbImage, { x, y }: Pixel): string | null {
  const { windows } = eyes;
  const over = windows?.titleAt?.(x, y) ?? null;
  if (over !== null && part.window !== null && over !== part.window) {
    return windows?.titles().includes(part.window)
      ? `another window, “${over}”, lies over it`
      : `the window there is “${over}”, where it was “${part.window}” in the demonstration`;
  }
  if (!looksOther(before, live, placingIn(eyes, part.windows.before, part.before) ?? NOWHERE)) return null;
  const other = 'the whole window looks other, as in another theme, font or language';
  return part.at === null || part.element
    ? other
    : `${other}; a demonstration that was recorded with elements (--elements) is found by the names of what it presses`;
}

function offScreen({ x, y, width, height }: PlayPicture): SightBefore & SightAfter & { there: false; same: false } {
  const needed = `${x + width} x ${y + height} px`;
  return {
    there: false,
    same: false,
    why: `the screen is smaller than in the demonstration, which needs ${needed}: set “screen” of the recipe to that, or leave it out`,
  };
}

const without = (blocks: ReadonlySet<number>, others: readonly number[]): ReadonlySet<number> => {
  const left = new Set(blocks);
  for (const block of others) left.delete(block);
  return left;
};

/** The screen after a step, as `core/play/sight.ts` compares it. What is other in it may be times (PL33). */
export async function lookAfter(eyes: Eyes, inHand: InHand, acted: Shift): Promise<SightAfter> {
  const { hands } = eyes;
  let shift = acted;
  const { part, effect, restless, after, caret, liveBefore } = inHand;
  const later = performance.now() >= inHand.laterFrom ? inHand.later : null;
  const now = see(hands, part.after);
  if (!now) return offScreen(part.after);
  inHand.liveAfter = now;
  const before = liveBefore && liveBefore.width === now.width && liveBefore.height === now.height ? liveBefore : now;
  const options = { strict: part.at === null, restless };
  let sight = afterEffect(effect, after, later, { before, now }, shift, options);
  if (!sight.same) {
    const placed = inItsWindows(eyes, inHand, later, { before, now }, options);
    if (placed) [sight, shift] = [placed.sight, placed.shift];
  }
  const steady = !sight.same && sight.unlike ? steadyOf(inHand, sight.unlike) : [];
  if (steady.length > 0) {
    const read = await timesAmong(eyes, inHand, {
      blocks: steady,
      live: now,
      shift,
      stills: later ? [after, later] : [after],
    });
    if (read) sight = afterEffect(without(effect, steady), after, later, { before, now }, shift, options);
    if (read && sight.same)
      sight = { ...sight, but: `but for the time: “${read.is}”, “${read.was}” in the demonstration` };
  }
  // It blinks, so that it is seen at one look and the rest of what the step changes at another.
  if (caret && isAlike(caret.still, now, caret.blocks, shift)) caret.seen = true;
  return sight.same && caret?.seen === false ? { same: false, why: NO_CARET } : sight;
}

/**
 * The times that squares say, where nothing else is other in them (PL33). What was read once is not read again while it looks the
 * same: a caret may blink beside it. As long as a reading took that found nothing it is only looked at, since a slow machine would
 * look at nothing else.
 */
async function timesAmong(
  { times, since }: Eyes,
  inHand: InHand,
  {
    blocks,
    live,
    shift,
    stills,
  }: { blocks: readonly number[]; live: RgbImage; shift: Shift; stills: readonly RgbImage[] },
): Promise<{ was: string; is: string } | null> {
  const known = inHand.times;
  const isKnown =
    known?.blocks.join() === blocks.join() && blocks.every((block) => !isOtherBlock(known.live, live, block, shift));
  if (known && isKnown) return known;
  const began = performance.now();
  if (began < inHand.readFrom) return null;
  const is: Moments = { since, from: inHand.actedAt, to: Date.now() };
  for (const still of stills) {
    const read = await times.timesIn({ still, live, blocks, shift, moments: { was: inHand.part.written, is } });
    if (!read) continue;
    inHand.times = { ...read, blocks, live };
    return read;
  }
  const ended = performance.now();
  inHand.readFrom = ended + (ended - began);
  return null;
}

/**
 * What a step changed where each window has moved by its own way (PL35); null where that is not as after the step, nor as before the
 * next one, when a dialog may have gone that was there at first.
 */
function inItsWindows(
  eyes: Eyes,
  inHand: InHand,
  later: RgbImage | null,
  live: { before: RgbImage; now: RgbImage },
  options: { strict: boolean; restless: ReadonlySet<number> },
): { sight: SightAfter & { same: true }; shift: Shift } | null {
  const { part, before, after, effect } = inHand;
  const laterEffect = (): ReadonlySet<number> =>
    (inHand.laterEffect ??= (later && changedBlocks(before, later)) ?? NO_BLOCKS);
  for (const { still, was, changes } of [
    { still: after, was: part.windows.after, changes: () => effect },
    { still: later, was: part.windows.later, changes: laterEffect },
  ]) {
    const placing = still && placingIn(eyes, was, part.after);
    if (!placing || changes().size === 0) continue;
    const sight = afterEffect(changes(), still, null, live, placing, options);
    if (sight.same) return { sight, shift: placing.front };
  }
  return null;
}

/** The changes that followed a step by themselves in the demonstration, up to the next one (PL27). */
export function followersOf({ part, after, later, restless }: InHand, { at, before }: PlayPart): ReadonlySet<number> {
  if (part.rests) return NO_BLOCKS;
  return followers(after, later ?? after, at && { x: at.x - before.x, y: at.y - before.y }, restless);
}

/** Whether they are there. */
export const isFollowed = ({ liveAfter, later, followers }: InHand, shift: Shift): boolean =>
  !liveAfter || !later || hasFollowed(later, liveAfter, followers, shift);

/** Whether a step changed what the next one acts on, though it did not in the demonstration (PL26). */
export function doubtOf({ liveBefore, liveAfter, part }: InHand, next: InHand, shift: Shift): { doubt?: string } {
  if (!liveBefore || !liveAfter || !isSameRect(part.before, next.part.before)) return {};
  const { at } = next.part;
  const { x, y } = next.part.before;
  const around = at === null ? next.effect : blocksAround(next.before, { x: at.x - x, y: at.y - y });
  const area = new Set([...around].filter((block) => !next.restless.has(block)));
  const spoiled = spoiledBlocks(next.before, area, { before: liveBefore, now: liveAfter }, shift);
  if (spoiled.length === 0) return {};
  const parts = `${spoiled.length} of the ${plural(area.size, 'part')}`;
  return { doubt: `it changed ${parts} that the next step acts on, which it does not in the demonstration` };
}

const see = (hands: Hands, { x, y, width, height }: PlayPicture): RgbImage | null =>
  hands.look({ x, y, width, height });
