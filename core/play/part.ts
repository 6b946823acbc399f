import type { InputEvent, Rect } from '../../schemas/events.ts';
import type { ElementTarget } from './element.ts';
import type { PlayWindow } from './layers.ts';
import type { Moments } from './times.ts';

/** A demonstration's step as it is played. Plain JSON. */

/** A step with its pictures: both show the rectangle of the desktop whose top left is `origin`. */
export type PlayPart = {
  step: string;
  /** It writes a text. */
  types: boolean;
  /** The place it acts at, px of the desktop; null for keys. */
  at: { x: number; y: number } | null;
  /** The title of the window that it acts in; null where it was not told. */
  window: string | null;
  /** The windows of its pictures, topmost first; none where they were not told. */
  windows: Record<'before' | 'after' | 'later', readonly PlayWindow[]>;
  /** The element at that place, where the demonstration knows enough of it to ask for it again. */
  element: ElementTarget | null;
  events: InputEvent[];
  gapMs: number;
  settleMs: number;
  before: PlayPicture;
  after: PlayPicture;
  /** The pointer sets off for the next step after this picture, and nothing changed by itself in between (PL30). */
  rests: boolean;
  /** The screen before the pointer came near the target, where that looks other then (PL31). */
  away: PlayPicture | null;
  /** Two pictures of the screen shortly before a step without a place, where it was still changing by itself then (PL46). */
  settling: readonly [PlayPicture, PlayPicture] | null;
  /** The screen before the next step, or at the demonstration's end; null where there is none. */
  later: PlayPicture | null;
  /** So long after the step that counts at the earliest, ms. */
  laterMs: number;
  /** When the texts of its pictures were written: the programs', and those of this step (PL33). */
  written: Moments;
  /** Where the caret has moved to; null where that is not known, or it has not moved. */
  caret: PlayCaret | null;
};
export type PlayPicture = Rect & { file: string };

/** The picture after a step in which the caret shows, and the squares of the caret (PL28). */
export type PlayCaret = PlayPicture & { blocks: number[] };

/** The squares that change by themselves in the demonstration, in pictures of this rectangle (PL24). */
export type Restless = Rect & { blocks: number[] };
