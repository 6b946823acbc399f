import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { type ScreenPicture, writeQuery } from '../../schemas/screen-source.ts';
import { startSessionClock } from '../clock/session-clock.ts';
import { decodeFrames } from '../ffmpeg/decode.ts';
import { findFfmpeg } from '../ffmpeg/find.ts';
import { fpsModeArgs } from '../ffmpeg/master.ts';
import { readMkvIndex } from '../mkv/read.ts';
import type { ScreenRecorder } from './contract.ts';
import { createOutsideRecorder } from './outside.ts';

/** Pictures that another process hands over, with a real encoder behind: no display is needed. */

const DISPLAY = { id: 1, name: 'd', x: 100, y: 50, width: 64, height: 48, scale: 1, primary: true };
/** The machine may be busy. */
const SOON = { timeout: 60_000 };
const TOKEN = 'a-token-of-thirty-two-characters';

let folder: string;
let recorder: ScreenRecorder;
let made: {
  frames: Frame[];
  views: Rect[];
  notices: { code: string; message: string; fatal: boolean }[];
  started: Promise<void>;
};
const clock = startSessionClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outside-'));
});
afterEach(() => {
  recorder.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(rect: Rect = DISPLAY, held = false): Promise<void> {
  const frames: Frame[] = [];
  const views: Rect[] = [];
  const notices: (typeof made)['notices'] = [];
  const { x, y, width, height } = rect;
  recorder = createOutsideRecorder(
    {
      folder,
      clock,
      ffmpeg: await findFfmpeg(),
      fps: 30,
      held,
      rect: { x, y, width, height },
      display: DISPLAY,
      onFrame: (frame) => frames.push(frame),
      onView: (_t, view) => views.push(view),
      onNotice: (code, message, fatal) => notices.push({ code, message, fatal }),
    },
    { path: join(folder, 's'), token: TOKEN },
  );
  const started = recorder.start();
  started.catch(() => undefined);
  made = { frames, views, notices, started };
  await expect.poll(() => ask('GET', '/screen/clock').catch(() => 0), SOON).toBe(200);
}

function ask(method: string, path: string, body?: Uint8Array, token = TOKEN): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${token}`, 'content-length': body?.length ?? 0 };
  const asked = request({ socketPath: join(folder, 's'), method, path, headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  asked.once('error', reject);
  asked.end(body);
  return promise;
}
const share = (more: object = {}): Promise<number> =>
  ask('POST', `/screen/begin?${writeQuery({ width: 64, height: 48, cursor: false, format: 'I420', ...more })}`);

/** A whole picture of one colour (0xRRGGBB), but for one other pixel. */
function picture(rgb: number, dot?: { x: number; y: number; rgb: number }): Uint8Array {
  const pixels = new Uint8Array(64 * 48 * 4);
  const set = (at: number, colour: number): void =>
    pixels.set([colour & 255, (colour >> 8) & 255, colour >> 16, 0], at);
  for (let at = 0; at < pixels.length; at += 4) set(at, rgb);
  if (dot) set((dot.y * 64 + dot.x) * 4, dot.rgb);
  return pixels;
}
function hand(pixels: Uint8Array, more: Partial<ScreenPicture> = {}): Promise<number> {
  const query = { t: clock.now(), width: 64, height: 48, left: 0, top: 0, columns: 64, rows: 48, dropped: 0, ...more };
  return ask('POST', `/screen/picture?${writeQuery(query)}`, pixels);
}
async function decoded(rect: Rect): Promise<number[][]> {
  const file = join(folder, 'screen.mkv');
  const ffmpeg = await findFfmpeg();
  const { blocks } = await readMkvIndex(file);
  const { width, height } = rect;
  const found: number[][] = [];
  const source = { file, blocks, width, height, crop: { x: 0, y: 0, width, height } };
  await decodeFrames(
    { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
    source,
    blocks.map(({ pts }) => pts),
    ({ rgb }) => {
      found.push([...rgb]);
    },
  );
  return found;
}
const rgbAt = (rgb: readonly number[] | undefined, x: number, y: number, width: number): number =>
  rgb
    ? ((rgb[(y * width + x) * 3] ?? 0) << 16) |
      ((rgb[(y * width + x) * 3 + 1] ?? 0) << 8) |
      (rgb[(y * width + x) * 3 + 2] ?? 0)
    : -1;
/** So far ahead of the clock no picture that stands is repeated meanwhile, however busy the machine is. µs. */
const AHEAD = 10_000_000;
/** Frames with something new: a busy machine repeats a picture that stands (`changed` 0). */
const news = (): Frame[] => made.frames.filter(({ changed }) => changed !== 0);
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe.skipIf(process.platform !== 'linux')('pictures from outside', () => {
  test('are recorded to the pixel, with the times at which they were taken, parts put together with what stood', async () => {
    await begin();
    expect(await share()).toBe(204);
    await made.started;
    expect(recorder.pictures?.()).toEqual({ cursor: false, lossless: false });
    const t = clock.now() + AHEAD;
    await hand(picture(0x102030), { t });
    // Two pixels of the next picture, of which one differs.
    const next = picture(0x102030, { x: 5, y: 7, rgb: 0xfedcba });
    const two = next.subarray((7 * 64 + 5) * 4, (7 * 64 + 7) * 4);
    await hand(two, { t: t + 40_000, left: 5, top: 7, columns: 2, rows: 1 });
    // Nothing changed: seen again, not recorded.
    await hand(new Uint8Array(0), { t: t + 80_000, rows: 0 });
    await hand(picture(0xff0001), { t: t + 120_000, dropped: 2 });
    await expect.poll(() => made.frames.length, SOON).toBeGreaterThanOrEqual(3);
    await recorder.stop();
    expect(news().slice(0, 3)).toMatchObject([
      { i: 0, t },
      { t: t + 40_000, seen: t, changed: 1 },
      { t: t + 120_000, seen: t + 80_000 },
    ]);
    const [first, second, third] = await decoded(DISPLAY);
    expect([
      rgbAt(first, 5, 7, 64),
      rgbAt(second, 5, 7, 64),
      rgbAt(second, 6, 7, 64),
      rgbAt(third, 63, 47, 64),
    ]).toEqual([0x102030, 0xfedcba, 0x102030, 0xff0001]);
    expect(recorder.counts()).toMatchObject({ dropped: 2, frames: made.frames.length });
    expect(made.notices).toEqual([]);
  });

  test('ended because the display is gone, it keeps what was handed over', async () => {
    await begin();
    await share();
    await made.started;
    const t = clock.now() + AHEAD;
    await hand(picture(0x102030), { t });
    await hand(picture(0xff0001), { t: t + 40_000 });
    await expect.poll(() => made.frames.length, SOON).toBeGreaterThanOrEqual(2);
    recorder.kill(60_000);
    await recorder.stop();
    const kept = await decoded(DISPLAY);
    expect(kept.slice(0, 2).map((rgb) => rgbAt(rgb, 5, 7, 64))).toEqual([0x102030, 0xff0001]);
  });

  test('of a region only its part is recorded, and what changes outside of it is not new', async () => {
    const rect = { x: 110, y: 60, width: 16, height: 16 };
    await begin(rect);
    await share();
    await made.started;
    const t = clock.now() + AHEAD;
    await hand(picture(0x808080, { x: 10, y: 10, rgb: 0x00ff00 }), { t });
    await hand(picture(0x808080, { x: 10, y: 10, rgb: 0x00ff00 }).fill(9, 0, 8), { t: t + 30_000 });
    await hand(picture(0x808080), { t: t + 60_000 });
    await expect.poll(() => news().length, SOON).toBe(2);
    await recorder.stop();
    const [first] = await decoded(rect);
    expect(rgbAt(first, 0, 0, 16)).toBe(0x00ff00);
    expect(news()[1]).toMatchObject({ t: t + 60_000, seen: t + 30_000, changed: 1 });
    expect(made.views).toEqual([rect]);
  });

  test('in a pause nothing is recorded; at its end the screen as it is then, also when nothing changes any more', async () => {
    await begin();
    await share();
    await made.started;
    await hand(picture(0x111111));
    await expect.poll(() => made.frames.length, SOON).toBe(1);
    recorder.pause();
    await wait(60);
    await hand(picture(0x5ec4e7));
    await hand(picture(0x222222));
    await wait(60);
    const { length } = made.frames;
    const resumed = clock.now();
    recorder.resume();
    await expect.poll(() => made.frames.length, SOON).toBeGreaterThan(length);
    await recorder.stop();
    expect(made.frames[length]?.t).toBeGreaterThanOrEqual(resumed);
    const pixels = (await decoded(DISPLAY)).map((rgb) => rgbAt(rgb, 1, 1, 64));
    expect(pixels).not.toContain(0x5ec4e7);
    expect(pixels).toContain(0x222222);
  });

  test('a picture taken before what was recorded already does not turn time back', async () => {
    await begin();
    await share();
    await made.started;
    const t = clock.now();
    await hand(picture(0x111111), { t });
    await hand(picture(0x222222), { t: t - 5000 });
    await expect.poll(() => made.frames.length, SOON).toBeGreaterThanOrEqual(2);
    const [first, second] = made.frames;
    expect(second?.t).toBeGreaterThan(first?.t ?? Number.NaN);
    expect(second?.seen).toBeLessThanOrEqual(second?.t ?? Number.NaN);
    await recorder.stop();
  });

  test('who does not know the secret, or sends what does not fit, is refused and changes nothing', async () => {
    await begin();
    expect(await ask('GET', '/screen/clock', undefined, 'wrong')).toBe(403);
    expect(await share({ width: 'wide' })).toBe(400);
    expect(await share()).toBe(204);
    await made.started;
    expect(await hand(picture(0), { width: 63 })).toBe(400);
    expect(await hand(new Uint8Array(12))).toBe(400);
    expect(await ask('POST', '/screen/picture?t=1')).toBe(400);
    expect(await ask('POST', '/screen/end?why=bored')).toBe(400);
    expect(await ask('POST', '/other')).toBe(404);
    expect(await ask('DELETE', '/screen/picture')).toBe(405);
    expect(made.frames).toEqual([]);
    expect(made.notices).toEqual([]);
  });

  test('a display of another size is refused before anything is recorded, and says why', async () => {
    await begin();
    await share({ width: 128, height: 96 });
    await expect(made.started).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringMatching(/128x96.*64x48.*scale to 100 %/s),
    });
  });

  test('an answer of no is NO_PERMISSION', async () => {
    await begin();
    await ask('POST', '/screen/end?why=refused');
    await expect(made.started).rejects.toMatchObject({ code: 'NO_PERMISSION' });
  });

  test('a system that cannot share says so', async () => {
    await begin();
    await ask('POST', `/screen/end?${writeQuery({ why: 'failed', message: 'no portal' })}`);
    await expect(made.started).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('no portal'),
    });
  });

  test('the end of the sharing ends the recording; so does silence', async () => {
    await begin();
    await share();
    await made.started;
    await hand(picture(0x111111));
    await ask('POST', '/screen/end?why=ended');
    await expect.poll(() => made.notices, SOON).toMatchObject([{ code: 'sharing-ended', fatal: true }]);
    await recorder.stop();
    await begin();
    await share();
    await made.started;
    await expect.poll(() => made.notices, SOON).toMatchObject([{ code: 'capture-failed', fatal: true }]);
  });

  test('where pictures are judged first, what is forgotten is in no video and no still, and the next picture is whole', async () => {
    mkdirSync(join(folder, 'keyframes'));
    await begin(DISPLAY, true);
    await share();
    await made.started;
    const ever = Number.POSITIVE_INFINITY;
    const at = clock.now();
    await hand(picture(0x111111), { t: at });
    await hand(picture(0xff0000), { t: at + 1000 });
    // Asked for while nobody knows yet whether they may be kept.
    recorder.wantStill(at);
    recorder.wantStill(at + 1000);
    await new Promise((done) => setTimeout(done, 300));
    expect(made.frames).toEqual([]);
    recorder.judge({ to: at, cuts: [{ from: at + 1, to: ever }] });
    recorder.pause();
    await hand(picture(0xff0001), { t: at + 2000 });
    await expect.poll(() => made.frames.map(({ t }) => t), SOON).toEqual([at]);
    await hand(picture(0x222222), { t: at + 3000 });
    const to = clock.now();
    recorder.judge({ to, cuts: [{ from: at + 1, to }] });
    recorder.resume();
    recorder.judge({ to: ever, cuts: [{ from: at + 1, to }] });
    await expect.poll(() => news().length, SOON).toBe(2);
    await recorder.stop();
    const [, second] = news();
    expect(second?.i).toBe(1);
    expect(second?.t).toBeGreaterThanOrEqual(to);
    // Compared with a picture that is not there: how much changed is not known, and nobody saw it stand.
    expect(second?.changed).toBeUndefined();
    expect(second?.seen).toBeLessThanOrEqual(at + 1);
    const colours = new Set((await decoded(DISPLAY)).map((rgb) => rgbAt(rgb, 3, 3, 64)));
    expect([...colours]).toEqual([0x111111, 0x222222]);
    expect(readdirSync(join(folder, 'keyframes'))).toEqual([`${at}.png`]);
  });
});
