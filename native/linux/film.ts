import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { SessionClock } from '../clock.ts';
import { enqueue, type FeedQueue, hasPassed, position } from './feed-queue.ts';
import type { GrabReport } from './grab-protocol.ts';
import { createRing, freeRing, freeSlot, onScreenAt, type PictureMemory, type Ring, type Slot } from './ring.ts';
import { countChanged, diffScratch, isBlack, type Picture, samePicture } from './shm.ts';
import type { StillJob } from './still-worker.ts';
import { libc } from './x11.ts';

/**
 * The pictures of a recording between the one who takes them (grab-worker reads the screen, outside-worker is handed them)
 * and the encoder: the last few in memory, which of them are new, and the stills that are kept of them.
 */
type Film<P extends Picture> = {
  /** What is recorded now, px; null before the first segment. */
  rect(): Rect | null;
  /** True until the segment has its first picture, which it needs also when nothing changed. */
  isEmpty(): boolean;
  /** There is a picture already. */
  hasPicture(): boolean;
  newSegment(next: { segment: number; fd: number; rect: Rect }): void;
  move(rect: Rect): void;
  /** Where the next picture goes; null when the encoder still needs them all. */
  slot(): Slot<P> | null;
  /** True when `slot` shows what the last picture showed. */
  isSame(slot: Slot<P>): boolean;
  /**
   * Takes the picture in `slot`, read at `t`; the one before was last seen at `seen`; `rows`: what was painted, if known.
   * False when the encoder's queue is full (counted).
   */
  add(slot: Slot<P>, picture: { t: number; seen: number; rows: Rows | null; same: boolean }): boolean;
  /**
   * A picture that stands for long is sent once more, so that a crash cannot take it with the open cluster. Gives its time
   * when it was.
   */
  heartbeat(now: number, seen: number): number | null;
  /** Keeps a still of what was on the screen at `t`, if it is still here. */
  still(t: number): void;
  stillAfter(t: number): void;
  settle(now: number): void;
  /** Nothing more comes: the still that was waited with is kept. */
  end(): void;
  freeRetired(): void;
  counts: { dropped: number; late: number; black: number; ticks: number };
};
type Rows = { from: number; to: number };

type FilmParts<P extends Picture> = {
  queue: FeedQueue;
  clock: SessionClock;
  memory: PictureMemory<P>;
  /** The folder for stills, and where they are encoded (still-worker.ts). */
  stills: string;
  stillPort: MessagePort;
  report(message: GrabReport): void;
};

const HEARTBEATS = [250_000, 10_000_000];
/** K2: the screen is still when nothing above a thousandth of its pixels changed for 300 ms. */
const SETTLE = 300_000;
const SETTLE_SHARE = 0.001;

