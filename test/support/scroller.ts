/**
 * A screen on which everything moves: full-screen text, scrolled 60 times a second by copying from a tall picture, for the
 * cost bench. Ends after SECONDS, or when it is stopped.
 *
 *     node test/support/scroller.ts SECONDS [PIXELS-A-STEP]
 *
 * Prints `{"ready":true}`, and at the end `{"steps":n,"late":n}`.
 */
import { seeded } from './until.ts';
import * as x11 from './x11.ts';

const TALL = 4000;
const seconds = Number(process.argv[2] ?? 10);
const pixels = Number(process.argv[3] ?? 20);
const screen = x11.openScreen();
const { display, width, height } = screen;
const window = x11.openWindow(screen, 0, 0, width, height, 0xffffff);
const picture = x11.createPixmap(display, window, width, TALL + height, 24);
const gc = x11.createGc(display, picture, 0, null);
const random = seeded(1);
x11.setForeground(display, gc, 0xffffff);
x11.fillRectangle(display, picture, gc, 0, 0, width, TALL + height);
for (let y = 12; y < TALL + height; y += 16) {
  x11.setForeground(display, gc, random() < 0.1 ? 0x2050c0 : 0x202020);
  const words = Array.from({ length: 40 }, () => Math.floor(random() * 1e7).toString(36)).join(' ');
  x11.drawString(display, picture, gc, 10, y, words, words.length);
  x11.drawString(display, picture, gc, 1000, y, words, words.length);
  if (random() < 0.05) {
    x11.setForeground(display, gc, Math.floor(random() * 0xffffff));
    x11.fillRectangle(display, picture, gc, Math.floor(random() * 1800), y, 100, 14);
  }
}
x11.sync(display, 0);
console.log(JSON.stringify({ ready: true }));
const clock = new Int32Array(new SharedArrayBuffer(4));
const start = performance.now();
let late = 0;
let steps = 0;
for (; performance.now() - start < seconds * 1000; steps++) {
  const due = start + (steps * 1000) / 60;
  const now = performance.now();
  if (due > now) Atomics.wait(clock, 0, 0, due - now);
  else if (now - due > 1000 / 60) late++;
  x11.copyArea(display, picture, window, gc, 0, (steps * pixels) % TALL, width, height, 0, 0);
  x11.sync(display, 0);
}
console.log(JSON.stringify({ steps, late }));
