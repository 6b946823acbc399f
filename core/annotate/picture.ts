import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';

/** The one place that turns positions on the desktop into pixels of a picture (A13, pattern 11). */

/** A recording's frames and what they show, as the API hands them out. */
type Geometry = Pick<OpenedRecording, 'frames' | 'views'>;

/** A pixel in a picture's own frame. */
export type Pixel = { x: number; y: number };

/** The rectangle of the desktop (physical px) that the frame at place `at` of `frames` shows; null when there is none. */
export function pictureRect({ frames, views }: Geometry, at: number): Rect | null {
  const frame = frames[at];
  if (!frame) return null;
  const [, t, segment] = frame;
  let found: Rect | null = null;
  for (const view of views) {
    if (view.segment !== segment) continue;
    if (found && view.t > t) break;
    found = view.rect;
  }
  return found;
}

/** A place of the desktop (px) as a pixel of the picture that shows `rect`; it may lie outside. */
export function toPicture(place: Pixel, rect: Rect): Pixel {
  return { x: place.x - rect.x, y: place.y - rect.y };
}

/** Whether the picture has this pixel. */
export function isInPicture({ x, y }: Pixel, { width, height }: Pick<Rect, 'width' | 'height'>): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

/** Whether a box lies wholly inside a picture of this size. */
export function boxFits(box: Rect, { width, height }: Pick<Rect, 'width' | 'height'>): boolean {
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

/** The place in `frames` (ascending in `i`) of the recorded frame `i`; -1 when it is not there. */
export function framePlace(frames: OpenedRecording['frames'], i: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (frames[middle]![0] < i) low = middle + 1;
    else high = middle;
  }
  return frames[low]?.[0] === i ? low : -1;
}
