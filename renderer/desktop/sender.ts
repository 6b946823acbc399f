import { changedPart, NOTHING, type Part, type Pixels, wholeOf } from './part.ts';

/** Pictures that wait to be handed over; of more the oldest is left out and counted, so that memory stays bounded. */
export const MOST_WAITING = 3;

/**
 * Pictures that were delivered to the page, but pushed out by later ones before it read them: gives how many more since it
 * was asked last. Of those that are delivered and not read, `MOST_WAITING` may still wait, so up to as many are missed.
 */
export function createUnread(): (delivered: number, read: number) => number {
  let known = 0;
  return (delivered, read) => {
    const more = Math.max(0, delivered - read - MOST_WAITING - known);
    known += more;
    return more;
  };
}

export type TakenPicture = Pixels & { t: number };

/** Hands pictures over one after another, what changed of each, while the next ones are read. */
export type Sender = {
  /** Memory for the next picture. */
  room(length: number): Uint8Array<ArrayBuffer>;
  add(picture: TakenPicture): void;
  /** So many more were left out before they came here. */
  leftOut(count: number): void;
  /** Rejects when a picture could not be handed over: no more are then. */
  failed: Promise<never>;
};

/** `handOver` gets the part that differs from the picture that it was given before, and how many were left out since. */
export function createSender(handOver: (picture: TakenPicture, part: Part, dropped: number) => Promise<void>): Sender {
  const waiting: TakenPicture[] = [];
  const free: Uint8Array<ArrayBuffer>[] = [];
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  let sent: TakenPicture | null = null;
  let dropped = 0;
  let isSending = false;

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const fits = sent !== null && sent.width === next.width && sent.height === next.height;
      const part = fits && sent ? (changedPart(sent, next) ?? NOTHING) : wholeOf(next);
      const left = dropped;
      dropped = 0;
      await handOver(next, part, left);
      if (sent) free.push(sent.bytes);
      sent = next;
    }
    isSending = false;
  }

  return {
    failed: broken.promise,
    leftOut(count) {
      dropped += count;
    },
    room(length) {
      const at = free.findIndex((bytes) => bytes.length === length);
      const [bytes] = at >= 0 ? free.splice(at, 1) : [];
      // Another size: what is kept of the one before serves nobody.
      if (!bytes) free.length = 0;
      return bytes ?? new Uint8Array(length);
    },
    add(picture) {
      waiting.push(picture);
      if (waiting.length > MOST_WAITING) {
        const left = waiting.shift();
        if (left) free.push(left.bytes);
        dropped++;
      }
      void send().catch(broken.reject);
    },
  };
}
