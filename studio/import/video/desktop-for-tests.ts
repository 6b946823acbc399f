import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomFrom } from '../../../core/evaluate/random.ts';

/**
 * A desktop that somebody works on, made up, as a video of another tool (H.264, 4:2:0), with the times of its steps: menus,
 * dialogs, typed words, buttons and scrolling; between them a pointer that moves, highlights under it and a blinking caret.
 */

export const DESKTOP = { width: 640, height: 360 };
const FPS = 10;
/** A step, seconds of the video: what it does to the screen begins at `from` and is there at `to`. */
export type KnownStep = { kind: string; from: number; to: number };

type Rect = [x: number, y: number, width: number, height: number];
const GLYPH = { width: 6, height: 9 };

/** Draws `steps` steps, the same for the same seed. */
export async function desktopVideo(file: string, steps: number, seed: number): Promise<KnownStep[]> {
  const random = randomFrom(seed);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const { width, height } = DESKTOP;
  const screen = Buffer.alloc(width * height, 225);
  const fill = ([x, y, w, h]: Rect, value: number): void => {
    for (let row = y; row < Math.min(height, y + h); row++)
      screen.fill(value, row * width + x, row * width + Math.min(width, x + w));
  };
  /** Strokes of so many letters, no two words alike. */
  const write = (x: number, y: number, letters: number, ink = 30): void => {
    for (let at = 0; at < letters; at++) {
      const left = x + at * GLYPH.width;
      fill([left, y, 2, GLYPH.height], ink);
      fill([left, y + between(0, 3) * 2, GLYPH.width - 2, 2], ink);
    }
  };
  const panel = (rect: Rect, value: number): void => {
    const [x, y, w, h] = rect;
    fill(rect, 90);
    fill([x + 1, y + 1, w - 2, h - 2], value);
  };
  fill([0, 0, width, 22], 200);
  for (let at = 0; at < 6; at++) write(12 + at * 60, 7, 5);
  panel([120, 40, 400, 260], 255);

  const frames: Buffer[] = [];
  const known: KnownStep[] = [];
  const pointer = { x: 300, y: 200 };
  let caret: [number, number] | null = null;
  const now = (): number => frames.length / FPS;
  /** Shows the screen as it is, with pointer and caret on it. */
  const show = (count = 1): void => {
    for (let n = 0; n < count; n++) {
      const picture = Buffer.from(screen);
      const on = (x: number, y: number, value: number): void => {
        if (x < width && y < height) picture[y * width + x] = value;
      };
      if (caret && Math.floor(now() * 2) % 2 === 0) for (let y = 0; y < 10; y++) on(caret[0], caret[1] + y, 0);
      for (let y = 0; y < 9; y++) for (let x = 0; x <= y / 2; x++) on(pointer.x + x, pointer.y + y, 10);
      frames.push(picture);
    }
  };
  const pause = (): void => show(between(7, 20));
  /** The pointer goes somewhere; what it passes may light up. */
  const moveTo = (x: number, y: number): void => {
    const [fromX, fromY] = [pointer.x, pointer.y];
    for (let at = 1; at <= 4; at++) {
      pointer.x = Math.round(fromX + ((x - fromX) * at) / 4);
      pointer.y = Math.round(fromY + ((y - fromY) * at) / 4);
      show();
    }
    show(between(3, 6));
  };
  const step = (kind: string, act: () => void): void => {
    const from = now();
    act();
    show();
    known.push({ kind, from, to: now() });
    pause();
  };
  const saved = (rect: Rect): (() => void) => {
    const before = Buffer.from(screen);
    return () => {
      const [x, y, w, h] = rect;
      for (let row = y; row < Math.min(height, y + h); row++) {
        before.copy(screen, row * width + x, row * width + x, row * width + x + w);
      }
    };
  };

  pause();
  while (known.length < steps) {
    const kind = between(0, 4);
    if (kind === 0) {
      const left = 10 + between(0, 5) * 60;
      const menu: Rect = [left, 22, 110, 120];
      moveTo(left + 20, 10);
      const close = saved(menu);
      step('open a menu', () => {
        panel(menu, 245);
        for (let row = 0; row < 7; row++) write(left + 8, 28 + row * 16, between(4, 12));
      });
      moveTo(left + 30, 60);
      step('choose an item', () => {
        close();
        panel([130 + between(0, 250), 50 + between(0, 180), between(30, 110), between(20, 60)], between(40, 200));
      });
    } else if (kind === 1) {
      const dialog: Rect = [200, 90, 220, 130];
      moveTo(between(140, 480), between(60, 280));
      const close = saved(dialog);
      step('open a dialog', () => {
        panel(dialog, 235);
        write(215, 100, 12);
        panel([215, 125, 180, 20], 255);
      });
      moveTo(230, 135);
      caret = [219, 130];
      show(4);
      step('type', () => {
        const letters = between(6, 16);
        for (let at = 0; at < letters; at++) {
          write(219 + at * GLYPH.width, 131, 1);
          caret = [219 + (at + 1) * GLYPH.width, 130];
          show(between(1, 2));
        }
      });
      moveTo(380, 200);
      step('close the dialog', () => {
        caret = null;
        close();
        fill([130, 280, between(60, 300), 14], between(60, 200));
      });
    } else if (kind === 2) {
      moveTo(between(20, 100), between(60, 300));
      step('press a button', () => {
        const rect: Rect = [130 + between(0, 250), 50 + between(0, 180), between(40, 120), between(20, 70)];
        for (const value of [200, 160, between(20, 140)]) {
          panel(rect, value);
          show();
        }
      });
    } else if (kind === 3) {
      moveTo(between(140, 480), between(60, 280));
      step('scroll', () => {
        for (let row = 0; row < 14; row++) {
          fill([124, 46 + row * 18, 390, 16], 255);
          write(130, 48 + row * 18, between(10, 60));
        }
      });
    } else {
      // Not a step: something lights up under the pointer and goes out again.
      const left = 12 + between(0, 5) * 60;
      const out = saved([left - 2, 4, 40, 15]);
      fill([left - 2, 4, 40, 15], 180);
      moveTo(left + 10, 12);
      out();
      moveTo(between(140, 480), between(60, 280));
    }
  }
  await encode(file, frames);
  return known.slice(0, steps);
}

async function encode(file: string, frames: readonly Buffer[]): Promise<void> {
  const { width, height } = DESKTOP;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-video_size', `${width}x${height}`, '-framerate', `${FPS}`];
  const coding = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '23',
    '-bf',
    '2',
    '-g',
    '60',
    '-pix_fmt',
    'yuv420p',
  ];
  const child = spawn('ffmpeg', ['-v', 'error', '-y', ...input, '-i', 'pipe:0', ...coding, file], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  for (const frame of frames) if (!child.stdin.write(frame)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}

/**
 * How well chosen pictures show what was done: a step is found when one of them shows what came of it, before the next step
 * begins. Times in seconds.
 */
export function foundSteps(steps: readonly { from: number; to: number }[], kept: readonly number[]): number {
  return steps.filter(({ from }, at) => {
    const until = steps[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    return kept.some((time) => time > from - 1e-6 && time < until - 1e-6);
  }).length;
}
