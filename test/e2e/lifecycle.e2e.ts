import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reduceResultSchema } from '../../schemas/actions.ts';
import { isInput } from '../../schemas/events.ts';
import { syncReportSchema, verdictSchema } from '../../schemas/recording.ts';
import { startApp } from '../support/apps.ts';
import { launchRecord, type NewWorkspace, type RecordLine, startRecorder, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { openPainter } from '../support/paints.ts';
import { chord, click, handsFor, perform, type Step, type } from '../support/person.ts';
import { processTree } from '../support/process.ts';
import { findRecordings, problemsOf, readEvents, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { sleep, until } from '../support/until.ts';

/** How a recording begins, pauses and ends, and what it is aimed at (issue: what a user can do; V5, I4, I6, D3). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1280, height: 800 }, (made) => {
  ({ display, workspace } = made);
});

const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);

async function actionsOf(id: string) {
  const { json } = await studioMust(['actions', id, '--workspace', workspace.path, '--json']);
  return reduceResultSchema.parse(json).actions;
}

/** The result of every ending: a valid, complete recording that the printed line describes. */
async function expectComplete(line: RecordLine, endedBy: string) {
  const recording = readRecording(line.folder);
  expect(await problemsOf(line.folder)).toEqual([]);
  expect(recording.verdict).toEqual({ kind: 'complete', missing: [], endedBy });
  expect(line).toMatchObject({
    recording: recording.id,
    frames: recording.counts.frames,
    events: recording.counts.events,
  });
  expect(line.dropped).toBe(recording.counts.dropped);
  expect(path.resolve(line.folder)).toBe(path.join(workspace.path, 'recordings', recording.id));
  const kind = typeof line.verdict === 'string' ? line.verdict : verdictSchema.parse(line.verdict).kind;
  expect(kind).toBe('complete');
  expect(line.sync).not.toBeNull();
  expect(syncReportSchema.parse(recording.sync).verdict).not.toBe('failed');
  expect(recording.capture.cursor).toBe(false);
  return recording;
}

describe('a recording ends', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('at %s', async (signal) => {
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    await play(click(200, 200));
    const { exit, line } = await recorder.stop(signal);
    expect(exit.status).toBe(0);
    await expectComplete(line, 'signal');
    expect((await actionsOf(line.recording)).map((action) => action.kind)).toEqual(['click']);
  });

  it('at --duration, measured on its own clock', async () => {
    const recorder = await startRecorder(display, {
      workspace: workspace.path,
      args: ['--duration', '3s'],
      syncCheck: true,
    });
    const { exit, line } = await recorder.ended();
    expect(exit.status).toBe(0);
    if (!line) throw new Error('no line was printed');
    const { span } = await expectComplete(line, 'duration');
    if (!span) throw new Error('a closed recording has a span');
    // 3 s as ordered, never sooner. The recorder writes an anchor each second by the clock that ends it: a loop that is held up
    // is late for both, so at most one of them comes between the time that was ordered and the end.
    expect(span.end - span.start).toBeGreaterThanOrEqual(3_000_000);
    const anchors = readEvents(line.folder).filter(({ type }) => type === 'anchor');
    const within = anchors.filter(({ t }) => t >= span.start && t <= span.end);
    expect(within.length).toBeGreaterThan(0);
    expect(within.filter(({ t }) => t > span.start + 3_000_000).length).toBeLessThanOrEqual(1);
  });

  it('at the stop shortcut, which is no action, as is that of a marked moment (I4)', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    await play(click(200, 200), chord(...SHORTCUTS.moment), chord(...SHORTCUTS.stop));
    const { exit, line } = await recorder.ended();
    expect(exit.status).toBe(0);
    if (!line) throw new Error('no line was printed');
    const { version } = await expectComplete(line, 'shortcut');
    expect((await actionsOf(line.recording)).map((action) => action.kind)).toEqual(['click']);
    expect(version).toBe(8);
    const { json } = await studioMust(['marks', 'list', line.recording, '--workspace', workspace.path, '--json']);
    expect(json).toMatchObject({ marks: [{ number: 1, kind: 'moment', words: '' }] });
  });

  it('leaving no process behind', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    const tree = processTree(recorder.started.pid).map((info) => info.pid);
    expect(tree.length).toBeGreaterThan(2);
    await recorder.stop();
    await until('all of its processes to be gone', () => tree.every((pid) => processTree(pid).length === 0));
  });
});

