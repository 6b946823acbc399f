import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecorderState } from '../../../schemas/api/models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recording } from '../../../schemas/recording.ts';
import type { GlanceWishes } from '../../capture/glancer.ts';
import type { CaptureOrder, FromCapture, ToCapture } from '../../capture/protocol.ts';
import type { startRecording } from '../../capture/start.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { ensureTask } from '../../store/tasks.ts';
import { type OpenWorkspace, openSession } from '../open-workspace.ts';
import { preflight } from './preflight.ts';
import { recoverAll } from './recover-all.ts';
import { createRecorderService, type Recorder } from './service.ts';

const folders = temporaryFolders();
let open: OpenWorkspace;
let recorder: Recorder;
let capture: {
  order: CaptureOrder;
  sent: ToCapture[];
  tell(message: FromCapture): void;
  end: PromiseWithResolvers<Recording>;
};

/** The capture process, played by the test: what it is told is kept, and it says what the test wants. */
const startCapture: typeof startRecording = (order, onMessage) => {
  const end = Promise.withResolvers<Recording>();
  capture = { order, sent: [], tell: onMessage, end };
  mkdirSync(order.folder);
  return { send: (command) => capture.sent.push(command), result: end.promise };
};

let asked: GlanceWishes[] = [];
beforeEach(async () => {
  asked = [];
  open = await openSession(folders.make(), { create: true });
  const software = await open.workspace.findSoftware('gimp');
  await ensureTask(open.workspace.store, { id: 'GIMP_1', software, goal: 'Crop the picture' });
  recorder = createRecorderService({
    version: '0.1.0',
    forgetMinutes: () => 2,
    shortcuts: () => ({ stop: 'Ctrl+Alt+F4' }),
    startCapture,
    glancer: {
      take: async (wishes) => {
        asked.push(wishes);
        return { displays: [], windows: [], view: 'a picture' };
      },
      close: () => undefined,
    },
  });
});
afterEach(async () => {
  await open.close();
  folders.clean();
});

const WISHES = {
  task: 'GIMP_1',
  target: { kind: 'display', display: null },
  fps: 30,
  countdown: 3,
  person: 'Ada',
  exclude: ['KeePass'],
} as const;
const start = () => recorder.start(open, { ...WISHES, exclude: [...WISHES.exclude], only: [] });

/** The recording is closed: its folder as the capture process would leave it. */
function close(): void {
  const { id } = capture.order;
  const recording = sampleRecording({ id, segments: [] });
  writeSample(open.workspace.recordingsDir, recording);
  capture.end.resolve(recording);
}
const phaseOf = () => recorder.state()?.phase;

