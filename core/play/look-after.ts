import type { RgbImage } from '../../schemas/picture.ts';
import { isSameRect } from '../rect.ts';
import { plural } from '../words.ts';
import { isBeside, isWindow } from './beside.ts';
import { unseenInTurn } from './blink.ts';
import type { Eyes } from './eyes.ts';
import type { InHand } from './in-hand.ts';
import { nextReadingFrom, othersAfter } from './lateness.ts';
import type { Placing } from './layers.ts';
import { NO_BLOCKS } from './likeness.ts';
import { offScreen, placingIn, without } from './look-before.ts';
import type { PlayPart } from './part.ts';
import type { Shift, SightAfter } from './player.ts';
import {
  afterEffect,
  blocksAround,
  changedBlocks,
  followers,
  hasFollowed,
  isAlike,
  isOtherBlock,
  spoiledBlocks,
} from './sight.ts';
import type { Moments } from './times.ts';

/** Looks at the screen after a step in hand: whether it is as in the demonstration, and what that says of the next step. */

/** A list that was late by less would still come, ms. */
const LISTED_AFTER_MS = 300;
const NO_CARET = 'the caret does not show where it did after the step';

/** The screen after a step. From `laterFrom` on (ms) it may also look as before the next one; what is other in it may be times (PL33). */
export async function lookAfter(eyes: Eyes, inHand: InHand, acted: Shift, laterFrom: number): Promise<SightAfter> {
  /** How what is other has moved, and the whole. */
  let [shift, by]: [Shift, Shift | Placing] = [acted, acted];
  const { part, effect, restless, after, caret, liveBefore } = inHand;
  let later = eyes.now() >= laterFrom ? inHand.later : null;
  const now = eyes.look(part.after);
  if (!now) return offScreen(part.after);
  inHand.liveAfter = now;
  const before = liveBefore && liveBefore.width === now.width && liveBefore.height === now.height ? liveBefore : now;
  const options = { strict: part.at === null, restless };
  let sight = afterEffect(effect, after, later, { before, now }, shift, options);
  if (!sight.same) {
    const placed = inItsWindows(eyes, inHand, later, { before, now }, options);
    if (placed?.sight.same) [sight, shift] = [placed.sight, placed.placing.front];
    else if (placed?.shift && othersOf(placed.sight) < othersOf(sight)) {
      // A difference there may still be a caret, or a time: the picture of the next step has other windows.
      [sight, shift, by, later] = [placed.sight, placed.shift, placed.placing, null];
    }
  }
  const steady = !sight.same && sight.unlike ? steadyOf(eyes, inHand, sight.unlike) : [];
  const others = { blocks: (!sight.same && sight.unlike) || [], shift };
  const stills = later ? [after, later] : [after];
  if (
    steady.length === 0 &&
    others.blocks.length > 0 &&
    (await unseenInTurn(eyes, inHand, part.after, stills, others)).length === 0
  )
    sight = afterEffect(without(effect, others.blocks), after, later, { before, now }, by, options);
  const unlike = (!sight.same && sight.unlike) || [];
  if (isLetPass(eyes, inHand, unlike)) {
    sight = afterEffect(without(effect, unlike), after, later, { before, now }, by, options);
    inHand.letPass = sight.same ? new Set(unlike) : NO_BLOCKS;
    if (sight.same)
      sight = {
        ...sight,
        but: `but for ${plural(unlike.length, 'part')} of the window beside the text that is typed into it`,
      };
  } else if (steady.length > 0) {
    const times = { live: now, shift, stills };
    let alike = effect;
    let read = await timesAmong(eyes, inHand, { ...times, blocks: steady });
    if (!read) {
      // A caret beside a time is no text, and a busy machine may see it other at each look.
      const unseen = await unseenInTurn(eyes, inHand, part.after, stills, others);
      const seen = unlike.filter((block) => !unseen.includes(block));
      // Nothing but the caret, other for so long since the rest of the step was late, or a key made it shown for longer.
      if (unseen.length === 0) sight = afterEffect(without(effect, unlike), after, later, { before, now }, by, options);
      else if (seen.length > 0 && unseen.every((block) => steady.includes(block))) {
        inHand.readFrom = 0;
        alike = without(effect, seen);
        read = await timesAmong(eyes, inHand, { ...times, blocks: unseen });
      }
    }
    if (read) sight = afterEffect(without(alike, steady), after, later, { before, now }, by, options);
    if (read && sight.same)
      sight = { ...sight, but: `but for the time: “${read.is}”, “${read.was}” in the demonstration` };
  }
  // It blinks, so that it is seen at one look and the rest of what the step changes at another.
  if (caret && isAlike(caret, now, new Set(part.caret?.blocks), shift)) inHand.caretSeen = true;
  return sight.same && inHand.caretSeen === false ? { same: false, why: NO_CARET } : sight;
}

