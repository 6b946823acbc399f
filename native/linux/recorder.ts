import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import { BUSY_ENCODER, fpsModeArgs, type MasterCodec, masterArgs } from '../ffmpeg/master.ts';
import type { OutsidePictures, ScreenCounts, ScreenOptions, ScreenRecorder } from '../platform.ts';
import { createFeedQueue } from './feed-queue.ts';
import type { FeedMessage } from './feed-worker.ts';
import type { GrabCommand, GrabReport, GrabSetup } from './grab-protocol.ts';
import { watchMotion } from './motion.ts';
import type { OutsideSetup } from './outside-worker.ts';
import type { StillReport } from './still-worker.ts';
import { libc } from './x11.ts';

/**
 * The screen recorder on Linux: one thread looks at the screen (grab-worker; outside-worker is handed pictures of it), one
 * feeds the encoder (feed-worker), one writes stills (still-worker); ffmpeg encodes. This file starts and ends them and
 * replaces an encoder that died.
 */

const O_CLOEXEC = 0o2000000;
/** How long an encoder may take to write its last pictures after its input was closed, ms. */
const CLOSE_WITHIN = 20_000;
/** More deaths of the encoder than this within ten seconds end the recording: something is wrong with the machine. */
const MAX_DEATHS = 5;
/** How long the person may take to answer the system's question, ms. */
const SHARE_WITHIN = 180_000;

type Encoder = {
  segment: number;
  child: ChildProcess;
  file: string;
  stderr: string;
  exited: Promise<void>;
  replaced: boolean;
};

export function createX11Recorder(options: ScreenOptions): ScreenRecorder {
  return createRecorder(options, null);
}

/** Records pictures that another process hands over (Wayland). `start` waits until they come. */
export function createOutsideRecorder(options: ScreenOptions, outside: OutsidePictures): ScreenRecorder {
  return createRecorder(options, outside);
}

