import type { InputEvent } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { TypedInto } from './beside.ts';
import { type Away, LIGHT_UP_MS, type Others } from './lateness.ts';
import { CARET_BLOCKS, NO_BLOCKS } from './likeness.ts';
import type { PlayPart, Restless } from './part.ts';
import type { Shift } from './player.ts';
import { ownEffect, restlessIn } from './restless.ts';
import { settlingBlocks } from './settling.ts';
import { changedBlocks, markedBlocks } from './sight.ts';

/** The pictures of a step. `away`: before the pointer came near the target, where that looks other then. */
export type PartPictures = Record<'before' | 'after', RgbImage> &
  Record<'away' | 'later' | 'caret', RgbImage | null> & {
    settling?: readonly [RgbImage, RgbImage] | null;
  };

/** A step while it is in hand: its pictures, and what the looks at it have found so far. Times are of the eyes' clock. */
export type InHand = PartPictures & {
  part: PlayPart;
  /** When it was acted, ms since 1970. */
  actedAt: number;
  /** The squares that are other after it, and from when on they are read as a text. */
  others: Others;
  readFrom: number;
  /** From when on few squares that are other are watched alone (PL45). */
  watchFrom: number;
  /** Squares that say nothing but another time, on the screen as it was when they were read; null: none were. */
  times: { blocks: readonly number[]; live: RgbImage; was: string; is: string } | null;
  /** The squares that the step changes; all of them where the screen changed its size. */
  effect: ReadonlySet<number>;
  /** The squares that are other before the next step than before this one; null: they were not needed yet. */
  laterEffect: ReadonlySet<number> | null;
  /** The squares in which something follows by itself until the next step; null: they were not needed yet. */
  followers: ReadonlySet<number> | null;
  /** Whether the caret was seen where it shows after it; null where that is not known. */
  caretSeen: boolean | null;
  /** Squares of its first picture with something to see, for a step without a place that changes next to nothing (PL29). */
  marks: ReadonlySet<number>;
  /** The squares that change by themselves. */
  restless: ReadonlySet<number>;
  /** The squares that were still on their way to how they would look, when the step began in the demonstration (PL46). */
  unsettled: ReadonlySet<number>;
  /** Leading moves: the way to the target. */
  travel: InputEvent[];
  rest: InputEvent[];
  /** The pointer is on the target, with this shift; null: it is where the step before left it. */
  approached: Shift | null;
  /** How long the pointer rests on the target at the next look, ms. */
  lightUpMs: number;
  /** Since when its target is away. */
  absence: Away;
  /** Why the last search for it elsewhere found nothing; null: there was none. */
  searched: string | null;
  /** Its element was there at the last search, with this shift. */
  elementShift: Shift | null;
  /** How many searches have found it. */
  elementFinds: number;
  liveBefore: RgbImage | null;
  liveAfter: RgbImage | null;
  /** The window that it brings for a text to be typed into (PL44); null where it brings none. */
  typed: TypedInto | null;
  /** Squares of that window that were other after the step and were let pass. */
  letPass: ReadonlySet<number>;
  /** Squares that were let pass so in the window that goes with this step. */
  beside: ReadonlySet<number>;
  /** Squares that were let pass so and lie in a line with the text that this step types: they must be as they were. */
  inLine: ReadonlySet<number>;
};

/** A step as it is taken in hand. `byItself`: the squares that change by themselves. */
export function inHandOf(part: PlayPart, pictures: PartPictures, byItself: Restless | null): InHand {
  const { before, after, settling } = pictures;
  const moved = part.before.x !== part.after.x || part.before.y !== part.after.y;
  const restless = moved ? NO_BLOCKS : restlessIn(byItself, part.after);
  const changed =
    (moved ? null : changedBlocks(before, after)) ?? changedBlocks(after, blank(after)) ?? new Set<number>();
  const effect = ownEffect(changed, restless, after);
  const first = part.at === null ? 0 : part.events.findIndex(({ type }) => type !== 'move');
  const split = first < 0 ? part.events.length : first;
  return {
    ...pictures,
    part,
    actedAt: 0,
    others: new Map(),
    readFrom: 0,
    watchFrom: 0,
    times: null,
    effect,
    laterEffect: null,
    followers: null,
    caretSeen: part.caret ? false : null,
    marks: part.at === null && effect.size <= CARET_BLOCKS ? markedBlocks(before) : NO_BLOCKS,
    restless,
    unsettled: settling ? settlingBlocks(...settling, before) : NO_BLOCKS,
    travel: part.events.slice(0, split),
    rest: part.events.slice(split),
    approached: null,
    lightUpMs: LIGHT_UP_MS,
    absence: { since: null },
    searched: null,
    elementShift: null,
    elementFinds: 0,
    liveBefore: null,
    liveAfter: null,
    typed: null,
    letPass: NO_BLOCKS,
    beside: NO_BLOCKS,
    inLine: NO_BLOCKS,
  };
}

/** A picture that differs from `other` everywhere: so all of it counts as changed. */
function blank({ width, height, rgb }: RgbImage): RgbImage {
  return { width, height, rgb: rgb.map((value) => (value < 128 ? 255 : 0)) };
}
