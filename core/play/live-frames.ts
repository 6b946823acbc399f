import type { Rect } from '../../schemas/events.ts';

/**
 * What has changed on a screen since a picture of it that somebody has, so that each of several who look, quick or slow, is sent
 * what they lack and nothing more. The numbers of changes rise; 0: nothing was seen yet.
 */
type Changes = {
  add(rect: Rect, atMs: number): void;
  /**
   * The newest number and what lies in all changes after `since`; null: nothing. Pictures of large changes need not be exact
   * while the screen moves; when it rests, the whole screen is given once more.
   */
  since(
    since: number,
    nowMs: number,
    wishes: { mostExact: number; restMs: number },
  ): { n: number; rect: Rect; exact: boolean } | null;
};

/** Changes that are kept one by one; who is further behind is sent the whole screen. */
const MOST_KEPT = 256;

export function changesOf({ width, height }: { width: number; height: number }): Changes {
  const whole: Rect = { x: 0, y: 0, width, height };
  /** Each takes two numbers. An odd one says: all before the number after it was sent, and something of it is not exact. */
  let kept: { n: number; rect: Rect }[] = [];
  let last = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    add(rect, atMs) {
      last += 2;
      lastAt = atMs;
      kept.push({ n: last, rect });
      if (kept.length > MOST_KEPT) kept = kept.slice(-MOST_KEPT / 2);
    },
    since(since, nowMs, { mostExact, restMs }) {
      const rests = nowMs - lastAt >= restMs;
      const isOwed = since % 2 === 1;
      const sent = isOwed ? since + 1 : since;
      if (last === 0 || sent === last) return isOwed && rests ? { n: last, rect: whole, exact: true } : null;
      const isKept = sent > 0 && sent < last && sent >= (kept[0]?.n ?? last) - 2;
      const rect = isKept
        ? kept.filter(({ n }) => n > sent).reduce<Rect | null>((all, one) => united(all, one.rect), null)
        : whole;
      if (!rect) return null;
      const exact = rests || rect.width * rect.height <= mostExact;
      return { n: exact && (!isOwed || !isKept) ? last : last - 1, rect, exact };
    },
  };
}

function united(a: Rect | null, b: Rect): Rect {
  if (!a) return b;
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** What stands before a picture. `rect`: where the picture belongs; null: nothing has changed. */
export type FrameHead = {
  n: number;
  /** The whole screen, px. */
  width: number;
  height: number;
  rect: Rect | null;
  /** The picture is the pixels themselves, red, green and blue of each, row by row: neither side has to code a few letters. */
  plain?: true;
  pointer: { x: number; y: number } | null;
};

/** A frame as it is sent: the length of the head, the head as JSON, the length of the picture, the picture; lengths are 4 bytes. */
export function framed(head: FrameHead, picture: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(8 + text.length + picture.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length);
  bytes.set(text, 4);
  view.setUint32(4 + text.length, picture.length);
  bytes.set(picture, 8 + text.length);
  return bytes;
}

/** The number of a frame. */
export function numberOfFrame(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const head = JSON.parse(new TextDecoder().decode(frame.subarray(4, 4 + view.getUint32(0)))) as FrameHead; // Made by `framed`.
  return head.n;
}
