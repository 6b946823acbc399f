import { CARET_BLOCKS, NO_BLOCKS } from '../../core/play/likeness.ts';
import type { Shift } from '../../core/play/player.ts';
import { restlessIn } from '../../core/play/restless.ts';
import { changedBlocks, markedBlocks } from '../../core/play/sight.ts';
import { isSameRect } from '../../core/rect.ts';
import type { InputEvent } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readRgb } from '../files/picture.ts';
import type { PlayPart, Restless } from './protocol.ts';

/** A target that stays away so long is looked for elsewhere, and again as long after each search, ms. */
const SEARCH_AFTER_MS = 900;
/** Longer than a caret is shown or not, ms. */
const READ_AFTER_MS = 700;
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
  /** Since when exactly these squares are other after it, and from when on they are read as a text, ms on the process's clock. */
  otherSince: Map<string, number>;
  readFrom: number;
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
  const effect = new Set([...changed].filter((block) => !restless.has(block)));
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
 * What a step changes may only be late, and a caret blinks: what is other after it is read as a text when the same squares were other
 * a while ago, and not at every look, since a slow machine would look at nothing else.
 */
export function isTimeToRead({ otherSince, readFrom }: InHand, blocks: readonly number[]): boolean {
  const now = performance.now();
  const key = blocks.join();
  const since = otherSince.get(key) ?? now;
  otherSince.set(key, since);
  return now >= readFrom && now - since >= READ_AFTER_MS;
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
