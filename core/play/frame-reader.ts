import type { FrameHead } from './live-frames.ts';

/** The frames of a stage as they come in one endless body (live-frames.ts). */

export type StageFrame = FrameHead & {
  /** PNG or JPEG; where it is `plain` the pixels. */
  picture: Uint8Array<ArrayBuffer>;
};

/** More is no frame: the body is something else. */
const MOST_HEAD = 10_000;
const MOST_PICTURE = 64 << 20;

/** Takes pieces of the body as they come; gives the frames that are whole by then. Throws a RangeError for what are none. */
export function frameReader(): (piece: Uint8Array) => StageFrame[] {
  let waiting: Uint8Array[] = [];
  let length = 0;

  /** The first bytes, in one piece; null: they have not come yet. */
  function first(wanted: number): Uint8Array<ArrayBuffer> | null {
    if (length < wanted) return null;
    const [only] = waiting;
    if (only && only.length >= wanted) return only.subarray(0, wanted) as Uint8Array<ArrayBuffer>;
    const all = new Uint8Array(length);
    let at = 0;
    for (const piece of waiting) {
      all.set(piece, at);
      at += piece.length;
    }
    waiting = [all];
    return all.subarray(0, wanted);
  }
  function drop(count: number): void {
    const all = first(length);
    length -= count;
    waiting = all && length > 0 ? [all.subarray(count)] : [];
  }
  const lengthAt = (bytes: Uint8Array, at: number): number =>
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);

  function next(): StageFrame | null {
    const start = first(4);
    const head = start && lengthAt(start, 0);
    if (head === null) return null;
    if (head > MOST_HEAD) throw new RangeError('this is no stage');
    const upTo = first(8 + head);
    const size = upTo && lengthAt(upTo, 4 + head);
    if (size === null) return null;
    if (size > MOST_PICTURE) throw new RangeError('this is no stage');
    const whole = first(8 + head + size);
    if (!whole) return null;
    const about: unknown = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + head)));
    const picture = whole.slice(8 + head);
    drop(8 + head + size);
    return { ...(about as FrameHead), picture }; // The studio's own, as `framed` makes it.
  }

  return (piece) => {
    waiting.push(piece);
    length += piece.length;
    const frames: StageFrame[] = [];
    for (let frame = next(); frame; frame = next()) frames.push(frame);
    return frames;
  };
}

/** The pixels of a plain frame with alpha, as a canvas takes them; null: they do not fill its rectangle. */
export function rgbaOf({ rect, picture }: Pick<StageFrame, 'rect' | 'picture'>): Uint8ClampedArray<ArrayBuffer> | null {
  const count = rect ? rect.width * rect.height : 0;
  if (count === 0 || picture.length !== count * 3) return null;
  const rgba = new Uint8ClampedArray(count * 4);
  for (let from = 0, to = 0; to < rgba.length; from += 3, to += 4) {
    rgba[to] = picture[from]!;
    rgba[to + 1] = picture[from + 1]!;
    rgba[to + 2] = picture[from + 2]!;
    rgba[to + 3] = 255;
  }
  return rgba;
}
