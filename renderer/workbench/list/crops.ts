import { LRUCache } from 'lru-cache';
import type { Rect } from '../../../schemas/events.ts';
import { oneByOne } from '../frames/one-by-one.ts';
import type { Size } from '../geometry.ts';

/**
 * Small pictures of the elements of steps, cut from the frames. They have addresses, for `<img>`: a canvas in each row would
 * be a layer of its own, and each step to the next would put all of them together anew.
 */
export type Crops = {
  /** Wants one until the returned function is called; `come` is told its address once, when it is there. */
  want(frame: number, rect: Rect, come: (address: string) => void): () => void;
  close(): void;
};

type Wanted = { frame: number; rect: Rect; come: (address: string) => void };

/** Where frames come from: as they are decoded for the stage now, or else to be read. */
export type FrameSource = {
  decoded(i: number): ImageBitmap | null;
  load(i: number, signal: AbortSignal): Promise<Blob>;
};

const KEPT = 400;
/** The picture one works with and the filmstrip come first. */
const PAUSE_MS = 250;
const RATIO = 2;

/**
 * What is shown of a step: around its box, or its point; inside the picture, in the shape of the thumbnail. `least`: so much of
 * the picture's width is there to recognise it by, px.
 */
export function cropAround(around: Rect, picture: Size, thumbnail: Size, least = thumbnail.width * RATIO): Rect {
  const shape = thumbnail.width / thumbnail.height;
  const wanted = Math.max(around.width * 1.3, around.height * 1.3 * shape, least);
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
export function makeCrops(source: FrameSource, thumbnail: Size): Crops {
  const kept = new LRUCache<string, string>({ max: KEPT, dispose: (address) => URL.revokeObjectURL(address) });
  const failed = new Set<number>();
  const wanted = new Set<Wanted>();
  const reading = oneByOne(PAUSE_MS, first, ({ frame }, signal) =>
    cutFrom(frame, signal).catch(() => void failed.add(frame)),
  );

  function first(): Wanted | undefined {
    for (const one of wanted) if (!failed.has(one.frame)) return one;
    return undefined;
  }

  /** All that is wanted of one frame: it is read once. */
  async function cutFrom(frame: number, signal: AbortSignal): Promise<void> {
    const there = source.decoded(frame);
    const picture = there ?? (await createImageBitmap(await source.load(frame, signal)));
    // All are drawn before anything is waited for: the stage closes its pictures when it likes.
    const cuts = [...wanted].filter((one) => one.frame === frame).map((one) => [one, cut(picture, one.rect)] as const);
    if (!there) picture.close();
    for (const [one, png] of cuts) {
      const made = await png;
      if (signal.aborted) return;
      const address = URL.createObjectURL(made);
      kept.set(keyOf(frame, one.rect), address);
      if (wanted.delete(one)) one.come(address);
    }
  }

  function cut(picture: ImageBitmap, { x, y, width, height }: Rect): Promise<Blob> {
    const canvas = new OffscreenCanvas(thumbnail.width * RATIO, thumbnail.height * RATIO);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('No small picture can be drawn.');
    context.imageSmoothingQuality = 'medium';
    context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
    return canvas.convertToBlob();
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
      kept.clear();
    },
  };
}

const keyOf = (frame: number, { x, y, width, height }: Rect): string => `${frame}:${x},${y},${width},${height}`;