describe('a pause (I6)', () => {
  it.each(['pause', 'privacy'] as const)(
    'by the %s shortcut keeps what is done in it out of the data',
    async (which) => {
      await startApp(display, 'xterm', { x: 100, y: 100, width: 800, height: 500 });
      const recorder = await startRecorder(display, { workspace: workspace.path });
      await play(click(400, 300), type('before'), chord(...SHORTCUTS[which]));
      await until(
        'the pause',
        () => readEvents(recorder.folder, 'torn-end-allowed').at(-1)?.type !== undefined && paused(),
      );
      await play(type('secret'), click(500, 400));
      await play(chord(...SHORTCUTS[which]));
      await until('the resume', () => !paused());
      await play(type('after'));
      const { line } = await recorder.stop();
      expect(await problemsOf(line.folder)).toEqual([]);
      const actions = await actionsOf(line.recording);
      expect(actions.map((action) => action.text ?? action.kind)).toEqual(['click', 'before', 'after']);

      const events = readEvents(line.folder);
      const [from, to] = pauseOf(events);
      const between = events.filter((event) => isInput(event) && event.t > from && event.t < to);
      expect(between.filter((event) => event.type === 'down')).toEqual([]);

      function paused(): boolean {
        const all = readEvents(recorder.folder, 'torn-end-allowed');
        const last = all.findLast((event) => event.type === 'pause' || event.type === 'resume');
        return last?.type === 'pause';
      }
      function pauseOf(all: ReturnType<typeof readEvents>): [number, number] {
        const by = (kind: 'pause' | 'resume') =>
          all.find((event) => event.type === kind && event.reason !== 'sync')?.t ?? Number.NaN;
        return [by('pause'), by('resume')];
      }
    },
  );
});

describe('the countdown', () => {
  it('keeps what is done before its end out of the recording', async () => {
    await openPainter(display, 0, 0, 1280, 800);
    const args = ['--countdown', '3', '--json'];
    const started = await launchRecord(display, { workspace: workspace.path, args });
    await until('a word of the countdown', () => /\d …/.test(started.stderr()));
    await play(click(111, 111));
    const folder = await until('the recording', () => findRecordings(workspace.path)[0], { timeoutMs: 60_000 });
    await until('its begin', () =>
      readEvents(folder, 'torn-end-allowed').some((event) => event.type === 'resume' && event.reason === 'sync'),
    );
    await play(click(222, 222));
    started.child.kill('SIGINT');
    expect((await started.exited).status).toBe(0);
    const actions = await actionsOf(path.basename(folder));
    expect(actions.map((action) => [action.start.x, action.start.y])).toEqual([[222, 222]]);
  });
});

