import { CARET_BLOCKS, NO_BLOCKS } from '../../core/play/likeness.ts';
import type { Shift } from '../../core/play/player.ts';
import { ownEffect, restlessIn } from '../../core/play/restless.ts';
import { changedBlocks, markedBlocks } from '../../core/play/sight.ts';
import { isSameRect } from '../../core/rect.ts';
import type { InputEvent } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readRgb } from '../files/picture.ts';
import type { PlayPart, Restless } from './protocol.ts';

/** A target that stays away so long is looked for elsewhere, and again as long after each search, ms. */
const SEARCH_AFTER_MS = 900;
/** Longer than a caret is shown or not, ms. */
const READ_AFTER_MS = 1000;
/**
 * Programs light up what is under the pointer when they next paint: looked at so often, and each time for twice as long, since a
 * busy one paints late; shorter than until a tooltip comes, ms.
 */
export const LIGHT_UP_MS = 60;

/** A step while it is in hand: its pictures, and the screen before it was acted. */
export type InHand = {
  part: PlayPart;
  before: RgbImage;
  after: RgbImage;
  /** Before the pointer came near the target, where that looks other then. */
  away: RgbImage | null;
  later: RgbImage | null;
  /** From when on `later` counts, ms on the process's clock. */
  laterFrom: number;
  /** When it was acted, ms since 1970. */
  actedAt: number;
  /** Since when each square is other after it, at every look, and from when on they are read as a text, ms on the process's clock. */
  otherSince: Map<number, number>;
  readFrom: number;
  /** Squares that say nothing but another time, on the screen as it was when they were read; null: none were. */
  times: { blocks: readonly number[]; live: RgbImage; was: string; is: string } | null;
  /** Until when what follows by itself is waited for, ms on the process's clock. */
  followedBy: number;
  /** The squares in which it follows; none before the next step is looked at. */
  followers: ReadonlySet<number>;
  /** The squares that the step changes; all of them where the screen changed its size. */
  effect: ReadonlySet<number>;
  /** The squares that are other before the next step than before this one; null: they were not needed yet. */
  laterEffect: ReadonlySet<number> | null;
  /** Where the caret shows after it, and whether it was seen there; null where that is not known. */
  caret: { still: RgbImage; blocks: ReadonlySet<number>; seen: boolean } | null;
  /** Squares of its first picture with something to see, for a step without a place that changes next to nothing (PL29). */
  marks: ReadonlySet<number>;
  /** The squares that change by themselves. */
  restless: ReadonlySet<number>;
  /** Leading moves: the way to the target. */
  travel: InputEvent[];
  rest: InputEvent[];
  /** The pointer is on the target, with this shift; null: it is where the step before left it. */
  approached: Shift | null;
  /** How long the pointer rests on the target at the next look, ms. */
  lightUpMs: number;
  /** Since when the target is not where it should be, ms; null: it was not looked for yet. */
  awaySince: number | null;
  /** Why the last search for it elsewhere found nothing; null: there was none. */
  searched: string | null;
  liveBefore: RgbImage | null;
  liveAfter: RgbImage | null;
  /** Its element was there at the last search, with this shift. */
  elementShift: Shift | null;
};

export async function takeInHand(part: PlayPart, byItself: Restless | null): Promise<InHand> {
  const before = await readRgb(part.before.file);
  const after = await readRgb(part.after.file);
  const later = part.later && isSameRect(part.later, part.after) ? await readRgb(part.later.file) : null;
  const moved = part.before.x !== part.after.x || part.before.y !== part.after.y;
  const restless = moved ? NO_BLOCKS : restlessIn(byItself, part.after);
  const changed =
    (moved ? null : changedBlocks(before, after)) ?? changedBlocks(after, blank(after)) ?? new Set<number>();
  const effect = ownEffect(changed, restless, after);
  const first = part.at === null ? 0 : part.events.findIndex(({ type }) => type !== 'move');
  const split = first < 0 ? part.events.length : first;
  return {
    part,
    before,
    after,
    away: part.away && isSameRect(part.away, part.before) ? await readRgb(part.away.file) : null,
    later,
    laterFrom: 0,
    actedAt: 0,
    otherSince: new Map(),
    readFrom: 0,
    times: null,
    followedBy: 0,
    followers: NO_BLOCKS,
    effect,
    laterEffect: null,
    marks: part.at === null && effect.size <= CARET_BLOCKS ? markedBlocks(before) : NO_BLOCKS,
    caret: part.caret && {
      still: await readRgb(part.caret.file),
      blocks: new Set(part.caret.blocks),
      seen: false,
    },
    restless,
    approached: null,
    lightUpMs: LIGHT_UP_MS,
    awaySince: null,
    searched: null,
    liveBefore: null,
    liveAfter: null,
    elementShift: null,
    travel: part.events.slice(0, split),
    rest: part.events.slice(split),
  };
}

/**
 * What a step changes may only be late, and a caret blinks: of what is other after it (`blocks`, at this look) those squares are
 * read as a text that were other at every look for a while.
 */
export function steadyOf({ otherSince }: InHand, blocks: readonly number[]): number[] {
  const now = performance.now();
  const others = new Set(blocks);
  for (const block of otherSince.keys()) if (!others.has(block)) otherSince.delete(block);
  for (const block of blocks) if (!otherSince.has(block)) otherSince.set(block, now);
  return blocks.filter((block) => now - (otherSince.get(block) ?? now) >= READ_AFTER_MS);
}

/** A picture that differs from `other` everywhere: so all of it counts as changed. */
function blank({ width, height, rgb }: RgbImage): RgbImage {
  return { width, height, rgb: rgb.map((value) => (value < 128 ? 255 : 0)) };
}

/** It may only be late: it is looked for at other places when it stays away, and not at every look. */
export function isTimeToSearch(inHand: InHand): boolean {
  const now = performance.now();
  inHand.awaySince ??= now;
  if (now - inHand.awaySince < SEARCH_AFTER_MS) return false;
  inHand.awaySince = now;
  return true;
}
