import { receiveMessageOnPort } from 'node:worker_threads';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { openBus } from '../bus/gio.ts';
import { DISPLAY_GONE } from '../screen/contract.ts';
import { enqueueFrame } from '../screen/feed-queue.ts';
import { Film } from '../screen/film.ts';
import type { GrabCommand, GrabReport, GrabSetup } from '../screen/grab-protocol.ts';
import { grabThread } from '../screen/grab-thread.ts';
import { OWN_PICTURES } from '../screen/own-picture.ts';
import type { CastFormat } from './cast-params.ts';
import { copyPart, type StandingPicture, standingPicture } from './cast-picture.ts';
import { type CastDisplay, followDisplay } from './followed-display.ts';
import { watchOutputs } from './outputs.ts';
import { type Cast, type CastPicture, openCast } from './pipewire.ts';
import { type SharedScreen, shareScreen } from './portal.ts';
import { keepToken, readToken } from './token.ts';
import { openWayland } from './wire.ts';

/**
 * In the place of linux/grab-worker.ts on Wayland: asks the portal for the screen, and records the pictures that PipeWire
 * brings, each with the compositor's own time. They come only when something changed. One endless synchronous loop, as in
 * grab-loop.ts; here it is PipeWire that it waits in.
 */
export type CastSetup = GrabSetup & {
  /** The display that is to be shared. */
  display: CastDisplay;
  /** Where the portal's token is kept. */
  tokenFile: string;
};

const { setup, port, clock, report } = grabThread<CastSetup>();

const COUNTS_EVERY = 250_000;
/**
 * A change is handed over within this time at most, as a rule; on a busy machine within twice what it took lately. A screen
 * of which nothing came for so long stood still. µs.
 */
const HANDED_OVER = 100_000;
/**
 * The cast of a display that has just changed may bring nothing while the screen stands still: GNOME's first picture of it can get
 * lost in the change. Another one is opened then, without a question, so many times, each after so long, µs.
 */
const SILENT_WITHIN = 5_000_000;
const MOST_SILENT = 3;
/** How long the first picture may take after the screen was shared, µs: on a busy machine without a graphics card, seconds. */
const FIRST_WITHIN = 20_000_000;
const POLL_MS = 20;
/** The compositor's word that a display has changed comes within this time of the end of its cast, µs. */
const CHANGED_WITHIN = 1_000_000;

/** How far behind now the film's clock is: only while it repeats a picture. */
let behind = 0;
const film = new Film({
  ...setup,
  // The current picture is known to be right only up to the time of which everything has been handed over.
  clock: { ...clock, now: () => clock.now() - behind },
  memory: OWN_PICTURES,
  report,
});
const { counts } = film;
const compositor = openWayland();
const outputs = watchOutputs(compositor);
const display = followDisplay(setup.display, () => outputs.displays());

let stopped = false;
/** Nothing more comes: refused, ended or failed, and said. */
let over = false;
let begun = false;
/** The cast of now: closed by the person or because its display has changed; whether it has brought a picture. */
let current = { closed: false, arrived: false, silent: false };
/** How many casts in a row brought no picture, after one that did. */
let silent = 0;
let paused = false;
/** When the display was seen to differ from what the cast began with; null: it does not. */
let changedAt: number | null = null;
/** The picture that stands has not been recorded yet: a new segment, the end of a pause, a full queue. */
let owed = true;
let offScreen = false;
/** The last moment at which the screen is known to have shown the picture that stands. */
let seen = 0;
/** The same, by a picture that came and not by waiting. */
let lastSeen = 0;
let lastT = -1;
/** How long a picture was on its way: the longest of late, µs. */
let delay = 0;
let format: CastFormat | null = null;
let standing: StandingPicture | null = null;

function end(message: GrabReport): void {
  if (!over) report(message);
  over = true;
}
const refuse = (code: 'NO_PERMISSION' | 'CAPTURE_FAILED', message: string): void =>
  end({ type: 'refused', code, message });

/** After the picture that stands, and not before it. */
const moment = (t: number): number => Math.max(t, lastT + 1);