export function createFilm<P extends Picture>(parts: FilmParts<P>): Film<P> {
  const { queue, clock, memory, report } = parts;
  const counts = { dropped: 0, late: 0, black: 0, ticks: 0 };
  const savedStills = new Set<number>();
  const retired: { ring: Ring<P>; until: number }[] = [];
  let ring: Ring<P> | null = null;
  let rect: Rect | null = null;
  let segment = -1;
  let segmentStart = 0;
  let segmentEmpty = true;
  let lastPts = -1;
  let frames = 0;
  let sentAt = 0;
  let beats = 0;
  /** K2, as it happens: what the person did last, and the first picture since that may turn out to be the last one. */
  let settleFrom: number | null = null;
  let settling: Frame | null = null;
  let scratch = diffScratch(1);

  function keepStill(slot: Slot<P> | null): void {
    if (!slot?.frame || savedStills.has(slot.frame.t)) return;
    const { t, i } = slot.frame;
    savedStills.add(t);
    const pixels = new Uint8Array(slot.image.bytes);
    libc().memcpyOut(pixels, slot.image.pointer, slot.image.bytes);
    const { width, height } = slot.image;
    const job: StillJob = { pixels, width, height, file: join(parts.stills, `${t}.png`), t, frame: i };
    parts.stillPort.postMessage(job, [pixels.buffer]);
  }

  /** A new picture: does it make the one that was waited with the wrong one? */
  function settleOn(frame: Frame, big: boolean): void {
    if (settleFrom === null || frame.t < settleFrom) return;
    if (!settling) settling = frame;
    else if (frame.t - settling.t >= SETTLE) settled();
    else if (big) settling = frame;
  }
  function settled(): void {
    if (settling && ring) keepStill(onScreenAt(ring, settling.t));
    settling = null;
    settleFrom = null;
  }

  /** Hands a picture to the encoder; null when its queue is full. */
  function push(slot: Slot<P>, t: number, seen: number, changed: number | undefined): Frame | null {
    const pts = Math.max(lastPts + 1, Math.round((t - segmentStart) / 1000));
    const { pointer: address, bytes } = slot.image;
    if (!enqueue(queue, { kind: 'frame', segment, slot: slot.index, address, bytes, pts })) {
      counts.dropped++;
      return null;
    }
    lastPts = pts;
    const frame: Frame = { i: frames, pts, t };
    if (frames > 0) frame.seen = seen;
    if (changed !== undefined) frame.changed = changed;
    if (segment > 0) frame.seg = segment;
    frames++;
    sentAt = t;
    report({ type: 'frame', frame });
    return frame;
  }

  return {
    counts,
    rect: () => rect,
    isEmpty: () => segmentEmpty,
    hasPicture: () => ring?.current != null,
    newSegment(next) {
      const sized =
        ring !== null && rect !== null && rect.width === next.rect.width && rect.height === next.rect.height;
      if (!sized) {
        // The old pictures may still wait for the old encoder: they are freed once the queue has passed them.
        if (ring) retired.push({ ring, until: position(queue) });
        ring = createRing(memory, next.rect.width, next.rect.height);
        scratch = diffScratch(next.rect.width);
      }
      rect = next.rect;
      segment = next.segment;
      segmentStart = clock.now();
      lastPts = -1;
      segmentEmpty = true;
      enqueue(queue, { kind: 'segment', segment, fd: next.fd, width: rect.width, height: rect.height });
      report({ type: 'view', t: segmentStart, rect, segment });
    },
    move(next) {
      rect = next;
      report({ type: 'view', t: clock.now(), rect, segment });
    },
    slot() {
      const slot = ring ? freeSlot(ring, queue) : null;
      if (slot) slot.frame = null;
      return slot;
    },
    isSame: (slot) => ring?.current != null && samePicture(slot.image, ring.current.image),
    add(slot, { t, seen, rows, same }) {
      if (!ring || !rect) return false;
      const before = ring.current;
      let changed: number | undefined;
      if (before) {
        const part = rows ? { from: rows.from - rect.y, to: rows.to - rect.y } : { from: 0, to: rect.height };
        // 0 is kept for pictures that are the same: sampled rows may miss a small change.
        changed = same ? 0 : Math.max(1, countChanged(slot.image, before.image, part, scratch));
      }
      if (isBlack(slot.image, scratch.bytesA)) counts.black++;
      const frame = push(slot, t, seen, changed);
      if (!frame) return false;
      slot.frame = frame;
      ring.current = slot;
      beats = 0;
      segmentEmpty = false;
      if (!same) settleOn(frame, changed === undefined || changed >= rect.width * rect.height * SETTLE_SHARE);
      return true;
    },
    heartbeat(now, seen) {
      const beat = HEARTBEATS[beats];
      if (!ring?.current || beat === undefined || now - sentAt < beat) return null;
      beats = Math.min(beats + 1, HEARTBEATS.length - 1);
      // The slot keeps its own frame: the repeat shows the same picture.
      return push(ring.current, clock.now(), seen, 0)?.t ?? null;
    },
    still(t) {
      if (ring) keepStill(onScreenAt(ring, t));
    },
    stillAfter(t) {
      settleFrom = Math.max(settleFrom ?? 0, t);
      settling = null;
    },
    settle(now) {
      if (settling && now - settling.t >= SETTLE) settled();
    },
    end: settled,
    freeRetired() {
      const first = retired[0];
      if (!first || !hasPassed(queue, first.until)) return;
      retired.shift();
      freeRing(memory, first.ring);
    },
  };
}
