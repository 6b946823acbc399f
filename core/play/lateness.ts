/**
 * Decides when a step that is looked at counts as late, and when more is done about it than looking again. Nothing here has a clock: every
 * look says its time, ms.
 */

/** A target that stays away so long is looked for elsewhere, and again as long after each search, ms. */
const SEARCH_AFTER_MS = 900;
/** Longer than a caret is shown or not, ms. */
const READ_AFTER_MS = 1000;
/**
 * Programs light up what is under the pointer when they next paint: looked at so often, and each time for twice as long, since a
 * busy one paints late; shorter than until a tooltip comes, ms.
 */
export const LIGHT_UP_MS = 60;
const MOST_LIGHT_UP_MS = 400;

/** `since`: when the target was first not where it should be, or was last searched for elsewhere; null: neither yet. */
export type Away = { readonly since: number | null };

/** At another look without the target: it may only be late, and is not searched for elsewhere at every one of them. */
export function awayAgain({ since }: Away, now: number): { away: Away; isTimeToSearch: boolean } {
  if (since === null) return { away: { since: now }, isTimeToSearch: false };
  return now - since < SEARCH_AFTER_MS
    ? { away: { since }, isTimeToSearch: false }
    : { away: { since: now }, isTimeToSearch: true };
}

/** Since when each square that is other after a step was other at every look, ms. */
export type Others = ReadonlyMap<number, number>;

/**
 * At another look, at which `blocks` are other. What a step changes may only be late, and a caret blinks: `steady` are those that
 * were other at every look for longer than that, which are read as a text (PL33).
 */
export function othersAfter(
  others: Others,
  blocks: readonly number[],
  now: number,
): { others: Others; steady: number[] } {
  const next = new Map(blocks.map((block) => [block, others.get(block) ?? now]));
  return { others: next, steady: blocks.filter((block) => now - (next.get(block) ?? now) >= READ_AFTER_MS) };
}

/** From when on texts are read again after a reading found nothing: a slow machine would do nothing else. */
export const nextReadingFrom = (began: number, ended: number): number => ended + (ended - began);

/** How long the pointer rests on the target at the next look, ms. */
export const longerLightUp = (ms: number): number => Math.min(MOST_LIGHT_UP_MS, 2 * ms);

/** An element counts as found when two searches one after the other have it at the same place: its window may be on its way still. */
export const isFoundTwice = (before: { x: number; y: number } | null, now: { x: number; y: number } | null): boolean =>
  before !== null && now !== null && before.x === now.x && before.y === now.y;
