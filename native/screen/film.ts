import type { MessagePort } from 'node:worker_threads';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import type { FeedQueue } from './feed-queue.ts';
import type { GrabCommand, GrabReport } from './grab-protocol.ts';
import { Handover, type NewSegment } from './handover.ts';
import { countChanged, diffScratch, isBlack, type Picture, samePicture } from './picture.ts';
import { createRing, freeSlot, onScreenAt, type PictureMemory, type Ring, type Slot } from './ring.ts';
import { paintedBy, SETTLE_SHARE, Stills } from './stills.ts';

type Rows = { from: number; to: number };
/** `asked`: when it was begun to be read, where that is known. */
type Taken = { asked?: number; t: number; seen: number; rows: Rows | null; same: boolean };

type FilmParts<P extends Picture> = {
  queue: FeedQueue;
  clock: SessionClock;
  memory: PictureMemory<P>;
  /** The folder for stills, and where they are encoded (still-worker.ts). */
  stills: string;
  stillPort: MessagePort;
  /** True: no picture is handed on before it was judged. */
  held: boolean;
  report(message: GrabReport): void;
};

const HEARTBEATS = [250_000, 10_000_000];
/**
 * V6: a screen that is locked, a display that is off and a driver that hides its picture stay black for so long; a window
 * that opens or clears itself does not.
 */
const BLACK = 1_000_000;

/**
 * The pictures of a recording between the one who takes them (grab-worker reads the screen, outside-worker is handed them)
 * and the encoder: the last few in memory, which of them are new, and the stills that are kept of them.
 */
export class Film<P extends Picture> {
  readonly counts = { dropped: 0, late: 0, black: 0, ticks: 0 };
  readonly #clock: SessionClock;
  readonly #memory: PictureMemory<P>;
  readonly #queue: FeedQueue;
  readonly #report: (message: GrabReport) => void;
  readonly #handover: Handover<P>;
  readonly #stills: Stills<P>;
  #ring: Ring<P> | null = null;
  #rect: Rect | null = null;
  #segment = -1;
  #segmentEmpty = true;
  #beats = 0;
  #pictured = false;
  /** The black screen that stands now: since when, and whether it was counted. */
  #black: { slot: Slot<P>; from: number; counted: boolean } | null = null;
  #scratch = diffScratch(1);

