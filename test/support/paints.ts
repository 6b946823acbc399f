import fs from 'node:fs';
import path from 'node:path';
import type { VirtualDisplay } from './display.ts';
import type { Started } from './process.ts';
import { until } from './until.ts';

/** The log of the truth painter, and the arithmetic that judges a recording by it (capture.md, “sync error, defined”). */

export type Paint = {
  /** From 0. */
  n: number;
  /** 0xRRGGBB of the whole window from now on. */
  colour: number;
  /** CLOCK_MONOTONIC µs before the request was sent and after the server had done it. The paint is between the two. */
  before: number;
  after: number;
  /** The server's time of the press, ms. */
  pressMs: number;
};

/** The colour of paint `n`: 256 different ones, each far from the one before. */
export function colourOf(n: number): number {
  const red = (n * 97 + 60) & 0xff;
  const blue = n % 2 ? 0xf0 : 0x10;
  return (red << 16) | ((255 - red) << 8) | blue;
}

/** A button was let go: the server's time of it, ms, and CLOCK_MONOTONIC µs when the painter was told. */
export type Release = { releaseMs: number; heard: number };

export type Painter = {
  started: Started;
  paints(): Paint[];
  releases(): Release[];
  region: { x: number; y: number; width: number; height: number };
};

/** Opens the painter's window on a display and waits until it is there. */
export async function openPainter(
  display: VirtualDisplay,
  x = 100,
  y = 100,
  width = 240,
  height = 200,
): Promise<Painter> {
  const log = path.join(display.home, `paints-${x}-${y}-${performance.now().toFixed(0)}.jsonl`);
  const program = path.join(import.meta.dirname, 'truth-painter.ts');
  const started = await display.launch(process.execPath, [program, log, ...[x, y, width, height].map(String)]);
  const lines = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').slice(0, -1) : []);
  await until('the truth painter', () => lines().length > 0, { seen: started.stderr });
  const told = () =>
    lines()
      .slice(1)
      .map((line) => JSON.parse(line) as Paint | Release);
  const paints = () => told().filter((one) => 'n' in one);
  const releases = () => told().filter((one) => 'heard' in one);
  return { started, paints, releases, region: { x, y, width, height } };
}

/**
 * How long a button was held, ms, at least and at most. The server stamps press and release as it takes them; a listener's
 * own stamp of either is made then or later, but before the painter is told. X11's times are CLOCK_MONOTONIC in ms.
 */
export function heldMs(press: Paint, release: Release): { least: number; most: number } {
  const ms = (us: number): number => Math.floor(us / 1000) % 2 ** 32;
  return { least: release.releaseMs - ms(press.before), most: ms(release.heard) - press.pressMs };
}

/**
 * Signed sync error of one paint, µs. The change was made somewhere in [before, after]; the frames say that it was not on
 * the screen at `seen` and was at `t`. 0 when some moment of [before, after] lies in (seen, t]; negative when the first
 * frame with it claims a time before the paint; positive when the screen was “seen without it” after the paint.
 */
export function syncError(paint: Pick<Paint, 'before' | 'after'>, seen: number | null, t: number): number {
  if (t < paint.before) return t - paint.before;
  if (seen !== null && seen >= paint.after) return seen - paint.after;
  return 0;
}
