import type { Rect } from '../../schemas/events.ts';
import { isExactFormat, type ScreenBegin, type ScreenPicture } from '../../schemas/screen-source.ts';
import type { OutsidePictures } from './contract.ts';
import { enqueueFrame } from './feed-queue.ts';
import { Film } from './film.ts';
import type { GrabCommand, GrabSetup } from './grab-protocol.ts';
import { grabThread } from './grab-thread.ts';
import { listenForPictures } from './outside-listen.ts';
import { copyInto, OWN_PICTURES } from './own-picture.ts';

/**
 * In the place of grab-worker.ts where this process may not see the screen (Wayland): pictures of a whole display are
 * handed to it, with the times at which they were taken, and it records the rectangle that is wanted of them.
 */
export type OutsideSetup = GrabSetup & {
  outside: OutsidePictures;
  /** The display whose pictures come, px of the virtual desktop. */
  display: Rect;
};

const { setup, port, clock, report } = grabThread<OutsideSetup>();

/** Nobody has said anything for this long: the pictures have stopped. µs. */
const SILENT = 5_000_000;
const COUNTS_EVERY = 250_000;

const film = new Film({
  ...setup,
  clock,
  memory: OWN_PICTURES,
  report,
});
const { counts } = film;

/** The display's last picture, whole; null until one came. */
let whole: { width: number; height: number; pixels: Uint8Array } | null = null;
let begun = false;
let over = false;
let paused = false;
/** The picture that stands has not been recorded yet: a new segment, the end of a pause, a full queue. */
let owed = true;
let offScreen = false;
/** The last moment at which the screen is known to have shown the picture that stands. */
let seen = 0;
let lastT = -1;
let heardAt = 0;
let countedAt = 0;

function fail(message: string): void {
  if (over) return;
  over = true;
  report({ type: 'failed', message });
}

function begin({ width, height, cursor, format }: ScreenBegin): void {
  if (begun || over) return;
  const { display } = setup;
  if (width !== display.width || height !== display.height) {
    over = true;
    const message =
      `The shared pictures are ${width}x${height} px, but the display to be recorded is ${display.width}x${display.height}. ` +
      'Share the display that was chosen here. If it was that one, it is scaled: set its scale to 100 % in the ' +
      "system's settings, since positions of clicks would not fit the pictures.";
    report({ type: 'refused', code: 'CAPTURE_FAILED', message });
    return;
  }
  begun = true;
  report({ type: 'begun', cursor, lossless: isExactFormat(format) });
}

function picture(next: ScreenPicture, pixels: Uint8Array): void {
  if (!begun || over) return;
  counts.ticks++;
  counts.dropped += next.dropped;
  const { t, width, height, left, top, columns, rows } = next;
  if (!whole || whole.width !== width || whole.height !== height) {
    // Parts of a picture that is not here cannot be put together.
    if (rows !== height || columns !== width) {
      fail('The pictures of the screen came without their beginning.');
      return;
    }
    whole = { width, height, pixels: new Uint8Array(width * height * 4) };
  }
  for (let row = 0; row < rows; row++) {
    const line = pixels.subarray(row * columns * 4, (row + 1) * columns * 4);
    whole.pixels.set(line, ((top + row) * width + left) * 4);
  }
  // Taken before what is recorded already (the end of a pause is recorded at once): it cannot come before it.
  const at = Math.max(t, lastT + 1);
  const { y } = setup.display;
  take(at, rows === 0 ? null : { from: y + top, to: y + top + rows });
}

/** Records the picture that stands, as it was at `t`. `rows`: what changed since the one before, px of the desktop. */
function take(t: number, rows: { from: number; to: number } | null): void {
  const rect = film.rect();
  if (!rect || !whole || paused || over) return;
  const at = { x: rect.x - setup.display.x, y: rect.y - setup.display.y };
  if (at.x < 0 || at.y < 0 || at.x + rect.width > whole.width || at.y + rect.height > whole.height) {
    counts.dropped++;
    if (!offScreen) report({ type: 'off-screen' });
    offScreen = true;
    owed = true;
    return;
  }
  offScreen = false;
  if (rows === null && !owed) {
    seen = t;
    return;
  }
  const slot = film.slot();
  if (!slot) {
    counts.dropped++;
    owed = true;
    return;
  }
  copyInto(slot.image, whole.pixels, whole.width, at);
  const same = film.isSame(slot);
  if (same && !film.isEmpty()) {
    [owed, seen] = [false, t];
    return;
  }
  // The pictures that were owed may differ anywhere.
  if (!film.add(slot, { t, seen: Math.min(seen, t), rows: owed ? null : rows, same })) {
    owed = true;
    return;
  }
  [owed, seen, lastT] = [false, t, t];
}

function obey(command: GrabCommand): void {
  if (command.type === 'segment') {
    film.newSegment(command);
    owed = true;
    take(Math.max(clock.now(), lastT + 1), null);
  }
  if (command.type === 'move') {
    film.move(command.rect);
    owed = true;
    take(Math.max(clock.now(), lastT + 1), null);
  }
  if (command.type === 'pause') paused = true;
  if (command.type === 'resume' && paused) {
    paused = false;
    owed = true;
    take(Math.max(clock.now(), lastT + 1), null);
  }
  film.obey(command);
  if (command.type === 'stop') stop();
}

function tick(): void {
  const now = clock.now();
  Atomics.add(setup.control, 1, 1);
  if (begun && !over && now - heardAt > SILENT)
    fail('No picture of the screen has come for five seconds: the desktop app has stopped sharing it.');
  // The last picture may have been forgotten.
  if (!film.hasPicture()) owed = true;
  if (owed) take(Math.max(now, lastT + 1), null);
  // A picture that was taken earlier but comes later must not turn time back.
  if (!paused && !over) lastT = film.heartbeat(now, seen) ?? lastT;
  film.settle(now);
  film.freeRetired();
  if (now - countedAt < COUNTS_EVERY) return;
  countedAt = now;
  report({ type: 'counts', ...counts });
}

let listening: { close(): void } | null = null;
const timer = setInterval(tick, 1000 / setup.fps);
port.on('message', obey);

function stop(): void {
  over = true;
  clearInterval(timer);
  listening?.close();
  film.end();
  enqueueFrame(setup.queue, { kind: 'end' });
  report({ type: 'counts', ...counts });
  report({ type: 'stopped' });
  port.close();
}

listenForPictures(setup.outside, {
  now: () => ({ t: clock.now(), fps: setup.fps, zeroUs: Number(setup.startNs / 1000n) }),
  onSign() {
    heardAt = clock.now();
  },
  onBegin: begin,
  onPicture: picture,
  onEnd({ why, message }) {
    if (over) return;
    if (!begun) {
      over = true;
      const refused = 'The screen was not shared: the system’s question was answered with no, or closed.';
      const words =
        why === 'refused' ? refused : `The screen cannot be shared here: ${message || 'the system gave no reason'}.`;
      report({ type: 'refused', code: why === 'refused' ? 'NO_PERMISSION' : 'CAPTURE_FAILED', message: words });
    } else if (why === 'failed') fail(`The sharing of the screen broke off: ${message}`);
    else {
      over = true;
      report({ type: 'ended' });
    }
  },
}).then(
  (open) => {
    if (over) open.close();
    listening = open;
  },
  (error: Error) => {
    over = true;
    const message = `Pictures of the screen cannot be taken at ${setup.outside.path}: ${error.message}`;
    report({ type: 'refused', code: 'CAPTURE_FAILED', message });
  },
);
