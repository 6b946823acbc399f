import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { sessionClock } from '../clock.ts';
import { watchDamage } from './damage.ts';
import { enqueue } from './feed-queue.ts';
import { createFilm } from './film.ts';
import type { GrabCommand, GrabReport, GrabSetup } from './grab-protocol.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { openX, x11 } from './x11.ts';

/**
 * Looks at the screen at every tick and hands on each picture that differs from the one before, with the time at which
 * the X server answered (C3). One endless synchronous loop: `Atomics.wait` keeps ticks within a fraction of a
 * millisecond, which timers of an event loop do not.
 */

const setup = workerData as GrabSetup; // the recorder hands in exactly this
const port = parentPort as MessagePort; // this file only ever runs as a worker
const clock = sessionClock(setup.startNs, setup.startedAtMs);
const report = (message: GrabReport) => port.postMessage(message);

/** With Damage: how often the screen is read all the same, to see whether the server may be believed. µs. */
const VERIFY_EVERY = 1_000_000;

const display = openX();
const root = x11().root(display);
let damage = watchDamage(display, root);

const film = createFilm({
  queue: setup.queue,
  clock,
  memory: {
    make: (width, height) => createShmImage(display, width, height),
    free: (image) => freeShmImage(display, image),
  },
  stills: setup.stills,
  stillPort: setup.stillPort,
  report,
});
const { counts } = film;

let paused = false;
let stopped = false;
let forced = true;
let offScreen = false;
let seen = 0;
let verifiedAt = 0;

function obey(command: GrabCommand): void {
  if (command.type === 'segment') {
    offScreen = false;
    forced = true;
    film.newSegment(command);
  }
  if (command.type === 'move') {
    forced = true;
    film.move(command.rect);
  }
  if (command.type === 'pause') paused = true;
  if (command.type === 'resume') {
    paused = false;
    forced = true;
  }
  if (command.type === 'still') film.still(command.t);
  if (command.type === 'still-after') film.stillAfter(command.t);
  if (command.type === 'stop') stopped = true;
}

/** Reads the screen and hands on what is new. `rows`: what was painted, if the server said; `skipped`: ticks missed. */
function look(rows: { from: number; to: number } | null, skipped: number): void {
  const rect = film.rect();
  if (!rect) return;
  const slot = film.slot();
  if (!slot) {
    counts.dropped++;
    forced = true;
    return;
  }
  const asked = clock.now();
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
  const same = film.isSame(slot);
  if (same && !film.isEmpty()) {
    seen = asked;
    return;
  }
  if (!same && !rows && damage && film.hasPicture()) distrustDamage();
  counts.dropped += skipped;
  if (film.add(slot, { t, seen, rows, same })) seen = asked;
  else forced = true;
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
  film.heartbeat(asked, seen);
  film.settle(asked);
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
    if (film.rect() && !paused && !stopped) tick(skipped);
    film.freeRetired();
    Atomics.add(setup.control, 1, 1);
    if (now - reportedAt > 250_000) {
      reportedAt = now;
      report({ type: 'counts', ...counts });
    }
  }
  film.end();
} catch (error) {
  report({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
enqueue(setup.queue, { kind: 'end' });
report({ type: 'counts', ...counts });
report({ type: 'stopped' });
