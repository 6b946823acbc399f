import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import { BUSY_ENCODER, calmEncoder, fpsModeArgs, largePages, type MasterCodec, masterArgs } from '../ffmpeg/master.ts';
import type { ScreenCounts, ScreenOptions, ScreenRecorder } from './contract.ts';
import type { FeedMessage, FeedSetup } from './feed.ts';
import type { EncoderPipe } from './feed-pipe.ts';
import { createFeedQueue } from './feed-queue.ts';
import type { GrabCommand, GrabReport, GrabSetup } from './grab-protocol.ts';
import { watchMotion } from './motion.ts';
import type { StillReport } from './still-worker.ts';

/**
 * A screen recorder of our own: one thread looks at the screen, or is handed pictures of it (a source's `worker`), one feeds
 * the encoder (its `feeder`), one writes stills (still-worker.ts); ffmpeg encodes. This file starts and ends them and
 * replaces an encoder that died.
 */

/** How long an encoder may take to write its last pictures after its input was closed, ms. */
const CLOSE_WITHIN = 20_000;
/** More deaths of the encoder than this within ten seconds end the recording: something is wrong with the machine. */
const MAX_DEATHS = 5;
const ENDED_OUTSIDE = 'The sharing of the screen was ended outside of the studio.';
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

/** One way to get pictures of the screen. */
export type ScreenSource = {
  grabber: string;
  /** `damage` where the system says what was painted, else `poll`; `delivered` by another process. */
  mode: 'damage' | 'poll' | 'delivered';
  /** The thread that takes the pictures (grab-protocol.ts), and the one that feeds the encoder (feed.ts). */
  worker: URL;
  feeder: URL;
  openPipe(): EncoderPipe;
  /** The person is asked for the screen: `start` waits for the answer, and this goes to the worker with its set-up. */
  asking?: object;
  /** The pixels are the screen's, as long as the worker does not say otherwise. */
  lossless: boolean;
};

/** 0 while the encoder has not made it. */
function sizeOf(file: string | undefined): number {
  return (file !== undefined && statSync(file, { throwIfNoEntry: false })?.size) || 0;
}

