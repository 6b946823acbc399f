import { join } from 'node:path';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { sessionClock } from '../clock.ts';
import { watchDamage } from './damage.ts';
import { enqueue, type FeedQueue, hasPassed, position } from './feed-queue.ts';
import { createRing, freeRing, freeSlot, onScreenAt, type Ring, type Slot } from './ring.ts';
import { countChanged, diffScratch, grabInto, isBlack, samePicture } from './shm.ts';
import type { StillJob } from './still-worker.ts';
import { libc, openX, x11 } from './x11.ts';

/**
 * Looks at the screen at every tick and hands on each picture that differs from the one before, with the time at which
 * the X server answered (C3). One endless synchronous loop: `Atomics.wait` keeps ticks within a fraction of a
 * millisecond, which timers of an event loop do not.
 */
export type GrabSetup = {
  queue: FeedQueue;
  /** [0] woken by messages, [1] ticks so far (a heartbeat for the main thread). */
  control: Int32Array<SharedArrayBuffer>;
  startNs: bigint;
  startedAtMs: number;
  fps: number;
  /** The folder for stills, and where they are encoded (still-worker.ts). */
  stills: string;
  stillPort: MessagePort;
};
export type GrabCommand =
  /** Frames go to this segment from now on; `fd` is the encoder's pipe. */
  | { type: 'segment'; segment: number; fd: number; rect: Rect }
  | { type: 'move'; rect: Rect }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'still'; t: number }
  | { type: 'still-after'; t: number }
  | { type: 'stop' };
export type GrabReport =
  | { type: 'frame'; frame: Frame }
  | { type: 'view'; t: number; rect: Rect; segment: number }
  | { type: 'counts'; dropped: number; late: number; black: number; ticks: number }
  | { type: 'mode'; mode: 'damage' | 'poll'; why: string }
  /** The rectangle is no longer all on the screen. */
  | { type: 'off-screen' }
  | { type: 'failed'; message: string }
  | { type: 'stopped' };

const setup = workerData as GrabSetup; // the recorder hands in exactly this
const port = parentPort as MessagePort; // this file only ever runs as a worker
const clock = sessionClock(setup.startNs, setup.startedAtMs);
const report = (message: GrabReport) => port.postMessage(message);

/** With Damage: how often the screen is read all the same, to see whether the server may be believed. µs. */
const VERIFY_EVERY = 1_000_000;
/** A picture that stood this long is sent once more, so that a crash cannot take it with the container's open cluster. */
const HEARTBEATS = [250_000, 10_000_000];
/** K2: the screen is still when nothing above a thousandth of its pixels changed for 300 ms. */
const SETTLE = 300_000;
const SETTLE_SHARE = 0.001;

const display = openX();
const root = x11().root(display);
let damage = watchDamage(display, root);

let ring: Ring | null = null;
let rect: Rect | null = null;
let segment = -1;
let segmentStart = 0;
let lastPts = -1;
let frames = 0;
let paused = false;
let stopped = false;
let forced = true;
let segmentEmpty = true;
let offScreen = false;
let seen = 0;
let verifiedAt = 0;
let sentAt = 0;
let heartbeat = 0;
/** K2, as it happens: what the person did last, and the first picture since that may turn out to be the last one. */
let settleFrom: number | null = null;
let settling: Frame | null = null;
let scratch = diffScratch(1);
const counts = { dropped: 0, late: 0, black: 0, ticks: 0 };
const savedStills = new Set<number>();

function newSegment(next: { segment: number; fd: number; rect: Rect }): void {
  const sized = ring !== null && rect !== null && rect.width === next.rect.width && rect.height === next.rect.height;
  // The old pictures may still wait for the old encoder: they are freed once the queue has passed them.
  if (!sized) {
    if (ring) retire(ring);
    ring = createRing(display, next.rect.width, next.rect.height);
    scratch = diffScratch(next.rect.width);
  }
  rect = next.rect;
  segment = next.segment;
  segmentStart = clock.now();
  lastPts = -1;
  offScreen = false;
  forced = true;
  segmentEmpty = true;
  enqueue(setup.queue, { kind: 'segment', segment, fd: next.fd, width: rect.width, height: rect.height });
  report({ type: 'view', t: segmentStart, rect, segment });
}

const retired: { ring: Ring; until: number }[] = [];
function retire(old: Ring): void {
  retired.push({ ring: old, until: position(setup.queue) });
}
function freeRetired(): void {
  const first = retired[0];
  if (!first || !hasPassed(setup.queue, first.until)) return;
  retired.shift();
  freeRing(display, first.ring);
}

function obey(command: GrabCommand): void {
  if (command.type === 'segment') newSegment(command);
  if (command.type === 'move') {
    rect = command.rect;
    forced = true;
    report({ type: 'view', t: clock.now(), rect, segment });
  }
  if (command.type === 'pause') paused = true;
  if (command.type === 'resume') {
    paused = false;
    forced = true;
  }
  if (command.type === 'still' && ring) keepStill(onScreenAt(ring, command.t));
  if (command.type === 'still-after') {
    settleFrom = Math.max(settleFrom ?? 0, command.t);
    settling = null;
  }
  if (command.type === 'stop') stopped = true;
}

