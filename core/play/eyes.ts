import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { ClockTurn } from '../../schemas/recording.ts';
import type { Pixel } from '../annotate/picture.ts';
import type { ElementTarget } from './element.ts';
import type { InHand } from './in-hand.ts';
import type { LiveWindow } from './layers.ts';
import type { Shift } from './player.ts';
import type { Moments } from './times.ts';

/** All that a play can look at, ask and wait for. The looks (look-before.ts, look-after.ts) have no clock and no display but this. */
export type Eyes = {
  /** ms on a clock that only goes forward. */
  now(): number;
  /** ms since 1970. */
  date(): number;
  wait(ms: number): Promise<void>;
  /** Waits, at most so long, ms, until the program that has the keyboard has taken in what it was sent. */
  answered(atMostMs: number): Promise<boolean>;
  /** The screen now. Null when the rectangle is not all on it. */
  look(rect: Rect): RgbImage | null;
  pointer(): Pixel;
  move(x: number, y: number): void;
  /** Puts the pointer on the target as the demonstration did, moved by `shift`. */
  approach(inHand: InHand, shift: Shift): Promise<void>;
  seeker: ElementSeeker;
  times: TimesReader;
  /** Texts on the screen were written after this, ms since 1970. */
  since: number;
  /** The clock that the stage's programs see, the oldest turn first; empty: the machine's. */
  clock: readonly ClockTurn[];
  /** Null where the display tells nothing of its windows. */
  windows: {
    titles(): readonly string[];
    titleAt?(x: number, y: number): string | null;
    list?(): readonly LiveWindow[];
  } | null;
};

export type ElementSeeker = {
  /** How far the place `at` of this element has moved, px, when it is there once and nothing is over it. */
  seek(target: ElementTarget, at: Pixel): Promise<{ shift: Shift } | { why: string }>;
};

export type TimesReader = {
  /** Whether nothing but times is other there: which they are; null: something else is, or it cannot be read. */
  timesIn(other: OtherTexts): Promise<{ was: string; is: string } | null>;
};

/** The squares that look other between two pictures, and when each of them was written. */
export type OtherTexts = {
  still: RgbImage;
  live: RgbImage;
  blocks: readonly number[];
  shift: Shift;
  moments: { was: Moments; is: Moments };
};