/** Records the picture that stands, as it was at `t`. */
function take(t: number, isNew: boolean, rows: { from: number; to: number } | null = null): void {
  const rect = film.rect();
  if (!rect || !standing || paused || over) return;
  const { x, y } = display.now();
  const at = { x: rect.x - x, y: rect.y - y };
  if (at.x < 0 || at.y < 0 || at.x + rect.width > standing.width || at.y + rect.height > standing.height) {
    counts.dropped++;
    if (!offScreen) report({ type: 'off-screen' });
    [offScreen, owed] = [true, true];
    return;
  }
  offScreen = false;
  const slot = film.slot();
  if (!slot) {
    counts.dropped++;
    owed = true;
    return;
  }
  copyPart(slot.image, standing, at);
  const same = film.isSame(slot);
  if (same && !film.isEmpty()) {
    [owed, seen, lastSeen] = [false, t, t];
    return;
  }
  // The pictures that were owed may differ anywhere.
  const painted = isNew && !owed && rows ? { from: rows.from + y, to: rows.to + y } : null;
  // One that was longer on its way than was thought: then the one before is all that is known.
  if (!film.add(slot, { t, seen: seen < t ? seen : Math.min(lastSeen, t), rows: painted, same })) {
    owed = true;
    return;
  }
  [owed, seen, lastSeen, lastT] = [false, t, t, t];
}

function onPicture(picture: CastPicture, give: () => void): void {
  if (!format || over) {
    give();
    return;
  }
  counts.ticks++;
  // A pause that was asked for meanwhile begins before this picture.
  hear();
  const before = standing;
  standing = standingPicture(picture, format, give);
  before?.release();
  if (!standing) return;
  if (!begun) report({ type: 'begun', cursor: false, lossless: true });
  [begun, current.arrived] = [true, true];
  const now = clock.now();
  // A time from the future, or none at all: then it is known to be there now.
  const t = picture.ns > 0n ? clock.fromNs(picture.ns) : now;
  const known = t <= now && t > now - 5_000_000;
  if (known) delay = Math.max(now - t, Math.round(delay * 0.9));
  take(moment(known ? t : now), true, picture.rows);
}

function onFormat(next: CastFormat): void {
  format = next;
  // Some compositors change the size of a cast that goes on, others end it.
  if (begun) display.look();
  if (current.arrived) {
    display.accept();
    return;
  }
  const { width, height } = display.now();
  if (next.width === width && next.height === height) return;
  keepToken(setup.tokenFile, null);
  const message = `The shared screen is ${next.width}x${next.height} px, but the display to be recorded is ${width}x${height}. Record again and share the display that was chosen here (--display), or choose the one that you shared.`;
  if (begun) end({ type: 'ended', message });
  else refuse('CAPTURE_FAILED', message);
}

function obey(command: GrabCommand): void {
  if (command.type === 'segment' || command.type === 'move') {
    // A display that is at another place, or has another size, in a cast that goes on.
    if (begun && display.look() === 'changed') changedAt ??= clock.now();
    if (command.type === 'segment') film.newSegment(command);
    else film.move(command.rect);
    owed = true;
    take(moment(clock.now()), false);
  }
  if (command.type === 'pause') paused = true;
  if (command.type === 'resume' && paused) {
    paused = false;
    owed = true;
    take(moment(clock.now()), false);
  }
  film.obey(command);
  if (command.type === 'stop') stopped = true;
}

function hear(): void {
  for (let m = receiveMessageOnPort(port); m; m = receiveMessageOnPort(port)) obey(m.message as GrabCommand);
  Atomics.add(setup.control, 1, 1);
}

const bus = openBus();

/** Asks with what is kept of the last time; the desktop asks the person itself where that no longer holds. */
function share(mine: { closed: boolean }): SharedScreen {
  const shared = shareScreen({
    bus,
    token: readToken(setup.tokenFile),
    wait() {
      rest();
      return !stopped;
    },
    onClosed() {
      mine.closed = true;
    },
  });
  keepToken(setup.tokenFile, shared.token);
  const { position } = shared;
  const { scale, ...now } = display.now();
  const [x, y] = [now.x / scale, now.y / scale].map(Math.round);
  if (position && (position.x !== x || position.y !== y)) {
    keepToken(setup.tokenFile, null);
    throw new StudioError(
      'CAPTURE_FAILED',
      `The shared screen lies at ${position.x},${position.y}, the display to be recorded at ${x},${y}. Record again and share the display that was chosen here (--display), or choose the one that you shared.`,
      {},
    );
  }
  return shared;
}

