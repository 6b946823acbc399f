import type { RgbImage } from '../../schemas/picture.ts';
import type { Pixel } from '../annotate/picture.ts';
import { unseenInTurn } from './blink.ts';
import type { Eyes } from './eyes.ts';
import type { InHand } from './in-hand.ts';
import { awayAgain, isFoundTwice, LIGHT_UP_MS, longerLightUp } from './lateness.ts';
import { type Placing, placedBy, shiftAt } from './layers.ts';
import { BLOCK, cornerOf } from './likeness.ts';
import type { PlayPart, PlayPicture } from './part.ts';
import type { Shift, SightAfter, SightBefore } from './player.ts';
import { isLitAlike } from './set-off.ts';
import { beforeEffect, beforeInWindows, changedBlocks, looksOther, NOWHERE } from './sight.ts';
import { findMoved, isAt, shiftOf, shiftsOf } from './target.ts';

/** Looks at the screen before a step in hand: where it is found, and why it is not. */

/** How long a program is waited for at each look, ms. */
const ANSWER_MS = 100;
/** A window has moved when at least this part of the screen is other, and so many places agree how far. */
const MOVED_CHANGES = 0.02;
const MOVED_PLACES = 2;

/** An element that so many searches have found, each at another place, never comes to rest. */
const MOST_FINDS = 3;

/** A window that lies over what a step without a place changes makes more than this share of it other; a late line does not. */
const LAID_OVER = 0.1;

/** So much of what a step without a place changes must be compared. */
const LEAST_SETTLED = 0.5;

const isNowhere = ({ x, y }: Shift): boolean => x === 0 && y === 0;

/** How far the windows of a picture have moved each (PL35); null where they have not, or that is not known. */
export const placingIn = ({ windows }: Eyes, was: PlayPart['windows']['before'], view: PlayPicture): Placing | null =>
  was.length === 0 || !windows?.list ? null : placedBy(was, windows.list(), view);

/** How far the window of the first step has moved since the demonstration, as far as the windows and the screen tell (PL25). */
export function shiftAtStart(eyes: Eyes, { part, before }: InHand): Shift {
  const placed = placingIn(eyes, part.windows.before, part.before);
  if (placed) return placed.front;
  const live = eyes.look(part.before);
  const changed = live && changedBlocks(before, live);
  if (!changed || changed.size * BLOCK ** 2 < before.width * before.height * MOVED_CHANGES) return NOWHERE;
  const [best] = shiftsOf(before, live, changed);
  return best && best.places >= MOVED_PLACES ? best.shift : NOWHERE;
}

/** The screen before a step: whether its target, or what it will change, is there, and how far it has moved. */
export async function lookBefore(eyes: Eyes, inHand: InHand, lastShift: Shift): Promise<SightBefore> {
  // Nothing else tells that a step without anything to see was taken in; keys that wait together may be taken in another order.
  if (!(await eyes.answered(ANSWER_MS))) return { there: false, why: 'the program does not answer' };
  const { at } = inHand.part;
  if (at === null) return beforeKeys(eyes, inHand, lastShift);
  const sight = await beforePress(eyes, inHand, at, lastShift);
  const foundOnce = inHand.elementShift !== null && inHand.elementFinds <= MOST_FINDS;
  return !sight.there && foundOnce ? { ...sight, foundOnce } : sight;
}

function isTimeToSearch(eyes: Eyes, inHand: InHand): boolean {
  const { away, isTimeToSearch } = awayAgain(inHand.absence, eyes.now());
  inHand.absence = away;
  return isTimeToSearch;
}

/** Looks for the squares that a step without a place will change. */
async function beforeKeys(eyes: Eyes, inHand: InHand, lastShift: Shift): Promise<SightBefore> {
  const { part, before } = inHand;
  const live = eyes.look(part.before);
  if (!live) return offScreen(part.before);
  const likely = [lastShift, NOWHERE];
  const own = ownOf(inHand);
  const first = beforeEffect(before, live, own, likely);
  let sight = first;
  if (!sight.there && isTimeToSearch(eyes, inHand)) {
    sight = await searchKeys(eyes, inHand, live, likely);
    inHand.searched = sight.there ? null : sight.why;
  }
  const unlike = first.there || sight.there ? null : first.unlike;
  if (unlike && (await unseenInTurn(eyes, inHand, part.before, [before], unlike)).length === 0)
    sight = beforeEffect(before, live, { ...own, effect: without(own.effect, unlike.blocks) }, [unlike.shift]);
  if (!sight.there) return { there: false, why: inHand.searched ?? sight.why };
  inHand.liveBefore = live;
  return sight;
}

/**
 * The squares that a step changes, without those of the window that goes with it that were let pass when it came (PL44). What
 * stands in a line with the text was not looked at closely then, and is now.
 */
const ownOf = ({ effect, marks, beside, inLine }: InHand): Pick<InHand, 'effect' | 'marks'> => ({
  effect: new Set([...without(effect, [...beside]), ...inLine]),
  marks,
});

