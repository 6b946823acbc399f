import type { Rect } from '../../../schemas/events.ts';
import { oneByOne } from '../frames/one-by-one.ts';
import type { Size } from '../geometry.ts';

/** Small pictures of the elements of steps, cut from the frames. */
export type Crops = {
  /** Wants one until the returned function is called; `come` is told once, when it is there. */
  want(frame: number, rect: Rect, come: (crop: ImageBitmap) => void): () => void;
  close(): void;
};

type Wanted = { frame: number; rect: Rect; come: (crop: ImageBitmap) => void };

const KEPT = 400;
/** The picture one works with and the filmstrip come first. */
const PAUSE_MS = 250;
const RATIO = 2;

/** What is shown of a step: around its box, or its point; inside the picture, in the shape of the thumbnail. */
export function cropAround(around: Rect, picture: Size, thumbnail: Size): Rect {
  const shape = thumbnail.width / thumbnail.height;
  const wanted = Math.max(around.width * 1.3, around.height * 1.3 * shape, thumbnail.width * RATIO);
  const width = Math.min(wanted, picture.width, picture.height * shape);
  const height = width / shape;
  const within = (middle: number, size: number, room: number): number =>
    Math.round(Math.min(Math.max(middle - size / 2, 0), room - size));
  return {
    x: within(around.x + around.width / 2, width, picture.width),
    y: within(around.y + around.height / 2, height, picture.height),
    width: Math.floor(width),
    height: Math.floor(height),
  };
}

/** One frame at a time, only after a pause; what is no longer wanted by then is never asked for. */
export function makeCrops(load: (i: number, signal: AbortSignal) => Promise<Blob>, thumbnail: Size): Crops {
  const kept = new Map<string, ImageBitmap>();
  const failed = new Set<number>();
  const wanted = new Set<Wanted>();
  const reading = oneByOne(PAUSE_MS, first, ({ frame }, signal) =>
    cutFrom(frame, signal).catch(() => void failed.add(frame)),
  );

  function keep(key: string, crop: ImageBitmap): void {
    kept.set(key, crop);
    for (const [oldest, bitmap] of kept) {
      if (kept.size <= KEPT) return;
      kept.delete(oldest);
      bitmap.close();
    }
  }

  function first(): Wanted | undefined {
    for (const one of wanted) if (!failed.has(one.frame)) return one;
    return undefined;
  }

  /** All that is wanted of one frame: it is read once. */
  async function cutFrom(frame: number, signal: AbortSignal): Promise<void> {
    const blob = await load(frame, signal);
    for (const one of [...wanted].filter((each) => each.frame === frame)) {
      const { x, y, width, height } = one.rect;
      const resize = { resizeWidth: thumbnail.width * RATIO, resizeQuality: 'medium' } as const;
      const crop = await createImageBitmap(blob, x, y, width, height, resize);
      if (signal.aborted) return crop.close();
      keep(keyOf(frame, one.rect), crop);
      if (wanted.delete(one)) one.come(crop);
    }
  }

  return {
    want(frame, rect, come) {
      const there = kept.get(keyOf(frame, rect));
      if (there) {
        come(there);
        return () => {};
      }
      const one = { frame, rect, come };
      wanted.add(one);
      reading.plan();
      return () => void wanted.delete(one);
    },
    close() {
      reading.stop();
      wanted.clear();
      for (const bitmap of kept.values()) bitmap.close();
      kept.clear();
    },
  };
}

const keyOf = (frame: number, { x, y, width, height }: Rect): string => `${frame}:${x},${y},${width},${height}`;