function createRecorder(options: ScreenOptions, outside: OutsidePictures | null): ScreenRecorder {
  const queue = createFeedQueue();
  const control = new Int32Array(new SharedArrayBuffer(8));
  let grab: Worker | null = null;
  let feed: Worker | null = null;
  let stills: Worker | null = null;
  let rect = options.rect;
  let mode = outside ? 'delivered' : 'damage';
  let pictures: { cursor: boolean | null; lossless: boolean } = { cursor: false, lossless: outside === null };
  let segments = 0;
  let stopping = false;
  let codec: MasterCodec = 'calm';
  let motion = watchMotion(rect.width * rect.height, options.fps);
  let frameCount = 0;
  let counts: ScreenCounts = { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0 };
  const deaths: number[] = [];
  const encoders: Encoder[] = [];
  const onStopped = Promise.withResolvers<void>();
  const onFlushed = Promise.withResolvers<void>();
  const onShared = Promise.withResolvers<void>();
  onShared.promise.catch(() => undefined);

  const command = (message: GrabCommand) => {
    grab?.postMessage(message);
    Atomics.store(control, 0, 1);
    Atomics.notify(control, 0);
  };

  function startEncoder(): void {
    const segment = segments++;
    const file = join(options.folder, segment === 0 ? 'screen.mkv' : `screen-${segment}.mkv`);
    const ends = new Int32Array(2);
    if (libc().pipe2(ends, O_CLOEXEC) !== 0)
      throw new StudioError('CAPTURE_FAILED', 'The system gave no pipe for the encoder.', {});
    const [read = -1, write = -1] = ends;
    const args = masterArgs(file, fpsModeArgs(options.ffmpeg), rect, codec);
    const child = spawn(options.ffmpeg.path, args, { stdio: [read, 'ignore', 'pipe'] });
    closeSync(read);
    const exited = new Promise<void>((done) => {
      child.once('error', () => done());
      child.once('close', () => done());
    });
    const encoder: Encoder = { segment, child, file, stderr: '', exited, replaced: false };
    child.stderr?.on('data', (data: Buffer) => {
      encoder.stderr = (encoder.stderr + data.toString()).slice(-4000);
    });
    encoders.push(encoder);
    exited.then(() => encoderGone(encoder));
    command({ type: 'segment', segment, fd: write, rect });
  }

  function encoderGone(encoder: Encoder): void {
    const current = encoders.at(-1) === encoder && !encoder.replaced;
    if (!current || stopping) return;
    encoder.replaced = true;
    if (/No space left/i.test(encoder.stderr)) {
      options.onNotice('disk-full', 'The disk is full: the encoder could not write.', true);
      return;
    }
    const why =
      encoder.child.signalCode ?? encoder.stderr.trim().split('\n').at(-1) ?? `status ${encoder.child.exitCode}`;
    const now = Date.now();
    deaths.push(now);
    if (deaths.filter((at) => now - at < 10_000).length > MAX_DEATHS) {
      options.onNotice('encoder-failed', `The encoder ended again and again (${why}).`, true);
      return;
    }
    options.onNotice('encoder-restarted', `The encoder ended (${why}); a new one goes on in the next segment.`, false);
    startEncoder();
  }

  /** Goes on in a new segment with the codec that suits what the screen does. */
  function use(wanted: MasterCodec): void {
    if (wanted === codec || stopping || !options.ffmpeg.encoders.has(BUSY_ENCODER)) return;
    codec = wanted;
    nextSegment();
  }

  function nextSegment(): void {
    const old = encoders.at(-1);
    if (old) old.replaced = true;
    startEncoder();
  }

  function onGrab(message: GrabReport): void {
    if (message.type === 'frame') {
      frameCount++;
      options.onFrame(message.frame);
      use(motion.see(message.frame));
    } else if (message.type === 'view') options.onView(message.t, message.rect, message.segment);
    else if (message.type === 'counts') {
      const { dropped, late, black, ticks } = message;
      counts = { frames: frameCount, dropped, late, black, ticks };
      use(motion.idle(options.clock.now()));
    } else if (message.type === 'mode') {
      mode = message.mode;
      options.onNotice('poll-mode', message.why, false);
    } else if (message.type === 'begun') {
      pictures = { cursor: message.cursor, lossless: message.lossless };
      onShared.resolve();
    } else if (message.type === 'refused') onShared.reject(new StudioError(message.code, message.message, {}));
    else if (message.type === 'ended')
      options.onNotice('sharing-ended', 'The sharing of the screen was ended outside of the studio.', true);
    else if (message.type === 'off-screen')
      options.onNotice('off-screen', 'The captured rectangle is no longer all on the screen.', false);
    else if (message.type === 'failed') {
      options.onNotice('capture-failed', message.message, true);
      onStopped.resolve();
    } else onStopped.resolve();
  }

  function onFeed(message: FeedMessage): void {
    if (message.type !== 'broken' || stopping) return;
    // The encoder's end is noticed by its exit; one that closed its input but lives on is ended here.
    encoders.find((e) => e.segment === message.segment)?.child.kill('SIGKILL');
  }

  function onStill(message: StillReport): void {
    if (message.type === 'flushed') onFlushed.resolve();
    else if (message.done.ok)
      options.onStill?.({ t: message.done.t, frame: message.done.frame, file: message.done.file });
  }

  const failed = (error: Error) => {
    onShared.reject(error);
    options.onNotice('capture-failed', error.message, true);
    onStopped.resolve();
    onFlushed.resolve();
  };

  return {
    grabber: outside ? 'portal' : 'x11-shm',
    encoder: `libx264rgb lossless, ${BUSY_ENCODER} while everything moves`,
    mode: () => mode,
    pictures: () => pictures,
    counts: () => ({ ...counts, frames: frameCount }),
    alive: () => Atomics.load(control, 1),
    async start() {
      const jobs = new MessageChannel();
      stills = new Worker(new URL('./still-worker.ts', import.meta.url), {
        workerData: { jobs: jobs.port1 },
        transferList: [jobs.port1],
      });
      stills.on('message', onStill).on('error', failed);
      feed = new Worker(new URL('./feed-worker.ts', import.meta.url), { workerData: { queue } });
      feed.on('message', onFeed).on('error', failed);
      const { startNs, startedAtMs } = options.clock;
      const setup: GrabSetup = {
        queue,
        control,
        startNs,
        startedAtMs,
        fps: options.fps,
        stills: join(options.folder, 'keyframes'),
        stillPort: jobs.port2,
      };
      const { x, y, width, height } = options.display;
      grab = outside
        ? new Worker(new URL('./outside-worker.ts', import.meta.url), {
            workerData: { ...setup, outside, display: { x, y, width, height } } satisfies OutsideSetup,
            transferList: [jobs.port2],
          })
        : new Worker(new URL('./grab-worker.ts', import.meta.url), {
            workerData: setup,
            transferList: [jobs.port2],
          });
      grab.on('message', onGrab).on('error', failed);
      startEncoder();
      if (!outside) return;
      const late = setTimeout(() => {
        const message = 'Nobody answered the system’s question which screen to share. Start again and answer it.';
        onShared.reject(new StudioError('NO_PERMISSION', message, {}));
      }, SHARE_WITHIN);
      await onShared.promise.finally(() => clearTimeout(late));
    },
    pause: () => command({ type: 'pause' }),
    resume: () => command({ type: 'resume' }),
    setRect(next: Rect) {
      const sameSize = next.width === rect.width && next.height === rect.height;
      rect = next;
      if (sameSize) return command({ type: 'move', rect });
      motion = watchMotion(rect.width * rect.height, options.fps);
      nextSegment();
    },
    wantStill: (t) => command({ type: 'still', t }),
    wantStillAfter: (t) => command({ type: 'still-after', t }),
    async stop() {
      stopping = true;
      command({ type: 'stop' });
      await onStopped.promise;
      stills?.postMessage('flush');
      const closed = Promise.all(encoders.map((e) => e.exited));
      const late = setTimeout(() => {
        for (const e of encoders) e.child.kill('SIGKILL');
      }, CLOSE_WITHIN);
      await Promise.all([closed, onFlushed.promise]);
      clearTimeout(late);
    },
    kill() {
      stopping = true;
      // It waits for nothing that could be gone, unlike one that reads the screen.
      if (outside) void grab?.terminate();
      for (const e of encoders) e.child.kill('SIGKILL');
    },
  };
}