describe('recording from the page', () => {
  test('what was chosen is what the capture process is told', async () => {
    const state = await start();
    expect(state).toMatchObject({ phase: 'starting', task: 'GIMP_1', countdown: 3, recording: capture.order.id });
    expect(capture.order).toMatchObject({
      app: { id: 'gimp', name: 'GIMP' },
      task: { id: 'GIMP_1', goal: 'Crop the picture' },
      person: 'Ada',
      fps: 30,
      countdownSeconds: 3,
      exclude: ['KeePass'],
      only: [],
      shortcuts: { stop: 'Ctrl+Alt+F4' },
      folder: join(open.workspace.recordingsDir, state.recording),
    });
    close();
    await expect.poll(phaseOf).toBe('done');
  });

  test('pictures of the screen follow the lists of the recording, and there are none in a pause that is private', async () => {
    const view = { x: 5, y: 6, width: 70, height: 80 };
    const take = () => recorder.pictures({ exclude: ['mail'], only: ['gimp'] });
    await take();
    await start();
    capture.tell({ type: 'started', capture: sampleRecording().capture, view });
    expect((await take()).view).toBe('a picture');
    expect(asked).toEqual([
      { exclude: ['mail'], only: ['gimp'], view: null },
      { exclude: ['mail', 'KeePass'], only: ['gimp'], view },
    ]);
    for (const reason of ['user', 'privacy', 'excluded-app', 'forgotten'] as const) {
      capture.tell({ type: 'paused', reason });
      expect(await take()).toEqual({ displays: [], windows: [], view: null });
    }
    // One that began while the pictures were taken.
    capture.tell({ type: 'paused', reason: null });
    const taken = take();
    capture.tell({ type: 'paused', reason: 'privacy' });
    expect((await taken).view).toBeNull();
    close();
    await expect.poll(phaseOf).toBe('done');
  });

  test('one that a full disk ended says so, where it is and what to do, instead of going on without a word', async () => {
    await start();
    const { id, folder } = capture.order;
    const verdict = { kind: 'recovered' as const, missing: [], endedBy: 'disk-full' };
    const recording = sampleRecording({ id, segments: [], verdict });
    writeSample(open.workspace.recordingsDir, recording);
    capture.end.resolve(recording);
    await expect.poll(phaseOf).toBe('failed');
    const { kept, error } = recorder.state()!;
    expect([kept, error?.code]).toEqual([true, 'DISK_FULL']);
    expect(error?.message).toContain(folder);
    expect(error?.message).toMatch(/Everything until then is kept\. Free some space/);
  });

  test('a page sees every step of it, from the state that it finds to the end', async () => {
    const seen: (RecorderState | null)[] = [];
    const control = new AbortController();
    const watching = (async () => {
      for await (const state of recorder.watch(control.signal)) seen.push(state);
    })();
    await start();
    capture.tell({ type: 'countdown', seconds: 2 });
    capture.tell({ type: 'started', capture: sampleRecording().capture, view: { x: 0, y: 0, width: 1, height: 1 } });
    const stats = { t: 5, frames: 7, dropped: 1, late: 0, black: 0, events: 9, freeBytes: 1e9, paused: null, cpuUs: 0 };
    capture.tell({ type: 'stats', stats });
    capture.tell({ type: 'mark', kind: 'subtask', t: 6 });
    capture.tell({ type: 'paused', reason: 'privacy' });
    capture.tell({ type: 'notice', code: 'disk-full', message: 'full' });
    capture.tell({ type: 'closing', why: 'studio' });
    close();
    await expect.poll(phaseOf).toBe('done');
    control.abort();
    await watching;
    expect(seen[0]).toBeNull();
    expect(seen.map((state) => state?.phase)).toEqual([
      undefined,
      'starting',
      'countdown',
      'recording',
      'recording',
      'recording',
      'recording',
      'recording',
      'closing',
      'keyframes',
      'done',
    ]);
    expect(seen[7]).toMatchObject({
      t: 5,
      frames: 7,
      dropped: 1,
      events: 9,
      marks: 1,
      paused: 'privacy',
      notices: [{ code: 'disk-full', message: 'full' }],
    });
    expect(await open.workspace.indexedRecordings()).toMatchObject([{ id: capture.order.id }]);
  });

  test('commands reach the capture process; without a recording they are refused', async () => {
    expect(() => recorder.command({ type: 'mark', kind: 'subtask' })).toThrow('Nothing is being recorded');
    await start();
    recorder.command({ type: 'pause', reason: 'privacy' });
    recorder.command({ type: 'stop', why: 'studio' });
    expect(capture.sent).toEqual([
      { type: 'pause', reason: 'privacy' },
      { type: 'stop', why: 'studio' },
    ]);
    close();
    await expect.poll(phaseOf).toBe('done');
    expect(() => recorder.command({ type: 'mark', kind: 'subtask' })).toThrow('Nothing is being recorded');
  });

  test('in a Wayland session it is refused until what goes unheard is accepted; then the capture process is told who shares', async () => {
    const outside = { path: '/run/user/1/studio/p', token: 'x'.repeat(43) };
    recorder = createRecorderService({
      version: '0.1.0',
      shortcuts: () => ({}),
      forgetMinutes: () => 2,
      outside,
      startCapture,
    });
    await expect(start()).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('partialInput') });
    expect(recorder.state()).toBeNull();
    const state = await recorder.start(open, { ...WISHES, exclude: [], only: [], partialInput: true });
    expect(state).toMatchObject({ phase: 'starting', shared: true });
    expect(capture.order.outside).toEqual(outside);
    close();
    await expect.poll(phaseOf).toBe('done');
  });

  test('programs are asked for their elements as it was chosen, by default where nothing was', async () => {
    await recorder.start(open, { ...WISHES, exclude: [], only: [], elements: true, elementNames: false });
    expect(capture.order).toMatchObject({ elements: true, elementNames: false });
    close();
    await expect.poll(phaseOf).toBe('done');
    await start();
    expect(capture.order).toMatchObject({ elements: 'by-default', elementNames: true });
  });

  test('what is captured is known before the countdown, and followed when it moves', async () => {
    await start();
    expect(recorder.state()?.view).toBeNull();
    capture.tell({ type: 'view', view: { x: 1, y: 2, width: 30, height: 40 } });
    expect(recorder.state()).toMatchObject({ phase: 'starting', view: { x: 1, y: 2, width: 30, height: 40 } });
    capture.tell({ type: 'countdown', seconds: 1 });
    capture.tell({ type: 'view', view: { x: 5, y: 2, width: 30, height: 40 } });
    expect(recorder.state()).toMatchObject({ phase: 'countdown', view: { x: 5 } });
    close();
    await expect.poll(phaseOf).toBe('done');
  });

  test('of two that start at once one is refused; after the end another can begin', async () => {
    const [first, second] = await Promise.allSettled([start(), start()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'WORKSPACE_BUSY' } });
    close();
    await expect.poll(phaseOf).toBe('done');
    expect((await start()).phase).toBe('starting');
    close();
    await recorder.close();
  });

  test('a capture process that cannot begin is a state with its reason, and the workspace is free again', async () => {
    await start();
    capture.end.reject(new StudioError('NO_DISPLAY', 'No X server answers.'));
    await expect.poll(phaseOf).toBe('failed');
    expect(recorder.state()?.error).toEqual({ code: 'NO_DISPLAY', message: 'No X server answers.' });
    expect(open.workspace.recorderPid()).toBeNull();
  });

  test('a task that is not there is refused before anything begins', async () => {
    await expect(recorder.start(open, { ...WISHES, exclude: [], only: [], task: 'GIMP_9' })).rejects.toMatchObject({
      code: 'UNKNOWN_TASK',
    });
    expect(recorder.state()).toBeNull();
    expect(open.workspace.recorderPid()).toBeNull();
  });

  test('closing the studio stops the recording and waits until it is whole', async () => {
    await start();
    const closed = recorder.close();
    expect(capture.sent).toEqual([{ type: 'stop', why: 'studio' }]);
    close();
    await closed;
    expect(phaseOf()).toBe('done');
  });
});

