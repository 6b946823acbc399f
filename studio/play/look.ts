import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCK, NO_BLOCKS } from '../../core/play/likeness.ts';
import type { Shift, SightAfter, SightBefore } from '../../core/play/player.ts';
import { isLitAlike } from '../../core/play/set-off.ts';
import {
  afterEffect,
  beforeEffect,
  blocksAround,
  changedBlocks,
  followers,
  hasFollowed,
  isAlike,
  NOWHERE,
  spoiledBlocks,
} from '../../core/play/sight.ts';
import { findMoved, isAt, shiftOf, shiftsOf } from '../../core/play/target.ts';
import { isSameRect } from '../../core/rect.ts';
import { plural } from '../../core/words.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { type ActOptions, approach } from './act.ts';
import { type InHand, isTimeToSearch, LIGHT_UP_MS } from './in-hand.ts';
import type { PlayPart, PlayPicture } from './protocol.ts';
import type { ElementSeeker } from './seek-element.ts';

/** Looks at the screen before and after a step in hand, and has core/play compare it with the demonstration's pictures. */

const MOST_LIGHT_UP_MS = 400;
/** How long a program is waited for at each look, ms. */
const ANSWER_MS = 100;
/** A window has moved when at least this part of the screen is other, and so many places agree how far. */
const MOVED_CHANGES = 0.02;
const MOVED_PLACES = 2;

const NO_CARET = 'the caret does not show where it did after the step';

const isNowhere = ({ x, y }: Shift): boolean => x === 0 && y === 0;

/** How far the window of the first step has moved since the demonstration, as far as the screen tells (PL25). */
export function shiftAtStart(hands: Hands, { part, before }: InHand): Shift {
  const live = see(hands, part.before);
  const changed = live && changedBlocks(before, live);
  if (!changed || changed.size * BLOCK ** 2 < before.width * before.height * MOVED_CHANGES) return NOWHERE;
  const [best] = shiftsOf(before, live, changed);
  return best && best.places >= MOVED_PLACES ? best.shift : NOWHERE;
}

export async function lookBefore(
  { hands, seeker }: { hands: Hands; seeker: ElementSeeker },
  inHand: InHand,
  lastShift: Shift,
  options: ActOptions,
): Promise<SightBefore> {
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
    }
    if (sight.there) inHand.liveBefore = live;
    return sight;
  }
  const target = { x: at.x - part.before.x, y: at.y - part.before.y };
  // With the pointer away, then on it: the picture was taken before the press, when it was lit up or not yet.
  const away = see(hands, part.before);
  if (!away) return offScreen(part.before);
  inHand.liveBefore = away;
  // A window that had moved at the step before has most likely not moved back.
  const likely = isNowhere(lastShift) ? [NOWHERE] : [lastShift, NOWHERE];
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
  const looked = `${why}: ${found.why}`;
  inHand.searched = looked;
  const { element } = part;
  if (!element) return { there: false, why: looked };
  const asked = await seeker.seek(element, at);
  const last = inHand.elementShift;
  inHand.elementShift = 'shift' in asked ? asked.shift : null;
  if ('why' in asked) {
    inHand.searched = `${looked}, and ${asked.why}`;
    return { there: false, why: inHand.searched };
  }
  // Twice at the same place: a window may be on its way still.
  if (last?.x !== asked.shift.x || last.y !== asked.shift.y) return { there: false, why: looked };
  return { there: true, shift: asked.shift, element: { role: element.role, name: element.name } };
}

function offScreen({ x, y, width, height }: PlayPicture): SightBefore & SightAfter & { there: false; same: false } {
  const needed = `${x + width} x ${y + height} px`;
  return {
    there: false,
    same: false,
    why: `the screen is smaller than in the demonstration, which needs ${needed}: set “screen” of the recipe to that, or leave it out`,
  };
}

/** The screen after a step, as `core/play/sight.ts` compares it. */
export function lookAfter(hands: Hands, inHand: InHand, shift: Shift): SightAfter {
  const { part, effect, restless, after, caret, liveBefore } = inHand;
  const later = performance.now() >= inHand.laterFrom ? inHand.later : null;
  const now = see(hands, part.after);
  if (!now) return offScreen(part.after);
  inHand.liveAfter = now;
  const before = liveBefore && liveBefore.width === now.width && liveBefore.height === now.height ? liveBefore : now;
  const sight = afterEffect(effect, after, later, { before, now }, shift, { strict: part.at === null, restless });
  // It blinks, so that it is seen at one look and the rest of what the step changes at another.
  if (caret && isAlike(caret.still, now, caret.blocks, shift)) caret.seen = true;
  return sight.same && caret?.seen === false ? { same: false, why: NO_CARET } : sight;
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
