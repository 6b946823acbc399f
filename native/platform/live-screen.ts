import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';

/** A screen that is followed as it changes, without the pointer. */
export type LiveScreen = {
  readonly width: number;
  readonly height: number;
  /** What has changed since it was looked at last, px; null: nothing, or it cannot be read just now. */
  look(): Rect | null;
  /** A part of it as it was at the last look. */
  cut(rect: Rect): RgbImage;
  /** Where the pointer is; null: not on it. */
  pointer(): { x: number; y: number } | null;
};
