import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import { startSessionClock } from '../../clock/session-clock.ts';
import { type FfmpegInfo, findFfmpeg } from '../../ffmpeg/find.ts';
import { startXvfb, type TestServer } from '../../linux/xvfb-for-tests.ts';
import { cutMkv } from '../../mkv/cut.ts';
import type { ScreenRecorder } from '../contract.ts';
import { wallPtsClock } from './pts-clock.ts';
import { ffmpegRecorder } from './recorder.ts';

/** x11grab on a real X server: Xvfb with a root window that xsetroot paints. */
let server: TestServer;
let ffmpeg: FfmpegInfo;
let folder: string;

type Notes = {
  recorder: ScreenRecorder;
  frames: Frame[];
  views: { t: number; view: Rect; segment: number }[];
  notices: { code: string; fatal: boolean }[];
  paint(colour: string): { before: number; after: number };
  now(): number;
};

beforeAll(async () => {
  server = await startXvfb('161x123x24');
  ffmpeg = await findFfmpeg();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const RECT = { x: 3, y: 5, width: 101, height: 77 };

function record(options: { fps?: number; rect?: Rect; held?: boolean } = {}): Notes {
  const clock = startSessionClock();
  const [frames, views, notices]: [Frame[], Notes['views'], Notes['notices']] = [[], [], []];
  const recorder = ffmpegRecorder(
    {
      folder,
      clock,
      ffmpeg,
      fps: options.fps ?? 30,
      held: options.held ?? false,
      rect: options.rect ?? RECT,
      display: { id: 1, name: 'display 1', x: 0, y: 0, width: 161, height: 123, scale: 1, primary: true },
      onFrame: (frame) => frames.push(frame),
      onView: (t, view, segment) => views.push({ t, view, segment }),
      onNotice: (code, _message, fatal) => notices.push({ code, fatal }),
    },
    { grabber: () => 'x11grab', source: server.name, ptsClock: () => wallPtsClock(clock) },
  );
  const paint = (colour: string): { before: number; after: number } => {
    const before = clock.now();
    server.run('xsetroot', '-solid', colour);
    return { before, after: clock.now() };
  };
  return { recorder, frames, views, notices, paint, now: clock.now };
}

/** The file's frames: presentation time in ms and the colour of the top left pixel. */
function fileFrames(file: string): { pts: number; colour: string }[] {
  const path = join(folder, file);
  const text = execFileSync('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path],
  ]).toString();
  const pixels = execFileSync(ffmpeg.path, [
    ...[
      '-v',
      'error',
      '-i',
      path,
      '-fps_mode',
      'passthrough',
      '-vf',
      'crop=1:1:0:0,format=rgb24',
      '-f',
      'rawvideo',
      '-',
    ],
  ]);
  return text
    .trim()
    .split('\n')
    .map((line, index) => ({
      pts: Math.round(Number.parseFloat(line) * 1000),
      colour: pixels.subarray(index * 3, index * 3 + 3).toString('hex'),
    }));
}

/** The process that has this argument. */
function processOf(argument: string): number {
  const found = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(argument);
    } catch {
      return false;
    }
  });
  expect(found).toHaveLength(1);
  return Number(found[0]);
}

test('frames lines are the frames of the file: count, pts and order', async () => {
  const { recorder, frames, paint, views, notices } = record();
  paint('black');
  await recorder.start();
  for (const colour of ['#ff0000', '#00ff00', '#0000ff', '#123456']) {
    await wait(150);
    paint(colour);
  }
  await wait(150);
  await recorder.stop();
  const inFile = fileFrames('screen.mkv');
  expect(frames.map(({ pts }) => pts)).toEqual(inFile.map(({ pts }) => pts));
  expect(frames.map(({ i }) => i)).toEqual(frames.map((_, index) => index));
  // Bit-exact colours (V2), each once: still screens make no frames but a heartbeat.
  const colours = inFile.map(({ colour }) => colour).filter((colour, index, all) => colour !== all[index - 1]);
  expect(colours).toEqual(['000000', 'ff0000', '00ff00', '0000ff', '123456']);
  expect(inFile.length).toBeLessThanOrEqual(7);
  expect(views).toEqual([{ t: frames[0]?.t, view: RECT, segment: 0 }]);
  expect(notices).toEqual([]);
  expect(recorder.counts().frames).toBe(frames.length);
  expect(recorder.counts().ticks).toBeGreaterThan(15);
});

