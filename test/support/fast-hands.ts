/**
 * Very fast hands: RATE input events a second through XTEST for SECONDS, each logged with its time, for the tests that
 * kill things and that count. xdotool cannot keep such a rate, nor say when each event was sent.
 *
 *     node test/support/fast-hands.ts LOG RATE SECONDS [SEED]
 *
 * A known mix: pointer moves to places that tell their number, now and then a click, a wheel notch or a key (`a` to `z`).
 * LOG gets `{"ready":true}`, one `Sent` line an event, in order and unbuffered, and `{"done":true,"late":n}`.
 */
import fs from 'node:fs';
import koffi from 'koffi';
import { monotonicUs } from './until.ts';
import * as x11 from './x11.ts';

/** `t`: CLOCK_MONOTONIC µs after the server had taken the event. */
export type Sent = {
  n: number;
  type: 'move' | 'down' | 'up' | 'wheel' | 'keydown' | 'keyup';
  t: number;
  x: number;
  y: number;
};

/** Where the pointer is moved as event `n`: a place that no neighbour shares. */
const placeOf = (n: number): { x: number; y: number } => ({ x: 20 + (n % 997), y: 20 + ((n * 7) % 601) });

if (import.meta.main) {
  const [log, rateText = '1000', secondsText = '60'] = process.argv.slice(2);
  if (!log) throw new Error('which log file?');
  const rate = Number(rateText);
  const total = rate * Number(secondsText);
  const screen = x11.openScreen();
  const xtst = koffi.load('libXtst.so.6');
  const fakeMotion = xtst.func('int XTestFakeMotionEvent(void *d, int screen, int x, int y, unsigned long delay)');
  const fakeButton = xtst.func('int XTestFakeButtonEvent(void *d, unsigned int button, int down, unsigned long delay)');
  const fakeKey = xtst.func('int XTestFakeKeyEvent(void *d, unsigned int code, int down, unsigned long delay)');
  const file = fs.openSync(log, 'a');
  fs.writeSync(file, `${JSON.stringify({ ready: true })}\n`);

  const clock = new Int32Array(new SharedArrayBuffer(4));
  const start = performance.now();
  let at = { x: 0, y: 0 };
  let late = 0;
  const emit = (n: number, type: Sent['type'], request: () => void) => {
    request();
    x11.sync(screen.display, 0);
    fs.writeSync(file, `${JSON.stringify({ n, type, t: monotonicUs(), ...at } satisfies Sent)}\n`);
  };
  for (let n = 0; n < total; ) {
    const due = start + (n * 1000) / rate;
    const now = performance.now();
    if (due > now) Atomics.wait(clock, 0, 0, due - now);
    else if (now - due > 1000) late++;
    const slot = n % 50;
    if (slot === 10 || slot === 30) {
      const code = 24 + (Math.floor(n / 50) % 10);
      emit(n++, 'keydown', () => fakeKey(screen.display, code, 1, 0));
      emit(n++, 'keyup', () => fakeKey(screen.display, code, 0, 0));
    } else if (slot === 20) {
      emit(n++, 'down', () => fakeButton(screen.display, 1, 1, 0));
      emit(n++, 'up', () => fakeButton(screen.display, 1, 0, 0));
    } else if (slot === 40) {
      // One wheel notch is a press and a release of button 5, which is one raw event.
      emit(n++, 'wheel', () => {
        fakeButton(screen.display, 5, 1, 0);
        fakeButton(screen.display, 5, 0, 0);
      });
    } else {
      const place = placeOf(n);
      emit(n++, 'move', () => {
        at = place;
        fakeMotion(screen.display, -1, place.x, place.y, 0);
      });
    }
  }
  fs.writeSync(file, `${JSON.stringify({ done: true, late })}\n`);
}
