import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import { memory as rawMemory } from '../memory/memory.ts';
import type { PictureJudgement } from './contract.ts';
import { enqueueFrame, type FeedQueue, hasPassed, position } from './feed-queue.ts';
import type { GrabCommand, GrabReport } from './grab-protocol.ts';
import { countChanged, diffScratch, isBlack, type Picture, samePicture } from './picture.ts';
import { createRing, freeRing, freeSlot, onScreenAt, type PictureMemory, type Ring, type Slot } from './ring.ts';
import type { StillJob } from './still-worker.ts';

/**
 * The pictures of a recording between the one who takes them (grab-worker reads the screen, outside-worker is handed them)
 * and the encoder: the last few in memory, which of them are new, and the stills that are kept of them.
 */
type Film<P extends Picture> = {
  /** The recorded rectangle now, px; null before the first segment. */
  rect(): Rect | null;
  /** True until the segment has its first picture, which it needs also when nothing changed. */
  isEmpty(): boolean;
  /** There is a picture already. */
  hasPicture(): boolean;
  newSegment(next: NewSegment): void;
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
  /**
   * Does what a command wants of the film alone, which is the same for every taker of pictures: `still` keeps what was on the
   * screen at `t`, if it is still here; `judge` says which of the pictures that wait may be handed to the encoder and which
   * are forgotten (I6); `frames` is the number of the next picture. After `forget` no picture from `from` on is kept, also not
   * as a still, and none is compared with: the encoder's pipe is closed behind those that were handed on, the next picture
   * needs a new segment, and it is reported when nothing is on its way any more.
   */
  obey(command: GrabCommand): void;
  settle(now: number): void;
  /** Nothing more comes: the still that was waited with is kept; pictures that were never judged are forgotten. */
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
  /** True: no picture is handed on before it was judged. */
  held: boolean;
  report(message: GrabReport): void;
};

/** Entries that wait for their judgement, in order: a picture, or the segment of the pictures after it. */
type Waiting<P extends Picture> =
  | { kind: 'picture'; slot: Slot<P>; frame: Omit<Frame, 'i' | 'pts'>; still: boolean }
  /** A picture that was handed on already, once more. */
  | { kind: 'repeat'; slot: Slot<P>; frame: Omit<Frame, 'i' | 'pts'> }
  | { kind: 'segment'; next: NewSegment; start: number; retires: Ring<P> | null };
type NewSegment = { segment: number; fd: number; rect: Rect };

const HEARTBEATS = [250_000, 10_000_000];
/**
 * V6: a screen that is locked, a display that is off and a driver that hides its picture stay black for so long; a window
 * that opens or clears itself does not.
 */
