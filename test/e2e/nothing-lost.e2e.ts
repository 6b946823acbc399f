import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInput } from '../../schemas/events.ts';
import { type NewWorkspace, type Recorder, startRecorder, studio, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { GRACE_US, JUDGED_GRACE_US, LOOKED_MS, recovered, victimPid } from '../support/kills.ts';
import { onDisplay } from '../support/on-display.ts';
import { click, handsFor, perform } from '../support/person.ts';
import { must, watchWaiting } from '../support/process.ts';
import { problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { missingFrom, startHands } from '../support/steady-hands.ts';
import { monotonicUs, sleep, until } from '../support/until.ts';

/** After each disaster `recover` gives a valid recording whose verdict is true (D1 to D4); kills are in kills.e2e.ts. */

const SCROLLER = path.join(import.meta.dirname, '..', 'support', 'scroller.ts');

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1280, height: 800 }, (made) => {
  ({ display, workspace } = made);
});

/** Mounting a small file system needs root: without it these tests are skipped, and the name says why. */
const root = process.getuid?.() === 0;
describe.skipIf(!root)(root ? 'the disk' : 'the disk (skipped: needs root to mount a small tmpfs)', () => {
  it.each([
    // 64 MB are to be left free: the rest is full within seconds.
    { what: 'getting full: stops while the reserve is there', size: '96m', args: [], hog: false },
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
      const recorder = await startRecorder(display, { workspace: workspace.path, args, syncCheck: true });
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
      const verdict = await recovered(workspace.path, recorder.folder);
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

/** Lets so many events come that most are judged; gives how late the last of them may be written. */
async function judgedGrace(recorder: Recorder): Promise<number> {
  await sleep(1500 + JUDGED_GRACE_US / 1000 - LOOKED_MS);
  const waited = watchWaiting(victimPid(recorder, 'capture'));
  await sleep(LOOKED_MS);
  return JUDGED_GRACE_US + (await waited());
}

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
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
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

  it('one of three: another that is unplugged changes nothing, its own end ends the recording, and no other is recorded', async () => {
    const monitor = (name: string, x: number, output = 'none') =>
      must('xrandr', ['--setmonitor', name, `400/100x800/200+${x}+0`, output], { env: display.env });
    const unplug = (name: string) => must('xrandr', ['--delmonitor', name], { env: display.env });
    await monitor('*left', 0, 'screen');
    await monitor('middle', 400);
    await monitor('right', 800);
    try {
      const hands = await handsFor(display, 'human');
      const recorder = await startRecorder(display, { workspace: workspace.path, args: ['--display', '3'] });
      await perform(display, hands, [click(900, 300)]);
      await unplug('middle');
      const counted = () => readEvents(recorder.folder, 'torn-end-allowed').filter(({ type }) => type === 'displays');
      await until('the word of two displays', () => counted().length === 2);
      await perform(display, hands, [click(1000, 500)]);
      await unplug('right');
      const { exit, line } = await recorder.ended();
      expect(exit.status).toBe(0);
      const folder = line?.folder ?? '';
      expect(readRecording(folder).verdict).toEqual({ kind: 'complete', missing: [], endedBy: 'display-gone' });
      expect(await problemsOf(folder)).toEqual([]);
      const events = readEvents(folder);
      expect(events.filter(({ type }) => type === 'view')).toMatchObject([{ view: { x: 800, y: 0, width: 400 } }]);
      expect(events.flatMap((e) => (e.type === 'down' ? [[e.x, e.y]] : []))).toEqual([
        [900, 300],
        [1000, 500],
      ]);
    } finally {
      for (const name of ['left', 'middle', 'right']) await unplug(name).catch(() => undefined);
    }
  });

  it('gone: closes the recording and says so', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    const hands = await startHands(display, 200, 60);
    const graceUs = await judgedGrace(recorder);
    const killed = monotonicUs();
    display.server.child.kill('SIGKILL');
    const { exit } = await recorder.ended();
    expect(exit.signal).toBeNull();
    const verdict = await recovered(workspace.path, recorder.folder);
    expect(verdict.endedBy).toBe('display-lost');
    // Of the last keys nobody could say any more whether they went into a field for passwords.
    expect(missingFrom(recorder.folder, hands.sent(), killed - graceUs)).toEqual([]);
  });

  it('gone in the moment of the stop, as at a logout: closes the recording all the same', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    const hands = await startHands(display, 200, 60);
    const graceUs = await judgedGrace(recorder);
    const killed = monotonicUs();
    display.server.child.kill('SIGKILL');
    recorder.started.child.kill('SIGTERM');
    const { exit } = await recorder.ended();
    expect(exit.signal).toBeNull();
    expect((await recovered(workspace.path, recorder.folder)).kind).not.toBe('damaged');
    // Of the last keys nobody could say any more whether they went into a field for passwords.
    expect(missingFrom(recorder.folder, hands.sent(), killed - graceUs)).toEqual([]);
    // No process stays behind: one that waited for the display would keep the folder from every recovery.
    expect(readRecording(recorder.folder).state).toBe('closed');
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
      // The check of the clock at the end gives late events time to come.
      const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: i === 0 });
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