  constructor({ queue, clock, memory, stills, stillPort, held, report }: FilmParts<P>) {
    this.#clock = clock;
    this.#memory = memory;
    this.#queue = queue;
    this.#report = report;
    this.#stills = new Stills({
      folder: stills,
      port: stillPort,
      shownAt: (t) => (this.#ring ? onScreenAt(this.#ring, t) : null),
      isLater: (slot) => this.#handover.keepStill(slot),
    });
    this.#handover = new Handover({
      queue,
      memory,
      held,
      counts: this.counts,
      report,
      onDropped: (slot) => this.#drop(slot),
      onStill: (slot) => this.#stills.keep(slot),
    });
  }

  /** The recorded rectangle now, px; null before the first segment. */
  rect(): Rect | null {
    return this.#rect;
  }

  /** True until the segment has its first picture, which it needs also when nothing changed. */
  isEmpty(): boolean {
    return this.#segmentEmpty;
  }

  /** There is a picture already. */
  hasPicture(): boolean {
    return this.#ring?.current != null;
  }

  newSegment(next: NewSegment): void {
    const { width, height } = next.rect;
    const before = this.#rect;
    const sized = this.#ring !== null && before !== null && before.width === width && before.height === height;
    const start = this.#clock.now();
    const retires = sized ? null : this.#ring;
    if (!sized) {
      this.#ring = createRing(this.#memory, width, height);
      this.#scratch = diffScratch(width);
    }
    this.#rect = next.rect;
    this.#segment = next.segment;
    this.#segmentEmpty = true;
    this.#handover.segment(next, start, retires);
    this.#report({ type: 'view', t: start, rect: next.rect, segment: next.segment });
  }

  move(rect: Rect): void {
    this.#rect = rect;
    this.#report({ type: 'view', t: this.#clock.now(), rect, segment: this.#segment });
  }

  /** Where the next picture goes; null when the encoder still needs them all. */
  slot(): Slot<P> | null {
    const slot = this.#ring ? freeSlot(this.#ring, this.#queue) : null;
    if (slot) slot.frame = null;
    return slot;
  }

  /** True when `slot` shows what the last picture showed. */
  isSame(slot: Slot<P>): boolean {
    return this.#ring?.current != null && samePicture(slot.image, this.#ring.current.image);
  }

  /**
   * Takes the picture in `slot`, read at `t`; the one before was last seen at `seen`; `rows`: what was painted, if known.
   * False when the encoder's queue is full (counted).
   */
  add(slot: Slot<P>, { t, asked = t, seen, rows, same }: Taken): boolean {
    const [ring, rect] = [this.#ring, this.#rect];
    if (!ring || !rect) return false;
    const before = ring.current;
    let changed: number | undefined;
    if (before) {
      const part = rows ? { from: rows.from - rect.y, to: rows.to - rect.y } : { from: 0, to: rect.height };
      // 0 is kept for pictures that are the same: sampled rows may miss a small change.
      changed = same ? 0 : Math.max(1, countChanged(slot.image, before.image, part, this.#scratch));
    }
    this.#lookForBlack(slot, before, t);
    // Its place in the video is known when it is handed on.
    const frame: Frame = { i: this.#handover.frames, pts: 0, t, seen, ...(changed !== undefined && { changed }) };
    slot.frame = frame;
    ring.current = slot;
    if (!this.#pictured) this.#report({ type: 'pictured' });
    this.#pictured = true;
    this.#handover.picture(slot, { ...frame, asked });
    if (slot.frame === null) {
      // The encoder's queue was full, or it is in a pause: the next one is compared with the one before.
      ring.current = before?.frame ? before : null;
      return false;
    }
    this.#beats = 0;
    this.#segmentEmpty = false;
    const isBig = changed === undefined || changed >= rect.width * rect.height * SETTLE_SHARE;
    if (!same) this.#stills.changed(frame, isBig);
    return true;
  }

  /**
   * A picture that stands for long is sent once more, so that a crash cannot take it with the open cluster. Gives its time
   * when it was.
   */
  heartbeat(now: number, seen: number): number | null {
    const beat = HEARTBEATS[this.#beats];
    const { isIdle, sentAt } = this.#handover;
    // Waiting pictures are not repeated, and nothing overtakes them.
    if (!this.#ring?.current || beat === undefined || now - sentAt < beat || !isIdle) return null;
    this.#beats = Math.min(this.#beats + 1, HEARTBEATS.length - 1);
    // The slot keeps its own frame: the repeat shows the same picture.
    const frame = { t: this.#clock.now(), seen, changed: 0 };
    this.#handover.repeat(this.#ring.current, frame);
    return frame.t;
  }

  /**
   * Does what a command wants of the film alone, which is the same for every taker of pictures: `still` keeps what was on the
   * screen at `t`, or what had taken its place by `until` in the middle of its painting, if it is still here; `judge` says which of the pictures that wait may be handed to the encoder and which
   * are forgotten (I6); `frames` is the number of the next picture. After `forget` no picture from `from` on is kept, also not
   * as a still, and none is compared with: the encoder's pipe is closed behind those that were handed on, the next picture
   * needs a new segment, and it is reported when nothing is on its way any more.
   */
  obey(command: GrabCommand): void {
    if (command.type === 'judge') this.#handover.judge(command.judgement);
    if (command.type === 'forget') this.#forget(command.from);
    if (command.type === 'frames') this.#handover.frames = command.next;
    if (command.type === 'still' && this.#ring) this.#stills.keep(paintedBy(this.#ring, command));
    if (command.type === 'still-after') this.#stills.waitAfter(command.t);
  }

  settle(now: number): void {
    this.#stills.settle(now);
    const black = this.#black;
    if (!black || black.counted || black.slot !== this.#ring?.current || now - black.from < BLACK) return;
    black.counted = true;
    this.counts.black++;
  }

  /** Nothing more comes: the still that was waited with is kept; pictures that were never judged are forgotten. */
  end(): void {
    this.#stills.settled();
    this.#handover.end();
  }

  freeRetired(): void {
    this.#handover.freeRetired();
  }

  #lookForBlack(slot: Slot<P>, before: Slot<P> | null, t: number): void {
    // Several black pictures in a row, at a change of the segment, are one stretch.
    const { from = t, counted = false } = before && this.#black?.slot === before ? this.#black : {};
    this.#black = isBlack(slot.image, this.#scratch.bytesA) ? { slot, from, counted } : null;
  }

  /** The picture never was: not as a still, not as what the next one is compared with. */
  #drop(slot: Slot<P>): void {
    this.#stills.drop(slot);
    slot.frame = null;
    if (this.#ring?.current === slot) this.#ring.current = null;
  }

  /** See `obey`. */
  #forget(from: number): void {
    this.#handover.forget(from);
    for (const slot of this.#ring?.slots ?? []) if (slot.frame && slot.frame.t >= from) slot.frame = null;
    // Also a picture from before: the next one is the first of its segment.
    if (this.#ring) this.#ring.current = null;
    this.#stills.forget(from);
    this.#segmentEmpty = true;
    this.#stills.flush();
    this.#report({ type: 'forgotten' });
  }
}
