/**
 * Prints without end, as fast as its terminal takes it: a screen of text on which nothing stays where it was, for the cost
 * bench. Runs inside of an xterm.
 *
 *     xterm -fn 6x13 -geometry 300x90 -e node test/support/printer.ts
 */
import { writeSync } from 'node:fs';
import { seeded } from './until.ts';

const LINES = 4000;
const WIDEST = 298;
/** The size of a terminal's buffer. */
const PIECE = 4096;

const random = seeded(1);
const lines = Array.from({ length: LINES }, () => {
  const length = 60 + random() * (WIDEST - 60);
  let line = '';
  while (line.length < length) line += `${Math.floor(random() * 1e7).toString(36)} `;
  return random() < 0.1
    ? `\x1b[3${1 + Math.floor(random() * 6)}m${line.slice(0, WIDEST)}\x1b[0m`
    : line.slice(0, WIDEST);
});
const text = Buffer.from(`${lines.join('\r\n')}\r\n`);
for (;;) for (let done = 0; done < text.length; ) done += writeSync(1, text, done, Math.min(PIECE, text.length - done));
