import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInput } from '../../schemas/events.ts';
import type { Verdict } from '../../schemas/recording.ts';
import { newWorkspace, type Recorder, startRecorder, studio, studioMust } from '../support/cli.ts';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { click, handsFor, perform } from '../support/person.ts';
import { descendants, must, processInfo, processTree } from '../support/process.ts';
import { problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { missingFrom, startHands } from '../support/steady-hands.ts';
import { monotonicUs, seeded, sleep, until } from '../support/until.ts';

/** After each disaster `recover` gives a valid recording whose verdict is true (D1 to D4). */

const SCROLLER = path.join(import.meta.dirname, '..', 'support', 'scroller.ts');
/** What may be in the air at a kill: two flushes of D1. */
const GRACE_US = 100_000;

let display: VirtualDisplay;
let workspace: ReturnType<typeof newWorkspace>;
beforeEach(async () => {
  workspace = newWorkspace();
  display = await startDisplay({ width: 1280, height: 800 });
});
afterEach(async () => {
  await display.stop();
  workspace.remove();
});

type Victim = 'studio' | 'capture' | 'ffmpeg';

function victimPid(recorder: Recorder, victim: Victim): number {
  const root = recorder.started.pid;
  if (victim === 'studio') return root;
  const capture = descendants(root, 'capture-main')[0];
  if (!capture) throw new Error(`no capture process below ${root}: ${list(root)}`);
  if (victim === 'capture') return capture.pid;
  const ffmpeg = processTree(capture.pid).find((info) => /^\S*ffmpeg /.test(info.command));
  if (!ffmpeg) throw new Error(`no ffmpeg below ${capture.pid}: ${list(root)}`);
  return ffmpeg.pid;
}

const list = (pid: number) =>
  processTree(pid)
    .map((info) => `${info.pid} ${info.command}`)
    .join('\n');

/** Runs `recover` and checks everything that must be true of any recovered recording. Gives its verdict. */
async function recovered(folder: string): Promise<Verdict> {
  await studioMust(['recover', '--workspace', workspace.path, '--json']);
  expect(await problemsOf(folder)).toEqual([]);
  const { verdict, id } = readRecording(folder);
  if (!verdict) throw new Error('recover left no verdict');
  if (verdict.kind === 'complete') expect(verdict.missing).toEqual([]);
  else expect(verdict.missing.length, 'says what is missing').toBeGreaterThan(0);
  // It works like any other recording, and recovering again changes nothing.
  await studioMust(['actions', id, '--workspace', workspace.path, '--json']);
  const file = path.join(folder, 'recording.json');
  const once = fs.readFileSync(file, 'utf8');
  await studioMust(['recover', '--workspace', workspace.path, '--json']);
  expect(fs.readFileSync(file, 'utf8')).toBe(once);
  return verdict;
}

const SEED = Number(process.env.KILL_SEED ?? 20_260_101);
const random = seeded(SEED);
const KILLS = Array.from({ length: 20 }, (_, i) => ({
  n: i + 1,
  victim: (['studio', 'capture', 'ffmpeg'] as const)[i % 3] as Victim,
  afterMs: Math.round(50 + random() * 2500),
}));

describe(`kill -9 (seed ${SEED}, another with KILL_SEED)`, () => {
  it.each(KILLS)('$n: of the $victim process, $afterMs ms in', async ({ victim, afterMs }) => {
    const scroller = await display.launch(process.execPath, [SCROLLER, '60', '3']);
    const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--region', '0,0,640,480'] });
    const family = processTree(recorder.started.pid).map((info) => info.pid);
    const hands = await startHands(display, 200, 60);
    await sleep(afterMs);
    const pid = victimPid(recorder, victim);
    const killed = monotonicUs();
    process.kill(pid, 'SIGKILL');
    if (victim === 'ffmpeg') {
      // The recorder may end or go on with a new encoder; when it goes on, it is stopped as usual.
      await sleep(1000);
      if (!recorder.started.exit()) recorder.started.child.kill('SIGINT');
    }
    await until('every process to end by itself', () => family.every((member) => processInfo(member) === null), {
      timeoutMs: 60_000,
      seen: () => family.map((member) => processInfo(member)?.command ?? '').join('\n'),
    });
    await hands.stop();
    await scroller.stop();

    const verdict = await recovered(recorder.folder);
    expect(missingFrom(recorder.folder, hands.sent(), killed - GRACE_US)).toEqual([]);
    if (victim === 'capture') expect(verdict).toMatchObject({ kind: 'recovered', endedBy: 'killed' });
    if (victim === 'studio') expect(verdict).toMatchObject({ kind: 'complete', endedBy: 'studio-gone' });
    if (victim === 'ffmpeg') expect(await framesReach(recorder.folder, killed)).toBe(true);
  });
});

/** Frames are there up to a second before the kill: the crash lost the last moment, not the file (V4). */
async function framesReach(folder: string, monotonic: number): Promise<boolean> {
  const recording = readRecording(folder);
  const text = fs.readFileSync(path.join(folder, 'frames.jsonl'), 'utf8').trim().split('\n');
  const at = monotonic - Number(BigInt(recording.clock.startNs) / 1000n);
  return text.some((line) => (JSON.parse(line) as { t: number }).t > at - 1_000_000);
}

/** Mounting a small file system needs root: without it these tests are skipped, and the name says why. */
const root = process.getuid?.() === 0;
describe.skipIf(!root)(root ? 'the disk' : 'the disk (skipped: needs root to mount a small tmpfs)', () => {
  it.each([
    { what: 'getting full: stops while the reserve is there', size: '160m', args: [], hog: false },
    {
      what: 'full at once by another program: nothing can be written any more',
      size: '64m',
      args: ['--min-free', '1'],
      hog: true,
    },
  ])('$what, closes, keeps everything written, and says so (D2)', async ({ size, args, hog }) => {
    fs.mkdirSync(workspace.path);
    await must('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', workspace.path]);
    try {
      const recorder = await startRecorder(display, { workspace: workspace.path, args });
      const hands = await startHands(display, 50, 300);
      if (hog) {
        await sleep(1500);
        fillDisk(path.join(workspace.path, 'hog'));
      }
      const scroller = await display.launch(process.execPath, [SCROLLER, '300', '20']);
      const { exit } = await recorder.ended(240_000);
      await hands.stop();
      await scroller.stop();
      fs.rmSync(path.join(workspace.path, 'hog'), { force: true });
      expect(exit.signal).toBeNull();
      expect(recorder.started.stdout() + recorder.started.stderr()).toMatch(/disk|DISK_FULL/i);
      const verdict = await recovered(recorder.folder);
      expect(verdict.endedBy).toBe('disk-full');
      const last = readEvents(recorder.folder).findLast(isInput)?.t ?? 0;
      const startUs = Number(BigInt(readRecording(recorder.folder).clock.startNs) / 1000n);
      // Whatever the last event is, nothing before it is missing.
      expect(missingFrom(recorder.folder, hands.sent(), startUs + last - GRACE_US)).toEqual([]);
    } finally {
      await must('umount', ['-l', workspace.path]);
    }
  });
});

