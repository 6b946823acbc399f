/**
 * A video that plays in a window, 1280x720 at 30 pictures a second: moving colours with a little grain, as a decoded video
 * has it. The pictures are made before and lie in the X server, so that playing costs next to nothing, for the cost bench.
 *
 *     node test/support/player.ts SECONDS
 *
 * Prints `{"ready":true}` when it plays.
 */
import { seeded } from './until.ts';
import * as x11 from './x11.ts';

const [WIDTH, HEIGHT] = [1280, 720];
const PICTURES = 30;
const seconds = Number(process.argv[2] ?? 10);
const screen = x11.openScreen();
const { display } = screen;
const window = x11.openWindow(screen, 200, 120, WIDTH, HEIGHT, 0);
const gc = x11.createGc(display, window, 0, null);
const random = seeded(1);
const grain = Int8Array.from({ length: 1 << 16 }, () => Math.floor(random() * 3) - 1);

/** A turn of a sine in 1024 steps, -1 to 1. */
const SINE = Float32Array.from({ length: 1024 }, (_, i) => Math.sin((i * Math.PI) / 512));
const wave = (at: number): number => SINE[Math.floor(at) & 1023] ?? 0;

function picture(number: number): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 4);
  const turn = (number / PICTURES) * 1024;
  let noise = Math.floor(random() * grain.length);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 4) {
      noise = (noise + 1) & 0xffff;
      const light = 120 + 60 * wave(x * 1.3 + turn) + 50 * wave(y * 1.7 + x * 0.4 - turn) + (grain[noise] ?? 0);
      pixels[at] = light;
      pixels[at + 1] = 240 - light * 0.8;
      pixels[at + 2] = 128 + 50 * wave(y + x + turn) + (grain[(noise * 7) & 0xffff] ?? 0);
    }
  }
  return pixels;
}

const pictures = Array.from({ length: PICTURES }, (_, number) => {
  const pixmap = x11.createPixmap(display, window, WIDTH, HEIGHT, 24);
  x11.putPixels(screen, pixmap, gc, picture(number), WIDTH, HEIGHT);
  return pixmap;
});
console.log(JSON.stringify({ ready: true }));
const clock = new Int32Array(new SharedArrayBuffer(4));
const start = performance.now();
for (let shown = 0; performance.now() - start < seconds * 1000; shown++) {
  const due = start + (shown * 1000) / 30;
  const now = performance.now();
  if (due > now) Atomics.wait(clock, 0, 0, due - now);
  x11.copyArea(display, pictures[shown % PICTURES] ?? 0, window, gc, 0, 0, WIDTH, HEIGHT, 0, 0);
  x11.sync(display, 0);
}
