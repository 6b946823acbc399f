import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, startRecorder } from '../support/cli.ts';
import { colourOf, openPainter } from '../support/paints.ts';
import { must, run } from '../support/process.ts';
import { decode, problemsOf, readEvents, readFrames, readRecording, sessionUs } from '../support/recordings.ts';
import { soon } from '../support/studio-expect.ts';
import { judge, summarize } from '../support/sync-truth.ts';
import { seeded, sleep, until } from '../support/until.ts';
import { type Made, recorderIs, recorderState, startRecording, stopRecording, withTask } from './asks.ts';
import { desktopFixture } from './fixture.ts';
import type { DoubleDriver } from './with-double.ts';

/**
 * Recording in a Wayland session: pictures that a page of Chromium gets by getDisplayMedia, handed to the capture process.
 * The page is real, and so is what it captures (a virtual display); the portal is Chromium's own choice of the whole screen.
 * Compared with the X11 grabber's recording of the same display in the same run.
 */
const PAINTER = { x: 900, y: 80, width: 240, height: 200 };
const PAINTS = 40;
/** Colours come halved in resolution and rounded; the painter's lie far apart. */
const ROUNDED = 24;

const desktop = desktopFixture('on the display');
let other: ReturnType<typeof newWorkspace>;
beforeAll(() => {
  other = newWorkspace();
});
afterAll(() => other?.remove());

const start = (): Promise<DoubleDriver> =>
  desktop.start({
    env: { ...desktop.display.env, WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' },
    wayland: true,
  });
const record = (driver: DoubleDriver, made: Made, partialInput: boolean): Promise<void> =>
  startRecording(driver, made, { fps: 30, partialInput });

/** Chromium's own windows out of the picture. */
async function clearDisplay(): Promise<void> {
  const { env } = desktop.display;
  // A search ends with an error where any window goes away while it looks, and a menu's may be gone when it is moved.
  const found = await until('the windows of Chromium', () =>
    must('xdotool', ['search', '--onlyvisible', '--class', 'chromium'], { env }).catch(() => ''),
  );
  for (const id of found.trim().split('\n')) await run('xdotool', ['windowmove', id, '0', '700'], { env });
}

describe('in a Wayland session', { timeout: 300_000 }, () => {
  it('records what the system shares, beside the X11 grabber: same pictures, times and actions, and says what is weaker', async () => {
    const driver = await start();
    const made = await withTask(driver, 'Paint');
    const painter = await openPainter(desktop.display, PAINTER.x, PAINTER.y, PAINTER.width, PAINTER.height);
    await expect(record(driver, made, false)).rejects.toThrow('heard only in programs that run under X11');
    await record(driver, made, true);
    expect((await recorderState(driver))?.shared).toBe(true);
    await recorderIs(driver, 'recording');
    const hidden = driver.double.windows.find((one) => one.url.endsWith('/desktop/screen'));
    expect(hidden).toMatchObject({ visible: false, destroyed: false });
    expect(hidden?.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
    });
    await clearDisplay();
    const grabber = await startRecorder(desktop.display, {
      workspace: other.path,
      args: ['--fps', '30', '--no-sync-check'],
    });
    const id = (await recorderState(driver))?.recording ?? '';
    const folder = path.join(made.dir, 'recordings', id);
    const xdotool = (words: string) => must('xdotool', words.split(' '), { env: desktop.display.env });
    const random = seeded(5);
    await xdotool('mousemove 1000 150');
    for (let n = 0; n < PAINTS; n++) {
      await xdotool('click 1');
      await until('the paint', () => painter.paints().length > n);
      // The next one at a moment that has nothing to do with a clock of frames, and rather not before this one is shared: a
      // browser that has much to do leaves out what was painted over meanwhile. It may also keep a picture back until the
      // next one, so that it is not waited for any longer.
      const before = painter.paints()[n]!.before;
      const how = { timeoutMs: 2000, everyMs: 15 };
      await until('a picture of the paint', () => isShared(folder, before), how).catch(() => undefined);
      await sleep(140 + random() * 100);
    }
    const { line } = await grabber.stop();
    await stopRecording(driver);
    await soon(() => hidden?.destroyed).toBe(true);

    const recording = readRecording(folder);
    console.log(
      JSON.stringify({
        capture: recording.capture,
        counts: recording.counts,
        sync: { ...recording.sync, detail: undefined },
      }),
    );
    expect(recording.verdict).toMatchObject({ kind: 'complete', missing: [] });
    expect(recording.capture).toMatchObject({ grabber: 'portal', mode: 'delivered', lossless: false });
    const codes = recording.warnings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['wayland-input', 'wayland-pictures', 'colours-rounded']));
    expect(await problemsOf(folder)).toEqual([]);

    const at = { x: PAINTER.x + 200, y: PAINTER.y + 160 };
    const ours = await judge(folder, painter.paints(), at, ROUNDED);
    const theirs = await judge(line.folder, painter.paints(), at);
    const summary = summarize(ours);
    // Both on the monotonic clock: how much later the shared picture's time is than the grabber's for the same paint.
    const late = ours
      .flatMap((one, n) => {
        const [mine, its] = [timeOf(folder, one.frame), timeOf(line.folder, theirs[n]?.frame ?? null)];
        return mine === null || its === null ? [] : [mine - its];
      })
      .toSorted((a, b) => a - b);
    const quantile = (q: number): number => late[Math.min(late.length - 1, Math.floor(q * late.length))] ?? Number.NaN;
    console.log(`sync error of shared pictures: ${JSON.stringify(summary)}`);
    console.log(`the X11 grabber in the same run: ${JSON.stringify(summarize(theirs))}`);
    console.log(
      `shared picture minus grabber, µs: median ${quantile(0.5)}, 5 % ${quantile(0.05)}, 95 % ${quantile(0.95)}`,
    );
    expect(summary.found).toBe(PAINTS);

    const off = await largestDifference(folder, ours, at);
    console.log(`largest difference of a channel from the colour that was painted: ${off}`);
    expect(off).toBeLessThanOrEqual(ROUNDED);

    const presentDown = readEvents(folder).filter((event) => event.type === 'down').length;
    expect(presentDown).toBe(PAINTS);
  });
});

/** Whether another picture than the last one was taken since that time of the monotonic clock, µs. */
function isShared(folder: string, since: number): boolean {
  const changed = readFrames(folder, 'torn-end-allowed').findLast((frame) => frame.changed !== 0);
  return (changed?.t ?? 0) >= sessionUs(readRecording(folder), since);
}

/** A frame's time on the monotonic clock, µs. */
function timeOf(folder: string, frame: number | null): number | null {
  const { clock } = readRecording(folder);
  const t = frame === null ? undefined : readFrames(folder)[frame]?.t;
  return t === undefined ? null : t + Number(BigInt(clock.startNs) / 1000n);
}

/** Of each paint's own frame, at a place inside the painter. */
async function largestDifference(
  folder: string,
  judged: readonly { paint: { n: number }; frame: number | null }[],
  at: { x: number; y: number },
): Promise<number> {
  const colours: number[][] = [];
  const file = path.join(folder, readRecording(folder).segments[0]?.file ?? '');
  await decode(file, { ...at, width: 2, height: 2 }, (rgb) => colours.push([...rgb.subarray(0, 3)]));
  const off = judged.flatMap(({ paint, frame }) => {
    const wanted = colourOf(paint.n);
    const seen = frame === null ? [] : (colours[frame] ?? []);
    return [16, 8, 0].map((shift, n) => Math.abs(((wanted >> shift) & 255) - (seen[n] ?? Number.NaN)));
  });
  return Math.max(...off);
}