describe('the target (V5)', () => {
  it('is the first display when nothing is said', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path, syncCheck: true });
    const { line } = await recorder.stop();
    const recording = await expectComplete(line, 'signal');
    expect(recording.capture.target).toEqual({ kind: 'display', display: 1 });
    expect(recording.segments[0]).toMatchObject({ width: 1280, height: 800 });
    expect(recording.displays[0]?.displays).toMatchObject([{ id: 1, x: 0, y: 0, width: 1280, height: 800 }]);
  });

  it('can be a region, inside which positions stay those of the desktop', async () => {
    await openPainter(display, 0, 0, 1280, 800);
    const args = ['--region', '300,150,640,480'];
    const recorder = await startRecorder(display, { workspace: workspace.path, args, syncCheck: true });
    await play(click(401, 303));
    const { line } = await recorder.stop();
    const recording = await expectComplete(line, 'signal');
    const region = { x: 300, y: 150, width: 640, height: 480 };
    expect(recording.capture.target).toEqual({ kind: 'region', region });
    expect(recording.segments[0]).toMatchObject({ width: 640, height: 480 });
    expect((await actionsOf(line.recording)).map((action) => [action.start.x, action.start.y])).toEqual([[401, 303]]);
  });

  it('can be a window by part of its title', async () => {
    const file = path.join(display.home, 'shopping-list.txt');
    fs.writeFileSync(file, 'milk\n');
    const app = await startApp(display, 'mousepad', { file, x: 200, y: 120, width: 700, height: 500 });
    const args = ['--window', 'shopping-list'];
    const recorder = await startRecorder(display, { workspace: workspace.path, args, syncCheck: true });
    const bounds = await app.bounds();
    await play(click(bounds.x + 300, bounds.y + 300), type('eggs'));
    const { line } = await recorder.stop();
    const recording = await expectComplete(line, 'signal');
    expect(recording.capture.target).toMatchObject({ kind: 'window', title: expect.stringContaining('shopping-list') });
    // The client area, or with its frame: not smaller than the one, not much larger than the other.
    const { width, height } = recording.segments[0] ?? { width: 0, height: 0 };
    expect(width).toBeGreaterThanOrEqual(bounds.width);
    expect(width).toBeLessThanOrEqual(bounds.width + 20);
    expect(height).toBeGreaterThanOrEqual(bounds.height);
    expect(height).toBeLessThanOrEqual(bounds.height + 60);
    const actions = await actionsOf(line.recording);
    expect(actions.map((action) => action.window?.title)).toEqual([
      expect.stringContaining('shopping-list'),
      expect.stringContaining('shopping-list'),
    ]);
  });
});

describe('`record` is killed before its recording begins', () => {
  it.each([
    ['its task was made', /^\.record-.*\.task$/],
    ['its folder was made', /^\d{8}-/],
  ])(
    'as soon as %s: no process goes on, no task stays without a recording, and no folder without its closed one',
    async (_when, name) => {
      const started = await launchRecord(display, { workspace: workspace.path, args: ['--countdown', '600'] });
      const recordings = path.join(workspace.path, 'recordings');
      const names = (): string[] => (fs.existsSync(recordings) ? fs.readdirSync(recordings) : []);
      await until('the moment', () => names().some((one) => name.test(one)), { everyMs: 2, seen: started.stderr });
      started.child.kill('SIGKILL');
      // One that waits for the disk is there until the disk has answered.
      await started.exited;
      await until('its capture process to end', async () => {
        const { json } = await studioMust(['recover', '--workspace', workspace.path, '--json']);
        const isLive = names().some((one) => fs.existsSync(path.join(recordings, one, '.capture.pid')));
        return !isLive && (json as { live: string[] }).live.length === 0;
      });
      await studioMust(['recover', '--workspace', workspace.path, '--json']);
      expect(names().filter((one) => one.startsWith('.'))).toEqual([]);
      expect(findRecordings(workspace.path)).toHaveLength(names().length);
      for (const folder of findRecordings(workspace.path)) expect(readRecording(folder).state).toBe('closed');
      const { json } = await studioMust(['tasks', '--workspace', workspace.path, '--json']);
      const { tasks } = json as { tasks: { recordings: number }[] };
      expect(tasks.filter((task) => task.recordings === 0)).toEqual([]);
    },
  );
});

describe('afterwards', () => {
  it('the recordings are listed, and a shortened id is enough', async () => {
    for (let i = 0; i < 2; i++) {
      const recorder = await startRecorder(display, { workspace: workspace.path });
      await play(click(200 + 100 * i, 200));
      await recorder.stop();
    }
    const { stdout } = await studioMust(['recordings', '--workspace', workspace.path, '--json']);
    const ids = findRecordings(workspace.path).map((folder) => path.basename(folder));
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(stdout).toContain(id);
    const [one = '', other = ''] = ids;
    const common = [...one].findIndex((char, i) => char !== other[i]);
    expect((await actionsOf(one.slice(0, common + 1))).map((action) => action.start.x)).toEqual([200]);
  });

  it('reducing again gives the same actions and ids (A2)', async () => {
    const recorder = await startRecorder(display, { workspace: workspace.path });
    await play(click(200, 200), click(300, 300, { count: 2 }));
    const { line } = await recorder.stop();
    const once = await actionsOf(line.recording);
    await sleep(10);
    expect(await actionsOf(line.recording)).toEqual(once);
  });
});
