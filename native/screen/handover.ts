import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { PictureJudgement } from './contract.ts';
import { enqueueFrame, type FeedQueue, hasPassed, position } from './feed-queue.ts';
import type { GrabReport } from './grab-protocol.ts';
import type { Picture } from './picture.ts';
import { freeRing, type PictureMemory, type Ring, type Slot } from './ring.ts';

export type NewSegment = { segment: number; fd: number; rect: Rect };
/** A picture's place in the video is known when it is handed on. `asked`: when it was begun to be read, where that is known. */
type Unplaced = Omit<Frame, 'i' | 'pts'> & { asked?: number };

/** Entries that wait for their judgement, in order: a picture, or the segment of the pictures after it. */
type Waiting<P extends Picture> =
  | { kind: 'picture'; slot: Slot<P>; frame: Unplaced; still: boolean }
  /** A picture that was handed on already, once more. */
  | { kind: 'repeat'; slot: Slot<P>; frame: Unplaced }
  | { kind: 'segment'; next: NewSegment; start: number; retires: Ring<P> | null };

type HandoverParts<P extends Picture> = {
  queue: FeedQueue;
  memory: PictureMemory<P>;
  /** True: no picture is handed on before it was judged. */
  held: boolean;
  /** `dropped`: pictures for which the encoder's queue had no room. */
  counts: { dropped: number };
  report(message: GrabReport): void;
  /** A picture that is not handed on: it never was. */
  onDropped(slot: Slot<P>): void;
  /** A picture that a still was wanted of (keepStill) was handed on. */
  onStill(slot: Slot<P>): void;
};

/** The way of pictures to the encoder: each waits until it is judged (I6), then goes into the queue, in order. */
export class Handover<P extends Picture> {
  readonly #parts: HandoverParts<P>;
  readonly #retired: { ring: Ring<P>; until: number }[] = [];
  /** The segment of the pictures that are handed on now; the newest one may be ahead of it. */
  #sending = { segment: -1, start: 0 };
  #waiting: Waiting<P>[] = [];
  #judgement: PictureJudgement;
  /** The beginning of a cut after which no picture has been handed on yet. */
  #afterCut: number | null = null;
  #lastPts = -1;
  #frames = 0;
  #sentAt = 0;

  constructor(parts: HandoverParts<P>) {
    this.#parts = parts;
    this.#judgement = { to: parts.held ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, cuts: [] };
  }

  /** The number of the next picture that is handed on. */
  get frames(): number {
    return this.#frames;
  }
  set frames(next: number) {
    this.#frames = next;
  }

  /** When the last picture was handed on, session µs. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /** Nothing waits. */
  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** `retires`: pictures of the segment before, which are freed when the encoder needs none of them any more. */
  segment(next: NewSegment, start: number, retires: Ring<P> | null): void {
    this.#waiting.push({ kind: 'segment', next, start, retires });
    this.#release();
  }

  picture(slot: Slot<P>, frame: Unplaced): void {
    slot.held = true;
    this.#waiting.push({ kind: 'picture', slot, frame, still: false });
    this.#release();
  }

  repeat(slot: Slot<P>, frame: Unplaced): void {
    slot.held = true;
    this.#waiting.push({ kind: 'repeat', slot, frame });
    this.#release();
  }

  judge(judgement: PictureJudgement): void {
    this.#judgement = judgement;
    this.#release();
  }

  /** Wants a still of a picture that waits. False when it does not wait. */
  keepStill(slot: Slot<P>): boolean {
    const held = this.#waiting.find((one) => one.kind === 'picture' && one.slot === slot);
    if (held?.kind !== 'picture') return false;
    held.still = true;
    return true;
  }

  /** Pictures that wait never were; behind those that were handed on, the encoder's pipe is closed. */
  forget(from: number): void {
    for (const one of this.#waiting) {
      if (one.kind === 'segment') this.#sendSegment(one);
      else one.slot.held = false;
    }
    this.#waiting = [];
    this.#cutFrom(from);
    enqueueFrame(this.#parts.queue, { kind: 'end' });
  }

  /** Pictures that were never judged are forgotten. */
  end(): void {
    for (const one of this.#waiting) if (one.kind === 'segment') this.#sendSegment(one);
    this.#waiting = [];
  }

  freeRetired(): void {
    const first = this.#retired[0];
    if (!first || !hasPassed(this.#parts.queue, first.until)) return;
    this.#retired.shift();
    freeRing(this.#parts.memory, first.ring);
  }

  /** Hands on what is judged by now. */
  #release(): void {
    const stills: Slot<P>[] = [];
    let done = 0;
    for (const one of this.#waiting) {
      if (one.kind === 'segment') {
        done++;
        this.#sendSegment(one);
        continue;
      }
      const { slot, frame } = one;
      // What it shows may have been there at any time while it was read.
      const { t, asked = t } = frame;
      const cut = this.#judgement.cuts.find(({ from, to }) => t >= from && asked < to);
      if (!cut && t > this.#judgement.to) break;
      done++;
      slot.held = false;
      const sent = cut ? null : this.#push(slot, frame);
      if (cut) this.#cutFrom(cut.from);
      if (one.kind === 'repeat') continue;
      if (!sent) this.#parts.onDropped(slot);
      else slot.frame = sent;
      if (sent && one.still) stills.push(slot);
    }
    this.#waiting = this.#waiting.slice(done);
    for (const slot of stills) this.#parts.onStill(slot);
  }

  /** Hands a picture to the encoder; null when its queue is full. */
  #push(slot: Slot<P>, frame: Unplaced): Frame | null {
    const { queue, counts, report } = this.#parts;
    const { segment, start } = this.#sending;
    const pts = Math.max(this.#lastPts + 1, Math.round((frame.t - start) / 1000));
    const { pointer: address, bytes } = slot.image;
    if (!enqueueFrame(queue, { kind: 'frame', segment, slot: slot.index, address, bytes, pts })) {
      counts.dropped++;
      return null;
    }
    this.#lastPts = pts;
    const { t, seen, changed } = frame;
    const sent: Frame = { i: this.#frames, pts, t };
    // After a cut: the picture before it is not the one that this one was compared with.
    if (this.#frames > 0 && seen !== undefined)
      sent.seen = this.#afterCut === null ? seen : Math.min(seen, this.#afterCut);
    if (changed !== undefined && this.#afterCut === null) sent.changed = changed;
    if (segment > 0) sent.seg = segment;
    this.#afterCut = null;
    this.#frames++;
    this.#sentAt = t;
    report({ type: 'frame', frame: sent });
    return sent;
  }

  #sendSegment({ next, start, retires }: Extract<Waiting<P>, { kind: 'segment' }>): void {
    const { queue } = this.#parts;
    // The old pictures may still wait for the old encoder: they are freed once the queue has passed them.
    if (retires) this.#retired.push({ ring: retires, until: position(queue) });
    this.#sending = { segment: next.segment, start };
    this.#lastPts = -1;
    const { width, height } = next.rect;
    enqueueFrame(queue, { kind: 'segment', segment: next.segment, fd: next.fd, width, height });
  }

  #cutFrom(t: number): void {
    this.#afterCut = Math.min(this.#afterCut ?? t, t);
  }
}