describe('the look before', () => {
  test('a check that ends its process, hangs or says nonsense is an answer that says so', async () => {
    const folder = folders.make();
    const play = async (code: string, withinMs = 20_000) => {
      const file = join(folder, 'play.mjs');
      writeFileSync(file, code);
      return preflight(folder, { main: file, withinMs });
    };
    for (const code of ['process.kill(process.pid, "SIGSEGV")', 'process.exit(1)', 'console.log("{}")']) {
      expect(await play(code)).toMatchObject({
        status: 'fail',
        checks: [{ id: 'preflight', status: 'fail' }],
        displays: [],
      });
    }
    const hanging = await play('setInterval(() => {}, 1000)', 500);
    expect(hanging.checks[0]?.what).toContain('longer than 0.5 s');
  });
});

describe('recovery', () => {
  test('one folder that cannot be read keeps none of the others from being closed', async () => {
    const root = open.workspace.recordingsDir;
    writeSample(root, sampleRecording({ id: 'open', state: 'recording', span: null, verdict: null }));
    writeSample(root, sampleRecording({ id: 'closed' }));
    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'recording.json'), '{');
    mkdirSync(join(root, '.import-x'));
    const report = await recoverAll(open.workspace, () => undefined);
    expect(report.recovered.map(({ recording }) => recording)).toEqual(['open']);
    expect(report.failed).toMatchObject([{ folder: join(root, 'broken'), code: 'BAD_FILE' }]);
    expect((await open.workspace.listRecordings()).map(({ phase }) => phase)).toEqual(['closed', 'closed']);
  });
});