/** Whether what is other after a step, and was at every look for a moment, is but what its window shows beside the text that will be typed into it (PL44). */
function isLetPass(eyes: Eyes, { typed, effect, part, others }: InHand, unlike: readonly number[]): boolean {
  if (typed === null || unlike.length === 0 || !isWindow(eyes.windows?.list?.()[0], typed.window)) return false;
  const now = eyes.now();
  const isSettled = unlike.every((block) => now - (others.get(block) ?? now) >= LISTED_AFTER_MS);
  return isSettled && isBeside(unlike, effect, typed.window, part.after);
}

function steadyOf(eyes: Eyes, inHand: InHand, blocks: readonly number[]): number[] {
  const { others, steady } = othersAfter(inHand.others, blocks, eyes.now());
  inHand.others = others;
  return steady;
}

/**
 * The times that squares say, where nothing else is other in them (PL33). What was read once is not read again while it looks the
 * same: a caret may blink beside it. As long as a reading took that found nothing it is only looked at, since a slow machine would
 * look at nothing else.
 */
async function timesAmong(
  eyes: Eyes,
  inHand: InHand,
  {
    blocks,
    live,
    shift,
    stills,
  }: { blocks: readonly number[]; live: RgbImage; shift: Shift; stills: readonly RgbImage[] },
): Promise<{ was: string; is: string } | null> {
  const { times, since, clock } = eyes;
  const known = inHand.times;
  const isKnown =
    known?.blocks.join() === blocks.join() && blocks.every((block) => !isOtherBlock(known.live, live, block, shift));
  if (known && isKnown) return known;
  const began = eyes.now();
  if (began < inHand.readFrom) return null;
  const is: Moments = { since, from: inHand.actedAt, to: eyes.date(), clock };
  for (const still of stills) {
    const read = await times.timesIn({ still, live, blocks, shift, moments: { was: inHand.part.written, is } });
    if (!read) continue;
    inHand.times = { ...read, blocks, live };
    return read;
  }
  inHand.readFrom = nextReadingFrom(began, eyes.now());
  return null;
}

/** `shift`: that of everything that is other; null where it has not all moved alike. */
type InWindows = { sight: SightAfter; placing: Placing; shift: Shift | null };

/** How many squares are other; as many as can be where that is not said. */
const othersOf = (sight: SightAfter): number => (sight.same ? 0 : (sight.unlike?.length ?? Number.MAX_SAFE_INTEGER));

/**
 * Looks for the change of a step where each window has moved by its own way (PL35): as after the step, or as before the next one, when a
 * dialog may have gone that was there at first. Where it is as neither, what is other than after the step; null: nothing is to be
 * compared so.
 */
function inItsWindows(
  eyes: Eyes,
  inHand: InHand,
  later: RgbImage | null,
  live: { before: RgbImage; now: RgbImage },
  options: { strict: boolean; restless: ReadonlySet<number> },
): InWindows | null {
  let first: InWindows | null = null;
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
    if (sight.same) return { sight, placing, shift: placing.front };
    if (still === after) first = { sight, placing, shift: shiftOfAll(sight.unlike ?? [], placing) };
  }
  return first;
}

/** The shift by which all of these squares have moved; null where they have not all moved alike. */
function shiftOfAll(blocks: readonly number[], placing: Placing): Shift | null {
  const [first = null, ...others] = blocks.map((block) => placing.at(block));
  return first && others.every((shift) => shift?.x === first.x && shift.y === first.y) ? first : null;
}

/** Whether the changes that follow a step by themselves are there, and whether the target of the next step was spoilt. */
export function towardsNext(inHand: InHand, next: InHand, shift: Shift): { followed: boolean; doubt?: string } {
  const { liveAfter, later } = inHand;
  inHand.followers ??= followersOf(inHand, next.part);
  const followed = !liveAfter || !later || hasFollowed(later, liveAfter, inHand.followers, shift);
  return { followed, ...doubtOf(inHand, next, shift) };
}

/** The changes that followed a step by themselves in the demonstration, up to the next one (PL27). */
function followersOf({ part, after, later, restless }: InHand, { at, before }: PlayPart): ReadonlySet<number> {
  if (part.rests) return NO_BLOCKS;
  return followers(after, later ?? after, at && { x: at.x - before.x, y: at.y - before.y }, restless);
}

/** Whether a step changed what the next one acts on, though it did not in the demonstration (PL26). */
function doubtOf({ liveBefore, liveAfter, part }: InHand, next: InHand, shift: Shift): { doubt?: string } {
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