/** Writes zeros until the disk takes no more. */
function fillDisk(file: string): void {
  const block = Buffer.alloc(1 << 16);
  const out = fs.openSync(file, 'a');
  try {
    for (;;) fs.writeSync(out, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    fs.closeSync(out);
  }
}

describe('the display', () => {
  it('resized in the middle: goes on, with the geometry over time (V5)', async () => {
    const hands = await handsFor(display, 'human');
    const recorder = await startRecorder(display, { workspace: workspace.path });
    await perform(display, hands, [click(1100, 700)]);
    await display.resize(1024, 640);
    const views = () => readEvents(recorder.folder, 'torn-end-allowed').filter((event) => event.type === 'view');
    await until('the new view', () => views().some(({ view }) => view.width === 1024 && view.height === 640));
    await perform(display, hands, [click(500, 400)]);
    await display.resize(1280, 800);
    await until('the old view again', () => views().at(-1)?.view.width === 1280);
    await perform(display, hands, [click(1000, 600)]);
    const { exit, line } = await recorder.stop();
    expect(exit.status).toBe(0);
    expect(await problemsOf(line.folder)).toEqual([]);
    const recording = readRecording(line.folder);
    expect(recording.verdict?.kind).toBe('complete');
    const sizes = recording.displays.map(({ displays }) => [displays[0]?.width, displays[0]?.height]);
    expect(sizes).toEqual([
      [1280, 800],
      [1024, 640],
      [1280, 800],
    ]);
    expect(recording.segments.map(({ width, height }) => [width, height])).toEqual(sizes);
    const out = path.join(display.home, 'keyframes');
    await studioMust(['keyframes', line.recording, '--workspace', workspace.path, '--out', out]);
    expect(fs.readdirSync(out).filter((name) => name.endsWith('before.png'))).toHaveLength(3);
  });

  it('gone: closes the recording and says so', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    const hands = await startHands(display, 200, 60);
    await sleep(1500);
    const killed = monotonicUs();
    display.server.child.kill('SIGKILL');
    const { exit } = await recorder.ended();
    expect(exit.signal).toBeNull();
    const verdict = await recovered(recorder.folder);
    expect(verdict.endedBy).toBe('display-lost');
    expect(missingFrom(recorder.folder, hands.sent(), killed - GRACE_US)).toEqual([]);
  });
});

describe('a flood', () => {
  it('of 1,000 events a second for a minute: none is lost (D4)', { timeout: 600_000 }, async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    const hands = await startHands(display, 1000, 60);
    await hands.started.exited;
    const sent = hands.sent();
    expect(sent).toHaveLength(60_000);
    const { line } = await recorder.stop();
    expect(missingFrom(line.folder, sent, Number.POSITIVE_INFINITY)).toEqual([]);
    expect(await problemsOf(line.folder)).toEqual([]);
    expect(readRecording(line.folder).verdict?.kind).toBe('complete');
  });
});

describe('a stop', () => {
  it('right after the last of many quick events loses none of them (A2)', async () => {
    for (let i = 0; i < 3; i++) {
      const recorder = await startRecorder(display, { workspace: workspace.path });
      const hands = await startHands(display, 1000, 1);
      await hands.started.exited;
      const { line } = await recorder.stop();
      expect(missingFrom(line.folder, hands.sent(), Number.POSITIVE_INFINITY)).toEqual([]);
    }
  });
});

describe('recover', () => {
  it('says so when there is nothing to do', async () => {
    await studioMust(['init', '--workspace', workspace.path]);
    const said = await studio(['recover', '--workspace', workspace.path, '--json']);
    expect(said.status).toBe(0);
  });

  it('leaves a recording alone that is being made', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    await studio(['recover', '--workspace', workspace.path, '--json']);
    expect(readRecording(recorder.folder).state).toBe('recording');
    const { line } = await recorder.stop();
    expect(readRecording(line.folder).verdict?.kind).toBe('complete');
  });
});