export function createRecorder(options: ScreenOptions, source: ScreenSource): ScreenRecorder {
  const asks = source.asking !== undefined;
  const encoderName = calmEncoder(options.ffmpeg.encoders) ?? 'libx264rgb';
  const queue = createFeedQueue();
  const control = new Int32Array(new SharedArrayBuffer(8));
  let grab: Worker | null = null;
  let feed: Worker | null = null;
  let stills: Worker | null = null;
  const deaths: number[] = [];
  const encoders: Encoder[] = [];
  let rect = options.rect;
  let mode: string = source.mode;
  let pictures: { cursor: boolean | null; lossless: boolean } = { cursor: false, lossless: source.lossless };
  let segments = 0;
  let stopping = false;
  let codec: MasterCodec = 'calm';
  let motion = newMotion();
  let frameCount = 0;
  let counts: ScreenCounts = { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0 };
  const onStopped = Promise.withResolvers<void>();
  let onFlushed = Promise.withResolvers<void>();
  const onShared = Promise.withResolvers<void>();
  onShared.promise.catch(() => undefined);
  /** Set while the last minutes are being forgotten: there is no encoder until the end of the pause. */
  let forgetting: PromiseWithResolvers<void> | null = null;
  /** A thread is gone: nobody answers any more. */
  let broken = false;

  /** Commands from before the grabber was started. */
  const early: GrabCommand[] = [];
  const command = (message: GrabCommand) => {
    if (grab) grab.postMessage(message);
    else early.push(message);
    Atomics.store(control, 0, 1);
    Atomics.notify(control, 0);
  };

  function startEncoder(): void {
    const segment = segments++;
    const file = join(options.folder, segment === 0 ? 'screen.mkv' : `screen-${segment}.mkv`);
    const pipe = source.openPipe();
    const wish = { codec, encoder: encoderName, pipe: pipe.name };
    const args = masterArgs(file, fpsModeArgs(options.ffmpeg), rect, wish);
    const child = spawn(options.ffmpeg.path, args, {
      stdio: [pipe.stdin, 'ignore', 'pipe'],
      env: { ...process.env, ...largePages() },
      windowsHide: true,
    });
    pipe.handedOver();
    const exited = new Promise<void>((done) => {
      child.once('error', () => done());
      child.once('close', () => done());
    });
    const encoder: Encoder = { segment, child, file, stderr: '', exited, replaced: false };
    child.stderr?.on('data', (data: Buffer) => {
      encoder.stderr = (encoder.stderr + data.toString()).slice(-4000);
    });
    encoders.push(encoder);
    exited.then(() => {
      pipe.ended();
      encoderGone(encoder);
    });
    command({ type: 'segment', segment, fd: pipe.write, rect });
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

  function newMotion() {
    return watchMotion(rect.width * rect.height, options.fps, () => sizeOf(encoders.at(-1)?.file));
  }

  /** Goes on in a new segment with the codec that suits what the screen does. */
  function use(wanted: MasterCodec): void {
    if (wanted === codec || stopping || forgetting || encoderName !== 'libx264rgb') return;
    if (!options.ffmpeg.encoders.has(BUSY_ENCODER)) return;
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
    } else if (message.type === 'pictured') options.onPictured?.();
    else if (message.type === 'view') options.onView(message.t, message.rect, message.segment);
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
    } else if (message.type === 'pointer') options.onPointer?.(message);
    else if (message.type === 'refused') onShared.reject(new StudioError(message.code, message.message, {}));
    else if (message.type === 'ended') options.onNotice('sharing-ended', message.message ?? ENDED_OUTSIDE, true);
    else if (message.type === 'forgotten') forgetting?.resolve();
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

  /** When all have ended; one that does not is ended. */
  async function encodersGone(): Promise<void> {
    const late = setTimeout(() => {
      for (const e of encoders) e.child.kill('SIGKILL');
    }, CLOSE_WITHIN);
    await Promise.all(encoders.map((e) => e.exited));
    clearTimeout(late);
  }

  function onStill(message: StillReport): void {
    if (message.type === 'flushed') onFlushed.resolve();
    else if (message.done.ok)
      options.onStill?.({ t: message.done.t, frame: message.done.frame, file: message.done.file });
  }

  /** When the stills that are asked for by now are on the disk. */
  function nextFlush(): Promise<void> {
    if (!broken) onFlushed = Promise.withResolvers<void>();
    return onFlushed.promise;
  }

  const failed = (error: Error) => {
    broken = true;
    onShared.reject(error);
    options.onNotice('capture-failed', error.message, true);
    onStopped.resolve();
    onFlushed.resolve();
  };

  return {
    grabber: source.grabber,
    encoder: `${encoderName} lossless${encoderName === 'libx264rgb' ? `, ${BUSY_ENCODER} while everything moves` : ''}`,
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
      feed = new Worker(source.feeder, { workerData: { queue } satisfies FeedSetup });
      feed.on('message', onFeed).on('error', failed);
      const { startNs, startedAtMs } = options.clock;
      const setup: GrabSetup = {
        queue,
        control,
        startNs,
        startedAtMs,
        fps: options.fps,
        held: options.held ?? false,
        stills: join(options.folder, 'keyframes'),
        stillPort: jobs.port2,
      };
      grab = new Worker(source.worker, { workerData: { ...setup, ...source.asking }, transferList: [jobs.port2] });
      grab.on('message', onGrab).on('error', failed);
      for (const message of early.splice(0)) grab.postMessage(message);
      startEncoder();
      if (!asks) return;
      const late = setTimeout(() => {
        const message = 'Nobody answered the system’s question which screen to share. Start again and answer it.';
        onShared.reject(new StudioError('NO_PERMISSION', message, {}));
      }, SHARE_WITHIN);
      await onShared.promise.finally(() => clearTimeout(late));
    },
    pause: () => command({ type: 'pause' }),
    resume() {
      if (forgetting) {
        forgetting = null;
        startEncoder();
      }
      command({ type: 'resume' });
    },
    async forget(from, rewrite) {
      if (stopping) return;
      const answered = Promise.withResolvers<void>();
      forgetting = answered;
      const flushed = nextFlush();
      // The end of this encoder is none that another one has to make up for.
      for (const e of encoders) e.replaced = true;
      command({ type: 'forget', from });
      await Promise.race([answered.promise, onStopped.promise]);
      await Promise.all([encodersGone(), Promise.race([flushed, onStopped.promise])]);
      const left = await rewrite();
      frameCount = left.frames;
      segments = left.segments;
      motion = newMotion();
      command({ type: 'frames', next: left.frames });
    },
    setRect(next: Rect) {
      const sameSize = next.width === rect.width && next.height === rect.height;
      rect = next;
      if (sameSize) return command({ type: 'move', rect });
      motion = newMotion();
      nextSegment();
    },
    judge: (judgement) => command({ type: 'judge', judgement }),
    wantStill: (t) => command({ type: 'still', t }),
    wantStillAfter: (t) => command({ type: 'still-after', t }),
    async stop() {
      stopping = true;
      command({ type: 'stop' });
      await onStopped.promise;
      const flushed = nextFlush();
      stills?.postMessage('flush');
      await Promise.all([encodersGone(), flushed]);
    },
    kill(withinMs = 0) {
      stopping = true;
      const end = (): void => {
        // It waits for nothing that could be gone, unlike one that reads the screen.
        if (asks) void grab?.terminate();
        for (const e of encoders) e.child.kill('SIGKILL');
      };
      if (asks && withinMs > 0) setTimeout(end, withinMs).unref();
      else end();
    },
  };
}
