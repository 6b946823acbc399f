import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { sessionClock } from '../clock/session-clock.ts';
import { enqueueFrame } from './feed-queue.ts';
import { Film } from './film.ts';
import type { GrabCommand, GrabReport, GrabSetup } from './grab-protocol.ts';
import type { Picture } from './picture.ts';
import type { PictureMemory } from './ring.ts';

/**
 * Looks at the screen at every tick and hands on each picture that differs from the one before, with the time at which
 * the system answered (C3). One endless synchronous loop: `Atomics.wait` keeps ticks within a fraction of a millisecond,
 * which timers of an event loop do not.
 */

/** How one system's screen is read. */
export type ScreenReader<P extends Picture> = {
  memory: PictureMemory<P>;
  /** Reads the rectangle at (x, y), as large as the picture. False when it is not all on the screen. */
  read(into: P, x: number, y: number): boolean;
  /** Tells which rows were painted since it was asked last; null where nothing was. Absent: the system does not say. */
  damage: { look(): { from: number; to: number } | null } | null;
  /** Why there is no `damage`, for the person. */
  poll?: string;
};

/** With Damage: how often the screen is read all the same, to see whether the server may be believed. µs. */
const VERIFY_EVERY = 1_000_000;

/** Runs until the recorder stops it. Only ever called in a worker of the recorder's. */
export function runGrabLoop<P extends Picture>(setup: GrabSetup, reader: ScreenReader<P>): void {
  const port = parentPort as MessagePort; // this only ever runs in a worker
  const clock = sessionClock(setup.startNs, setup.startedAtMs);
  const report = (message: GrabReport) => port.postMessage(message);
  let { damage } = reader;

  const film = new Film({ ...setup, clock, memory: reader.memory, report });
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
    film.obey(command);
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
    if (!reader.read(slot.image, rect.x, rect.y)) {
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
    if (film.add(slot, { asked, t, seen, rows, same })) seen = asked;
    else forced = true;
  }

  let misses = 0;
  function distrustDamage(): void {
    // A move of the captured rectangle changes the picture without a paint; a driver that hides paints does so again.
    if (++misses < 3) return;
    damage = null;
    report({ type: 'mode', mode: 'poll', why: 'The system did not report changes that were on the screen.' });
  }

  function tick(skipped: number): void {
    counts.ticks++;
    const asked = clock.now();
    const rows = damage?.look() ?? null;
    // The last picture may have been forgotten: then another is taken.
    const due = !damage || rows !== null || forced || !film.hasPicture() || asked - verifiedAt >= VERIFY_EVERY;
    if (due) look(forced ? { from: 0, to: Number.MAX_SAFE_INTEGER } : rows, skipped);
    else seen = asked;
    film.heartbeat(asked, seen);
    film.settle(asked);
  }

  if (!damage && reader.poll !== undefined) report({ type: 'mode', mode: 'poll', why: reader.poll });
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
  enqueueFrame(setup.queue, { kind: 'end' });
  report({ type: 'counts', ...counts });
  report({ type: 'stopped' });
}