test('a change painted at p lies in (seen, t] of the first frame that shows it', async () => {
  const { recorder, frames, paint } = record({ fps: 60 });
  paint('black');
  await recorder.start();
  const paints: { before: number; after: number }[] = [];
  for (let index = 0; index < 8; index++) {
    await wait(80 + index * 7);
    const painted = paint(index % 2 === 0 ? 'white' : 'black');
    paints.push(painted);
    // On a busy machine two paints would be one change.
    await expect.poll(() => frames.some(({ t }) => t > painted.before)).toBe(true);
  }
  await wait(100);
  await recorder.stop();
  const inFile = fileFrames('screen.mkv');
  const changes = frames.filter((_, index) => index > 0 && inFile[index]?.colour !== inFile[index - 1]?.colour);
  expect(changes.length).toBe(paints.length);
  changes.forEach((frame, index) => {
    const { before, after } = paints[index]!;
    // The server painted somewhere between before and after. x11grab stamps a frame just before it reads the screen.
    expect(frame.t).toBeGreaterThan(before - 5000);
    expect(frame.seen).toBeDefined();
    expect(frame.seen!).toBeLessThan(after);
    // It brackets this change alone.
    expect(frame.seen!).toBeGreaterThanOrEqual(changes[index - 1]?.t ?? 0);
  });
});

test('nothing painted during a pause is in any file, and resuming starts a new segment', async () => {
  const { recorder, frames, paint, views, now } = record();
  paint('black');
  await recorder.start();
  await wait(200);
  recorder.pause();
  const paused = now();
  paint('#ff0000');
  await wait(300);
  paint('#00ff00');
  await wait(100);
  const resumed = now();
  recorder.resume();
  // On a busy machine a second ffmpeg takes its time.
  await expect.poll(() => frames.some(({ seg }) => seg === 1), { timeout: 60_000 }).toBe(true);
  await recorder.stop();
  expect(frames.filter(({ t }) => t >= paused && t < resumed)).toEqual([]);
  expect(views.map(({ segment }) => segment)).toEqual([0, 1]);
  const first = fileFrames('screen.mkv');
  const second = fileFrames('screen-1.mkv');
  expect(first.length).toBe(frames.filter(({ seg }) => seg === undefined).length);
  expect(second.length).toBe(frames.filter(({ seg }) => seg === 1).length);
  expect(first.map(({ colour }) => colour)).not.toContain('ff0000');
  expect(second.map(({ colour }) => colour)).not.toContain('ff0000');
  expect(second[0]).toEqual({ pts: 0, colour: '00ff00' });
});

test('where pictures are judged first, none is on the disk before, and what is forgotten never', async () => {
  const { recorder, frames, paint, now } = record({ held: true });
  const grows = async (what: () => boolean): Promise<void> => {
    await expect.poll(what, { timeout: 60_000, interval: 20 }).toBe(true);
  };
  paint('#0000ff');
  await recorder.start();
  await wait(300);
  expect(readdirSync(folder)).toEqual([]);
  expect(frames).toEqual([]);
  const good = now();
  recorder.judge({ to: good, cuts: [] });
  await grows(() => frames.length > 0);
  await grows(() => existsSync(join(folder, 'screen.mkv')));
  // What is painted now is judged later, and badly.
  paint('#ff0000');
  await wait(300);
  const from = good + 1;
  recorder.judge({ to: good, cuts: [{ from, to: Number.POSITIVE_INFINITY }] });
  recorder.pause();
  paint('#00ff00');
  const to = now();
  recorder.judge({ to, cuts: [{ from, to }] });
  recorder.resume();
  await wait(300);
  await expect
    .poll(
      () => {
        recorder.judge({ to: now(), cuts: [{ from, to }] });
        return frames.some(({ seg }) => seg === 1);
      },
      { timeout: 60_000, interval: 30 },
    )
    .toBe(true);
  await wait(300);
  recorder.judge({ to: now(), cuts: [{ from, to }] });
  await recorder.stop();
  expect(frames.filter(({ t }) => t >= from && t < to)).toEqual([]);
  expect(frames.map(({ i }) => i)).toEqual(frames.map((_, i) => i));
  const [first, second] = [fileFrames('screen.mkv'), fileFrames('screen-1.mkv')];
  expect(first.length).toBe(frames.filter(({ seg }) => seg === undefined).length);
  expect(second.length).toBe(frames.filter(({ seg }) => seg === 1).length);
  expect(new Set(first.map(({ colour }) => colour))).toEqual(new Set(['0000ff']));
  expect(new Set(second.map(({ colour }) => colour))).toEqual(new Set(['00ff00']));
});