/** Until nobody wants it any more, or the cast is closed. */
function record(cast: Cast): void {
  const interval = 1_000_000 / setup.fps;
  const sharedAt = clock.now();
  let next = sharedAt;
  let countedAt = 0;
  while (!stopped && !current.closed) {
    cast.turn(Math.max(0, next - clock.now()) / 1000);
    hear();
    const now = clock.now();
    if (now < next) continue;
    next = now + interval;
    bus.turn();
    current.closed ||= !bus.isOpen();
    if (current.arrived) silent = 0;
    else if (begun && silent < MOST_SILENT && now - sharedAt > SILENT_WITHIN && mayShareAgain()) {
      silent++;
      current.silent = true;
      return;
    }
    if (!current.arrived && !over && now - sharedAt > FIRST_WITHIN) {
      const message =
        'The screen was shared, but PipeWire brought no picture of it. Is its session manager (wireplumber) running?';
      if (begun) end({ type: 'ended', message });
      else refuse('CAPTURE_FAILED', message);
    }
    // A compositor that ends the cast of a display that changes (GNOME's) would have done so by now.
    if (changedAt !== null && now - changedAt > CHANGED_WITHIN) {
      display.accept();
      changedAt = null;
    }
    // The last picture may have been forgotten.
    if (!film.hasPicture()) owed = true;
    if (owed && standing) take(moment(now), false);
    if (!paused && !over) {
      const since = Math.max(HANDED_OVER, 2 * delay);
      seen = Math.max(seen, now - since);
      // A picture that was taken earlier but comes later must not turn time back, nor one that came and showed the same.
      behind = Math.min(since, Math.max(0, now - Math.max(lastT + 1, seen)));
      lastT = film.heartbeat(now, seen) ?? lastT;
      behind = 0;
    }
    film.settle(now);
    film.freeRetired();
    if (now - countedAt < COUNTS_EVERY) continue;
    countedAt = now;
    report({ type: 'counts', ...counts });
  }
}

/** Waits for the recorder, while nothing is to be recorded. */
function rest(): void {
  Atomics.wait(setup.control, 0, 0, POLL_MS);
  Atomics.store(setup.control, 0, 0);
  hear();
}

function open(): Cast {
  const mine = { closed: false, arrived: false, silent: false };
  current = mine;
  display.accept();
  changedAt = null;
  const shared = share(mine);
  return openCast(shared.fd, shared.node, setup.fps, {
    onFormat,
    onPicture,
    onLost(data) {
      // The picture that stands may be wanted again: what shows it is about to go.
      if (standing?.data === data) standing = standing.keep();
    },
    onPointer({ ns, at }) {
      const { x, y } = display.now();
      if (at) report({ type: 'pointer', t: ns > 0n ? clock.fromNs(ns) : clock.now(), x: x + at.x, y: y + at.y });
    },
    onState(state, message) {
      if (state === 'error' && !begun) refuse('CAPTURE_FAILED', `PipeWire did not bring the screen: ${message}.`);
      else if (state === 'error' || (state === 'unconnected' && mine.arrived)) mine.closed = true;
    },
  });
}

/**
 * After a cast was closed in the middle: true when its display has changed, so that another cast shows it as it is now.
 * A compositor (GNOME's) ends the cast of a display whose size, direction or place changes, without a word of the reason.
 */
function mayGoOn(): boolean {
  if (current.silent) return !over;
  const until = clock.now() + CHANGED_WITHIN;
  let found = display.look();
  while (found === 'same' && clock.now() < until && !stopped) {
    rest();
    found = display.look();
  }
  if (found === 'gone') end({ type: 'ended', code: 'display-gone', message: DISPLAY_GONE });
  return found === 'changed' && mayShareAgain();
}

/** Without a token the person would be asked in the middle of the work. */
const mayShareAgain = (): boolean => bus.isOpen() && readToken(setup.tokenFile) !== null;

try {
  let cast = open();
  record(cast);
  while (!stopped && !over && begun && mayGoOn()) {
    cast.close();
    cast = open();
    record(cast);
  }
  if (!stopped) end({ type: 'ended' });
  while (!stopped) rest();
  film.end();
  over = true;
  (standing as StandingPicture | null)?.release(); // set by callbacks, which the compiler does not see
  standing = null;
  cast.close();
} catch (error) {
  const { code, message } = errorBody(error);
  // Without a compositor the watch of the desktop ends the recording, in words of its own.
  for (let waited = 0; begun && code === 'NO_DISPLAY' && !stopped && waited < 100; waited++) rest();
  // The person who says no to a cast that is to go on has ended it.
  if (begun && code === 'NO_PERMISSION') end({ type: 'ended' });
  else if (begun && !current.arrived && code === 'CAPTURE_FAILED') end({ type: 'ended', message });
  else if (begun) end({ type: 'failed', message });
  else refuse(code === 'NO_PERMISSION' ? code : 'CAPTURE_FAILED', message);
  while (!stopped) rest();
}
bus.close();
compositor.close();
enqueueFrame(setup.queue, { kind: 'end' });
report({ type: 'counts', ...counts });
report({ type: 'stopped' });
port.close();