/** The same where it may have moved, by windows that have, and where what is other are times. */
async function searchKeys(eyes: Eyes, inHand: InHand, live: RgbImage, likely: readonly Shift[]): Promise<SightBefore> {
  const { part, before } = inHand;
  const own = ownOf(inHand);
  const { effect, marks } = own;
  const { since, clock } = eyes;
  let sight = beforeEffect(before, live, own, likely, true);
  const shifts = sight.there ? [] : shiftsOf(before, live, [...effect, ...marks]).map(({ shift }) => shift);
  if (shifts.length > 0) sight = beforeEffect(before, live, own, shifts);
  const placing = sight.there ? null : placingIn(eyes, part.windows.before, part.before);
  sight = (placing && beforeInWindows(before, live, own, placing)) ?? sight;
  if (sight.there || !sight.unlike) return sight;
  const { blocks, shift } = sight.unlike;
  const is = { since, from: since, to: eyes.date(), clock };
  const was = { ...part.written, from: part.written.since, to: part.written.from };
  const read = await eyes.times.timesIn({ still: before, live, blocks, shift, moments: { was, is } });
  if (read) sight = beforeEffect(before, live, { ...own, effect: without(effect, blocks) }, [shift]);
  if (!sight.there) sight = beforeSettled(inHand, live, own, likely) ?? sight;
  const corner = cornerOf(blocks[0] ?? 0, before.width);
  const first = { x: corner.x + part.before.x, y: corner.y + part.before.y };
  const reason = blocks.length < effect.size * LAID_OVER ? null : whyOther(eyes, inHand, live, first);
  return sight.there || reason === null ? sight : { there: false, why: `${sight.why}: ${reason}` };
}

/** The same without the squares that were on their way when the step began in the demonstration (PL46); null: not there without them, or they are most of it. */
function beforeSettled(
  { before, unsettled }: InHand,
  live: RgbImage,
  { effect, marks }: Pick<InHand, 'effect' | 'marks'>,
  likely: readonly Shift[],
): SightBefore | null {
  if (unsettled.size === 0) return null;
  const settled = without(effect, [...unsettled]);
  if (settled.size < effect.size * LEAST_SETTLED) return null;
  const sight = beforeEffect(before, live, { effect: settled, marks }, likely, true);
  return sight.there ? sight : null;
}

/** Looks for the target of a step with a place. */
async function beforePress(eyes: Eyes, inHand: InHand, at: Pixel, lastShift: Shift): Promise<SightBefore> {
  const { part, before, restless } = inHand;
  const target = { x: at.x - part.before.x, y: at.y - part.before.y };
  // With the pointer away, then on it: the picture was taken before the press, when it was lit up or not yet.
  const away = eyes.look(part.before);
  if (!away) return offScreen(part.before);
  inHand.liveBefore = away;
  // A window that had moved at the step before has most likely not moved back.
  const last = isNowhere(lastShift) ? [NOWHERE] : [lastShift, NOWHERE];
  const own = eyes.windows?.list ? shiftAt(part.windows.before, eyes.windows.list(), at) : null;
  const likely = own ? [own, ...last.filter(({ x, y }) => x !== own.x || y !== own.y)] : last;
  const shift =
    shiftOf(before, away, target, likely, restless) ?? (await litUp(eyes, inHand, { target, away, likely }));
  if (shift) return { there: true, shift };
  const why = `the target at ${at.x}, ${at.y} does not look as before the step`;
  if (!isTimeToSearch(eyes, inHand)) return { there: false, why: inHand.searched ?? why };
  const found = findMoved(before, away, target, restless);
  if ('shift' in found) return { there: true, shift: found.shift };
  const looked = `${why}: ${whyOther(eyes, inHand, away, at) ?? found.why}`;
  inHand.searched = looked;
  const { element } = part;
  if (!element) return { there: false, why: looked };
  const asked = await eyes.seeker.seek(element, at);
  const askedBefore = inHand.elementShift;
  inHand.elementShift = 'shift' in asked ? asked.shift : null;
  if ('why' in asked) {
    inHand.searched = `${looked}, and ${asked.why}`;
    return { there: false, why: inHand.searched };
  }
  inHand.elementFinds++;
  if (!isFoundTwice(askedBefore, asked.shift)) return { there: false, why: looked };
  return { there: true, shift: asked.shift, element: { role: element.role, name: element.name } };
}

/** The first of the `likely` shifts with which the target is there while the pointer is on it; null: none, and the pointer is back. */
async function litUp(
  eyes: Eyes,
  inHand: InHand,
  { target, away, likely }: { target: Pixel; away: RgbImage; likely: readonly Shift[] },
): Promise<Shift | null> {
  const { part, before, restless } = inHand;
  const from = eyes.pointer();
  for (const one of likely) {
    const dark = inHand.away && isAt(inHand.away, away, target, one, restless) ? inHand.away : null;
    await eyes.approach(inHand, one);
    for (let waited = 0; waited < inHand.lightUpMs; waited += LIGHT_UP_MS) {
      await eyes.wait(LIGHT_UP_MS);
      const lit = eyes.look(part.before);
      if (!lit) continue;
      if (isAt(before, lit, target, one, restless)) return one;
      if (dark && isLitAlike({ away: dark, on: before }, { away, on: lit }, target, one, restless)) return one;
    }
  }
  inHand.lightUpMs = longerLightUp(inHand.lightUpMs);
  // Back again: a pointer that rests brings tooltips up.
  eyes.move(from.x, from.y);
  inHand.approached = null;
  return null;
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

export function offScreen({
  x,
  y,
  width,
  height,
}: PlayPicture): SightBefore & SightAfter & { there: false; same: false } {
  const needed = `${x + width} x ${y + height} px`;
  return {
    there: false,
    same: false,
    why: `the screen is smaller than in the demonstration, which needs ${needed}: set “screen” of the recipe to that, or leave it out`,
  };
}

export const without = (blocks: ReadonlySet<number>, others: readonly number[]): ReadonlySet<number> => {
  const left = new Set(blocks);
  for (const block of others) left.delete(block);
  return left;
};