const BLACK = 1_000_000;
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
  /** The segment of the pictures that are handed on now; `segment` may be ahead of it. */
  let sending = { segment: -1, start: 0 };
  let waiting: Waiting<P>[] = [];
  let judgement: PictureJudgement = { to: parts.held ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, cuts: [] };
  /** The beginning of a cut after which no picture has been handed on yet. */
  let afterCut: number | null = null;
  let segmentEmpty = true;
  let lastPts = -1;
  let frames = 0;
  let sentAt = 0;
  let beats = 0;
  let pictured = false;
  /** K2, as it happens: what the person did last, and the first picture since that may turn out to be the last one. */
  let settleFrom: number | null = null;
  let settling: Frame | null = null;
  /** The black screen that stands now: since when, and whether it was counted. */
  let black: { slot: Slot<P>; from: number; counted: boolean } | null = null;
  let scratch = diffScratch(1);
  /** Stills of pictures that were handed on just now. */
  const savedLater: Slot<P>[] = [];

  function keepStill(slot: Slot<P> | null): void {
    if (!slot?.frame || savedStills.has(slot.frame.t)) return;
    const held = waiting.find((one) => one.kind === 'picture' && one.slot === slot);
    if (held?.kind === 'picture') {
      held.still = true;
      return;
    }
    const { t, i } = slot.frame;
    savedStills.add(t);
    const pixels = new Uint8Array(slot.image.bytes);
    rawMemory().memcpyOut(pixels, slot.image.pointer, slot.image.bytes);
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
  function push(slot: Slot<P>, frame: Omit<Frame, 'i' | 'pts'>): Frame | null {
    const pts = Math.max(lastPts + 1, Math.round((frame.t - sending.start) / 1000));
    const { pointer: address, bytes } = slot.image;
    if (!enqueueFrame(queue, { kind: 'frame', segment: sending.segment, slot: slot.index, address, bytes, pts })) {
      counts.dropped++;
      return null;
    }
    lastPts = pts;
    const { t, seen, changed } = frame;
    const sent: Frame = { i: frames, pts, t };
    // After a cut: the picture before it is not the one that this one was compared with.
    if (frames > 0 && seen !== undefined) sent.seen = afterCut === null ? seen : Math.min(seen, afterCut);
    if (changed !== undefined && afterCut === null) sent.changed = changed;
    if (sending.segment > 0) sent.seg = sending.segment;
    afterCut = null;
    frames++;
    sentAt = t;
    report({ type: 'frame', frame: sent });
    return sent;
  }

  function sendSegment({ next, start, retires }: Extract<Waiting<P>, { kind: 'segment' }>): void {
    // The old pictures may still wait for the old encoder: they are freed once the queue has passed them.
    if (retires) retired.push({ ring: retires, until: position(queue) });
    sending = { segment: next.segment, start };
    lastPts = -1;
    const { width, height } = next.rect;
    enqueueFrame(queue, { kind: 'segment', segment: next.segment, fd: next.fd, width, height });
  }

  /** The picture never was: not as a still, not as what the next one is compared with. */
  function drop(slot: Slot<P>): void {
    if (settling && settling.t === slot.frame?.t) settling = settleFrom = null;
    slot.frame = null;
    if (ring?.current === slot) ring.current = null;
  }

  /** Hands on what is judged by now. */
  function release(): void {
    let done = 0;
    for (const one of waiting) {
      if (one.kind === 'segment') {
        done++;
        sendSegment(one);
        continue;
      }
      const { slot, frame } = one;
      const cut = judgement.cuts.find(({ from, to }) => frame.t >= from && frame.t < to);
      if (!cut && frame.t > judgement.to) break;
      done++;
      slot.held = false;
      if (one.kind === 'repeat') {
        if (cut) afterCut = Math.min(afterCut ?? cut.from, cut.from);
        else push(slot, frame);
        continue;
      }
      const sent = cut ? null : push(slot, frame);
      if (cut) afterCut = Math.min(afterCut ?? cut.from, cut.from);
      if (!sent) drop(slot);
      else slot.frame = sent;
      if (sent && one.still) savedLater.push(slot);
    }
    waiting = waiting.slice(done);
    for (const slot of savedLater.splice(0)) keepStill(slot);
  }

  /** See `obey`. */
  function forget(from: number): void {
    for (const one of waiting) {
      if (one.kind === 'segment') sendSegment(one);
      else one.slot.held = false;
    }
    waiting = [];
    for (const slot of ring?.slots ?? []) if (slot.frame && slot.frame.t >= from) slot.frame = null;
    // Also a picture from before: the next one is the first of its segment.
    if (ring) ring.current = null;
    for (const t of savedStills) if (t >= from) savedStills.delete(t);
    settling = settleFrom = null;
    afterCut = Math.min(afterCut ?? from, from);
    segmentEmpty = true;
    enqueueFrame(queue, { kind: 'end' });
    // Behind the jobs that were given before, on the same way: it is answered when they are done.
    parts.stillPort.postMessage('flush');
    report({ type: 'forgotten' });
  }

  return {
    counts,
    rect: () => rect,
    isEmpty: () => segmentEmpty,
    hasPicture: () => ring?.current != null,
    newSegment(next) {
      const sized =
        ring !== null && rect !== null && rect.width === next.rect.width && rect.height === next.rect.height;
      const start = clock.now();
      waiting.push({ kind: 'segment', next, start, retires: sized ? null : ring });
      if (!sized) {
        ring = createRing(memory, next.rect.width, next.rect.height);
        scratch = diffScratch(next.rect.width);
      }
      rect = next.rect;
      segment = next.segment;
      segmentEmpty = true;
      release();
      report({ type: 'view', t: start, rect, segment });
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
      // Several black pictures in a row, at a change of the segment, are one stretch.
      const { from = t, counted = false } = before && black?.slot === before ? black : {};
      black = isBlack(slot.image, scratch.bytesA) ? { slot, from, counted } : null;
      // Its place in the video is known when it is handed on.
      const frame: Frame = { i: frames, pts: 0, t, seen, ...(changed !== undefined && { changed }) };
      slot.frame = frame;
      slot.held = true;
      ring.current = slot;
      waiting.push({ kind: 'picture', slot, frame, still: false });
      if (!pictured) report({ type: 'pictured' });
      pictured = true;
      release();
      if (slot.frame === null) {
        // The encoder's queue was full, or it lies in a pause: the next one is compared with the one before.
        ring.current = before?.frame ? before : null;
        return false;
      }
      beats = 0;
      segmentEmpty = false;
      if (!same) settleOn(frame, changed === undefined || changed >= rect.width * rect.height * SETTLE_SHARE);
      return true;
    },
    heartbeat(now, seen) {
      const beat = HEARTBEATS[beats];
      // Waiting pictures are not repeated, and nothing overtakes them.
      if (!ring?.current || beat === undefined || now - sentAt < beat || waiting.length > 0) return null;
      beats = Math.min(beats + 1, HEARTBEATS.length - 1);
      // The slot keeps its own frame: the repeat shows the same picture.
      const frame = { t: clock.now(), seen, changed: 0 };
      ring.current.held = true;
      waiting.push({ kind: 'repeat', slot: ring.current, frame });
      release();
      return frame.t;
    },
    obey(command) {
      if (command.type === 'judge') {
        judgement = command.judgement;
        release();
      }
      if (command.type === 'forget') forget(command.from);
      if (command.type === 'frames') frames = command.next;
      if (command.type === 'still' && ring) keepStill(onScreenAt(ring, command.t));
      if (command.type === 'still-after') {
        settleFrom = Math.max(settleFrom ?? 0, command.t);
        settling = null;
      }
    },
    settle(now) {
      if (settling && now - settling.t >= SETTLE) settled();
      if (!black || black.counted || black.slot !== ring?.current || now - black.from < BLACK) return;
      black.counted = true;
      counts.black++;
    },
    end() {
      settled();
      for (const one of waiting) if (one.kind === 'segment') sendSegment(one);
      waiting = [];
    },
    freeRetired() {
      const first = retired[0];
      if (!first || !hasPassed(queue, first.until)) return;
      retired.shift();
      freeRing(memory, first.ring);
    },
  };
}
