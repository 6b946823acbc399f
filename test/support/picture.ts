/**
 * Shows a known picture full screen, for the bit-exact test: coloured noise, gradients and text, the same for the same seed.
 *
 *     node test/support/picture.ts RAW-FILE [SEED]
 *
 * Writes the picture to RAW-FILE (R, G, B, row by row, no header), shows it, and prints `{"ready":true,"width","height"}`.
 */
import fs from 'node:fs';
import sharp from 'sharp';
import * as x11 from './x11.ts';

const [file, seed = '1'] = process.argv.slice(2);
if (!file) throw new Error('which file for the raw picture?');
const screen = x11.openScreen();
const { display, width, height } = screen;

/** Text and gradients over nothing, as a browser would draw them: soft edges, many colours. */
const words = 'The quick brown fox jumps over the lazy dog 0123456789 äöüß éèç ЖЩЯ';
const lines = Array.from({ length: Math.floor(height / 22) }, (_, i) => {
  const colour = `hsl(${(i * 47) % 360} 80% ${20 + ((i * 13) % 60)}%)`;
  return `<text x="${8 + (i % 7) * 31.3}" y="${18 + i * 22}" font-size="${11 + (i % 9)}" fill="${colour}">${words} ${i}</text>`;
});
const gradient =
  '<linearGradient id="g"><stop offset="0" stop-color="#f0f"/><stop offset="1" stop-color="#0fa"/></linearGradient>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${gradient}</defs>
<rect width="100%" height="100%" fill="#fff"/><rect y="40%" width="100%" height="20%" fill="url(#g)"/>${lines.join('')}</svg>`;
const drawn = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();

/** Noise in the right third: every pixel its own 24 bits (xorshift32), the hardest thing to keep exactly. */
let state = Number(seed) >>> 0 || 1;
const bgrx = Buffer.alloc(width * height * 4);
for (let i = 0, from = 0, to = 0; i < width * height; i++, from += 3, to += 4) {
  if (i % width >= (width * 2) / 3) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    drawn.writeUIntBE(state & 0xffffff, from, 3);
  }
  bgrx[to] = drawn[from + 2] as number;
  bgrx[to + 1] = drawn[from + 1] as number;
  bgrx[to + 2] = drawn[from] as number;
}
fs.writeFileSync(file, drawn);

const window = x11.openWindow(screen, 0, 0, width, height, 0);
const pixmap = x11.createPixmap(display, window, width, height, 24);
const gc = x11.createGc(display, pixmap, 0, null);
x11.putPixels(screen, pixmap, gc, bgrx, width, height);
// It is the window's background, so the server itself repaints it.
x11.setBackgroundPixmap(display, window, pixmap);
x11.clearWindow(display, window);
x11.sync(display, 0);
fs.writeSync(1, `${JSON.stringify({ ready: true, width, height })}\n`);
for (;;) x11.waitEvent(screen);