test('forgets what was taken from a time on, and goes on with the numbers that are left', async () => {
  const { recorder, frames, views, paint, notices, now } = record();
  paint('#0000ff');
  await recorder.start();
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await wait(200);
  const from = now();
  const before = frames.length;
  paint('#ff0000');
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBeGreaterThan(before);
  recorder.pause();
  await recorder.forget(from, async () => {
    // Nothing is written any more, and nothing will be until it goes on.
    expect(fileFrames('screen.mkv').some(({ colour }) => colour === 'ff0000')).toBe(true);
    const left = frames.filter(({ t }) => t < from);
    frames.splice(left.length);
    await cutMkv(join(folder, 'screen.mkv'), { keep: (_, at) => at < left.length });
    return { frames: left.length, segments: 1 };
  });
  paint('#00ff00');
  recorder.resume();
  await expect.poll(() => frames.some(({ seg }) => seg === 1), { timeout: 60_000 }).toBe(true);
  await recorder.stop();
  expect(notices).toEqual([]);
  expect(frames.map(({ i }) => i)).toEqual(frames.map((_, i) => i));
  expect(views.map(({ segment }) => segment)).toEqual([0, 1]);
  const colours = (file: string) => [...new Set(fileFrames(file).map(({ colour }) => colour))];
  expect([colours('screen.mkv'), colours('screen-1.mkv')]).toEqual([['0000ff'], ['00ff00']]);
  expect(recorder.counts().frames).toBe(frames.length);
});

test('what the rewriting throws comes back to who asked for it', async () => {
  const { recorder, frames } = record();
  await recorder.start();
  await expect.poll(() => frames.length, { timeout: 60_000 }).toBeGreaterThan(0);
  recorder.pause();
  await expect(recorder.forget(0, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  await recorder.stop();
});

test('a rectangle that changes its size goes on in a new segment of that size', async () => {
  const { recorder, frames, views } = record();
  await recorder.start();
  await wait(150);
  const moved = { x: 10, y: 10, width: 64, height: 48 };
  recorder.setRect(moved);
  await expect.poll(() => views.length, { timeout: 60_000 }).toBe(2);
  await recorder.stop();
  expect(views.map(({ view, segment }) => [view, segment])).toEqual([
    [RECT, 0],
    [moved, 1],
  ]);
  expect(frames.some(({ seg }) => seg === 1)).toBe(true);
  const size = execFileSync('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', join(folder, 'screen-1.mkv')],
  ]);
  expect(size.toString().trim()).toBe('64,48');
});

test('ffmpeg killed from outside: a notice, a new segment, frame numbers go on, and the first file reads', async () => {
  const { recorder, frames, paint, notices } = record();
  paint('black');
  await recorder.start();
  await wait(200);
  paint('white');
  await wait(300);
  process.kill(processOf(join(folder, 'screen.mkv')), 'SIGKILL');
  await expect.poll(() => frames.some(({ seg }) => seg === 1), { timeout: 60_000 }).toBe(true);
  await recorder.stop();
  expect(notices).toEqual([{ code: 'encoder-restarted', fatal: false }]);
  expect(frames.map(({ i }) => i)).toEqual(frames.map((_, index) => index));
  expect(frames.some(({ seg }) => seg === 1)).toBe(true);
  // What was reported before the kill and older than the last cluster is in the file.
  expect(fileFrames('screen.mkv').length).toBeGreaterThanOrEqual(1);
});

test('a display that cannot be grabbed: start says why, and leaves no file', async () => {
  const clock = startSessionClock();
  const ignore = (): void => {};
  const recorder = ffmpegRecorder(
    {
      folder,
      clock,
      ffmpeg,
      fps: 30,
      rect: RECT,
      display: { id: 1, name: 'display 1', x: 0, y: 0, width: 161, height: 123, scale: 1, primary: true },
      onFrame: ignore,
      onView: ignore,
      onNotice: ignore,
    },
    { grabber: () => 'x11grab', source: ':6399', ptsClock: () => wallPtsClock(clock) },
  );
  const error = await recorder.start().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StudioError);
  expect(String(error)).toMatch(/x11grab.*:6399/);
  expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
});
