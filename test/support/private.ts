import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { launchRecord } from './cli.ts';
import type { VirtualDisplay } from './display.ts';
import { must, type Started } from './process.ts';
import { findRecordings, readEvents } from './recordings.ts';
import { until } from './until.ts';

/** The secrets of the tests, how they are shown and typed, and whether they are anywhere in a recording's folder. */

export const MAGENTA = [0xc8, 0x1e, 0xc8];
export const GREEN = [0x1e, 0xc8, 0x50];
const colour = (rgb: readonly number[]) => `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('')}`;

export type Terminal = { id: string; got(): string } & Started;
/** A terminal that covers the screen, in a colour that nothing else has. `got`: what was typed into it. */
export async function openTerminal(
  display: VirtualDisplay,
  title: string,
  className: string,
  rgb: readonly number[],
): Promise<Terminal> {
  const xdotool = (...words: string[]) => must('xdotool', words, { env: display.env });
  const typed = path.join(display.home, `typed-${className}`);
  const args = ['-T', title, '-n', title, '-class', className, '-bg', colour(rgb), '-geometry', '120x34+0+0'];
  const started = await display.launch('xterm', [...args, '-e', 'sh', '-c', `stty raw -echo; cat > ${typed}`]);
  const search = ['search', '--onlyvisible', '--pid', String(started.pid)];
  const id = await until(`the window ${title}`, async () => {
    const found = await xdotool(...search).catch(() => '');
    return found.trim().split('\n')[0] ?? '';
  });
  await until(`${title} to be active`, async () => (await xdotool('getactivewindow').catch(() => '')).trim() === id);
  return { ...started, id, got: () => fs.readFileSync(typed, 'utf8') };
}

/** A recording of this display; `has` waits for a pause or its end. */
export async function recordOn(display: VirtualDisplay, workspace: string, args: string[]) {
  const started = await launchRecord(display, { workspace, args });
  const folder = await until('the folder', () => findRecordings(workspace)[0], { seen: started.stderr });
  const events = () => readEvents(folder, 'torn-end-allowed');
  const has = (kind: 'pause' | 'resume', reason: string, count = 1) =>
    until(`${kind} ${reason}`, () => events().filter((e) => e.type === kind && e.reason === reason).length >= count, {
      seen: () => started.stderr() + JSON.stringify(events().filter((e) => e.type === 'pause' || e.type === 'resume')),
    });
  return {
    folder,
    events,
    has,
    started,
    async stop() {
      started.child.kill('SIGINT');
      expect(await started.exited, started.stderr()).toMatchObject({ status: 0 });
    },
  };
}

/** How many pictures of the whole recording have a pixel of this colour, by ffmpeg's own reading of the masters. */
export async function picturesWith(display: VirtualDisplay, folder: string, wanted: readonly (readonly number[])[]) {
  const { width, height } = display;
  const bytes = width * height * 3;
  const found = { pictures: 0, shown: wanted.map(() => 0) };
  const look = (rgb: Buffer): void => {
    found.pictures++;
    for (const [n, [r, g, b]] of wanted.entries())
      for (let i = 0; i < rgb.length; i += 3)
        if (rgb[i] === r && rgb[i + 1] === g && rgb[i + 2] === b) {
          found.shown[n] = (found.shown[n] ?? 0) + 1;
          break;
        }
  };
  const { path: ffmpeg } = await findFfmpeg();
  for (const name of fs.readdirSync(folder).filter((file) => /^screen(-\d+)?\.mkv$/.test(file))) {
    const args = ['-v', 'error', '-i', path.join(folder, name), '-fps_mode', 'passthrough', '-pix_fmt', 'rgb24'];
    const child = spawn(ffmpeg, [...args, '-f', 'rawvideo', 'pipe:1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    let rest = Buffer.alloc(0);
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, part]);
      for (; rest.length >= bytes; rest = rest.subarray(bytes)) look(rest.subarray(0, bytes));
    }
    await closed;
  }
  for (const name of fs.readdirSync(path.join(folder, 'keyframes')).filter((file) => file.endsWith('.png')))
    look(
      await sharp(path.join(folder, 'keyframes', name))
        .removeAlpha()
        .raw()
        .toBuffer(),
    );
  return found;
}

/** Every file of the folder that has these words in it. */
export function filesWith(folder: string, word: string): string[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => {
    const whole = path.join(folder, file);
    return fs.statSync(whole).isFile() && fs.readFileSync(whole).includes(word);
  });
}

/** Letters and digits that went down. */
export const keysOf = (folder: string, torn?: 'torn-end-allowed') =>
  readEvents(folder, torn).flatMap((e) =>
    e.type === 'keydown' && /^(Key|Digit)/.test(e.code) ? [e.code.replace(/^(Key|Digit)/, '')] : [],
  );