function keepStill(slot: Slot | null): void {
  if (!slot?.frame || savedStills.has(slot.frame.t)) return;
  const { t, i } = slot.frame;
  savedStills.add(t);
  const pixels = new Uint8Array(slot.image.bytes);
  libc().memcpyOut(pixels, slot.image.pointer, slot.image.bytes);
  const { width, height } = slot.image;
  const job: StillJob = { pixels, width, height, file: join(setup.stills, `${t}.png`), t, frame: i };
  setup.stillPort.postMessage(job, [pixels.buffer]);
}

/** A new picture: does it make the one that was waited with the wrong one? */
function settleOn(frame: Frame, big: boolean): void {
  if (settleFrom === null || frame.t < settleFrom) return;
  if (!settling) settling = frame;
  else if (frame.t - settling.t >= SETTLE) settled();
  else if (big) settling = frame;
}

function settle(now: number): void {
  if (settling && now - settling.t >= SETTLE) settled();
}

function settled(): void {
  if (settling && ring) keepStill(onScreenAt(ring, settling.t));
  settling = null;
  settleFrom = null;
}

/** Hands a picture to the encoder; null when its queue is full. */
function push(slot: Slot, t: number, changed: number | undefined): Frame | null {
  const pts = Math.max(lastPts + 1, Math.round((t - segmentStart) / 1000));
  const entry = {
    kind: 'frame',
    segment,
    slot: slot.index,
    address: slot.image.pointer,
    bytes: slot.image.bytes,
    pts,
  } as const;
  if (!enqueue(setup.queue, entry)) {
    counts.dropped++;
    forced = true;
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

/** Reads the screen and hands on what is new. `rows`: what was painted, if the server said; `skipped`: ticks missed. */
function look(rows: { from: number; to: number } | null, skipped: number): void {
  if (!ring || !rect) return;
  const slot = freeSlot(ring, setup.queue);
  if (!slot) {
    counts.dropped++;
    forced = true;
    return;
  }
  const asked = clock.now();
  slot.frame = null;
  if (!grabInto(display, root, slot.image, rect.x, rect.y)) {
    counts.dropped++;
    forced = true;
    if (!offScreen) report({ type: 'off-screen' });
    offScreen = true;
    return;
  }
  // The server's answer: every change before it is in the picture's interval (sync error 0 by construction).
  const t = clock.now();
  forced = false;
  verifiedAt = t;
  const before = ring.current;
  const same = before !== null && samePicture(slot.image, before.image);
  if (same && !segmentEmpty) {
    seen = asked;
    return;
  }
  if (!same && !rows && damage && before) distrustDamage();
  let changed: number | undefined;
  if (before) {
    const part = rows ? { from: rows.from - rect.y, to: rows.to - rect.y } : { from: 0, to: rect.height };
    // 0 is kept for pictures that are the same: sampled rows may miss a small change.
    changed = same ? 0 : Math.max(1, countChanged(slot.image, before.image, part, scratch));
  }
  if (isBlack(slot.image, scratch.bytesA)) counts.black++;
  counts.dropped += skipped;
  const frame = push(slot, t, changed);
  if (!frame) return;
  slot.frame = frame;
  ring.current = slot;
  heartbeat = 0;
  segmentEmpty = false;
  seen = asked;
  if (!same) settleOn(frame, changed === undefined || changed >= rect.width * rect.height * SETTLE_SHARE);
}

let misses = 0;
function distrustDamage(): void {
  // A move of the captured rectangle changes the picture without a paint; a driver that hides paints does so again.
  if (++misses < 3) return;
  damage = null;
  report({ type: 'mode', mode: 'poll', why: 'The X server did not report changes that were on the screen.' });
}

function tick(skipped: number): void {
  counts.ticks++;
  const asked = clock.now();
  const rows = damage?.look() ?? null;
  const due = !damage || rows !== null || forced || asked - verifiedAt >= VERIFY_EVERY;
  if (due) look(forced ? { from: 0, to: Number.MAX_SAFE_INTEGER } : rows, skipped);
  else seen = asked;
  const beat = HEARTBEATS[heartbeat];
  if (ring?.current && beat !== undefined && asked - sentAt >= beat) {
    heartbeat = Math.min(heartbeat + 1, HEARTBEATS.length - 1);
    // The slot keeps its own frame: the repeat shows the same picture.
    push(ring.current, clock.now(), 0);
  }
  settle(asked);
}

if (!damage) report({ type: 'mode', mode: 'poll', why: 'The X server has no Damage extension.' });
const interval = 1_000_000 / setup.fps;
let next = clock.now();
let reportedAt = 0;
try {
  while (!stopped) {
    const wait = next - clock.now();
    if (wait > 0) {
      Atomics.wait(setup.control, 0, 0, wait / 1000);
      Atomics.store(setup.control, 0, 0);
    }
    for (let m = receiveMessageOnPort(port); m; m = receiveMessageOnPort(port)) obey(m.message as GrabCommand);
    const now = clock.now();
    if (now < next) continue;
    const skipped = Math.floor((now - next) / interval);
    next += (skipped + 1) * interval;
    if (skipped > 0 || now - (next - interval) > interval / 2) counts.late++;
    if (ring && !paused && !stopped) tick(skipped);
    freeRetired();
    Atomics.add(setup.control, 1, 1);
    if (now - reportedAt > 250_000) {
      reportedAt = now;
      report({ type: 'counts', ...counts });
    }
  }
  settled();
} catch (error) {
  report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
enqueue(setup.queue, { kind: 'end' });
report({ type: 'counts', ...counts });
report({ type: 'stopped' });
