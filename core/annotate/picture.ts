import type { OpenedRecording, Step } from '../../schemas/api/models.ts';
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
  let find = finders.get(views);
  if (!find) {
    find = viewFinder(views);
    finders.set(views, find);
  }
  return find(segment, t);
}

/** Asked for each step of a recording, and a window that is dragged about has a view for each frame. */
const finders = new WeakMap<Geometry['views'], ViewFinder>();

type ViewFinder = (segment: number, t: number) => Rect | null;

/** Gives what was captured into a segment at a time: its last view until then, or its first; null when it has none. */
export function viewFinder(views: Geometry['views']): ViewFinder {
  const bySegment = Map.groupBy(views, ({ segment }) => segment);
  // Usually in this order already; not in a file that was damaged or made up.
  for (const own of bySegment.values()) own.sort((a, b) => a.t - b.t);
  return (segment, t) => {
    const own = bySegment.get(segment);
    if (!own) return null;
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (own[middle]!.t <= t) low = middle + 1;
      else high = middle;
    }
    return own[Math.max(0, low - 1)]!.rect;
  };
}

/** Where a step began or ended, px of the desktop; null when nobody knows (A13). */
export function stepPlace([x, y]: Step['start']): Pixel | null {
  return x === null || y === null ? null : { x, y };
}

/** A place of the desktop (px) as a pixel of the picture that shows `rect`; it may be outside. */
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

/** The place in `frames` (ascending in time) of the frame that stood on the screen at `t` µs; the first one before that; -1 when empty. */
export function placeAt(frames: OpenedRecording['frames'], t: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (frames[middle]![1] > t) high = middle;
    else low = middle + 1;
  }
  return Math.max(low - 1, frames.length > 0 ? 0 : -1);
}
