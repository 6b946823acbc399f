import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import type { MasterCodec } from '../ffmpeg/master.ts';
import { reasonOf } from '../process/ending.ts';
import { startThread } from '../process/start-thread.ts';
import { protocol, type Started } from '../process/supervise.ts';
import type { LeftPictures, PictureJudgement, ScreenCounts, ScreenOptions, ScreenRecorder } from './contract.ts';
import { SegmentEncoders } from './encoders.ts';
import type { FeedMessage, FeedSetup } from './feed.ts';
import type { EncoderPipe } from './feed-pipe.ts';
import { createFeedQueue } from './feed-queue.ts';
import type { GrabCommand, GrabReport, GrabSetup } from './grab-protocol.ts';
import { watchMotion } from './motion.ts';
import type { StillReport } from './still-worker.ts';

/**
 * A screen recorder of our own: one thread looks at the screen, or is handed pictures of it (a source's `worker`), one feeds
 * the encoder (its `feeder`), one writes stills (still-worker.ts); ffmpeg encodes (encoders.ts). This file starts and ends the
 * threads and passes on what they say.
 */

const ENDED_OUTSIDE = 'The sharing of the screen was ended outside of the studio.';
/** How long the person may take to answer the system's question, ms. */
const SHARE_WITHIN = 180_000;

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

const isReport = protocol<GrabReport>({
  frame: true,
  view: true,
  pictured: true,
  counts: true,
  mode: true,
  'off-screen': true,
  failed: true,
  begun: true,
  refused: true,
  ended: true,
  forgotten: true,
  pointer: true,
  stopped: true,
});

export const createRecorder = (options: ScreenOptions, source: ScreenSource): ScreenRecorder =>
  new ThreadRecorder(options, source);

class ThreadRecorder implements ScreenRecorder {
  readonly grabber: string;
  readonly encoder: string;
  readonly #options: ScreenOptions;
  readonly #source: ScreenSource;
  readonly #encoders: SegmentEncoders;
  readonly #queue = createFeedQueue();
  readonly #control = new Int32Array(new SharedArrayBuffer(8));
  #grab: Started<GrabCommand> | null = null;
  #stills: Started<'flush'> | null = null;
  /** Commands from before the grabber was started. */
  readonly #early: GrabCommand[] = [];
  #motion: ReturnType<typeof watchMotion>;
  #mode: string;
  #pictures: { cursor: boolean | null; lossless: boolean };
  #frames = 0;
  #counts: ScreenCounts = { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0 };
  #stopping = false;
  /** A thread is gone: nobody answers any more. */
  #broken = false;
  /** Set while the last minutes are being forgotten: there is no encoder until the end of the pause. */
  #forgetting: PromiseWithResolvers<void> | null = null;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #shared = Promise.withResolvers<void>();
  #flushed = Promise.withResolvers<void>();

  constructor(options: ScreenOptions, source: ScreenSource) {
    this.#options = options;
    this.#source = source;
    this.grabber = source.grabber;
    this.#mode = source.mode;
    this.#pictures = { cursor: false, lossless: source.lossless };
    this.#shared.promise.catch(() => undefined);
    this.#encoders = new SegmentEncoders(options.rect, {
      folder: options.folder,
      ffmpeg: options.ffmpeg,
      onNotice: (...notice) => options.onNotice(...notice),
      openPipe: () => source.openPipe(),
      onSegment: (segment, fd, rect) => this.#command({ type: 'segment', segment, fd, rect }),
    });
    this.encoder = this.#encoders.name;
    this.#motion = this.#newMotion();
  }

  mode(): string {
    return this.#mode;
  }

  pictures(): { cursor: boolean | null; lossless: boolean } {
    return this.#pictures;
  }

  counts(): ScreenCounts {
    return { ...this.#counts, frames: this.#frames };
  }

  alive(): number {
    return Atomics.load(this.#control, 1);
  }

  async start(): Promise<void> {
    const { clock, fps, held = false, folder } = this.#options;
    const jobs = new MessageChannel();
    this.#stills = startThread<'flush', StillReport>(new URL('./still-worker.ts', import.meta.url), {
      data: { jobs: jobs.port1 },
      transfer: [jobs.port1],
      accepts: protocol<StillReport>({ done: true, flushed: true }),
      onMessage: (message) => this.#onStill(message),
    });
    const feed = startThread<never, FeedMessage>(this.#source.feeder, {
      data: { queue: this.#queue } satisfies FeedSetup,
      accepts: protocol<FeedMessage>({ broken: true, closed: true }),
      onMessage: (message) => this.#onFeed(message),
    });
    const setup: GrabSetup = {
      queue: this.#queue,
      control: this.#control,
      startNs: clock.startNs,
      startedAtMs: clock.startedAtMs,
      fps,
      held,
      stills: join(folder, 'keyframes'),
      stillPort: jobs.port2,
    };
    const grab = startThread<GrabCommand, GrabReport>(this.#source.worker, {
      data: { ...setup, ...this.#source.asking },
      transfer: [jobs.port2],
      accepts: isReport,
      onMessage: (message) => this.#onGrab(message),
    });
    this.#grab = grab;
    for (const { ended } of [this.#stills, feed, grab])
      void ended.then((ending) => {
        if (ending.why === 'threw' || ending.why === 'senseless') this.#failed(reasonOf(ending));
      });
    for (const message of this.#early.splice(0)) grab.send(message);
    this.#encoders.begin();
    if (!this.#asks) return;
    const late = setTimeout(() => {
      const message = 'Nobody answered the system’s question which screen to share. Start again and answer it.';
      this.#shared.reject(new StudioError('NO_PERMISSION', message, {}));
    }, SHARE_WITHIN);
    await this.#shared.promise.finally(() => clearTimeout(late));
  }

  pause(): void {
    this.#command({ type: 'pause' });
  }

  resume(): void {
    if (this.#forgetting) {
      this.#forgetting = null;
      this.#encoders.begin();
    }
    this.#command({ type: 'resume' });
  }

  async forget(from: number, rewrite: () => Promise<LeftPictures>): Promise<void> {
    if (this.#stopping) return;
    const answered = Promise.withResolvers<void>();
    this.#forgetting = answered;
    const flushed = this.#nextFlush();
    // The end of this encoder is none that another one has to make up for.
    this.#encoders.retire();
    this.#command({ type: 'forget', from });
    await Promise.race([answered.promise, this.#stopped.promise]);
    await Promise.all([this.#encoders.ended(), Promise.race([flushed, this.#stopped.promise])]);
    const left = await rewrite();
    this.#frames = left.frames;
    this.#encoders.numberFrom(left.segments);
    this.#motion = this.#newMotion();
    this.#command({ type: 'frames', next: left.frames });
  }

  setRect(rect: Rect): void {
    const { width, height } = this.#encoders.rect;
    this.#encoders.rect = rect;
    if (rect.width === width && rect.height === height) {
      this.#command({ type: 'move', rect });
    } else {
      this.#motion = this.#newMotion();
      this.#encoders.next();
    }
  }

  judge(judgement: PictureJudgement): void {
    this.#command({ type: 'judge', judgement });
  }

  wantStill(t: number, until?: number): void {
    this.#command({ type: 'still', t, until });
  }

  wantStillAfter(t: number): void {
    this.#command({ type: 'still-after', t });
  }

  async stop(): Promise<void> {
    this.#end();
    this.#command({ type: 'stop' });
    await this.#stopped.promise;
    const flushed = this.#nextFlush();
    this.#stills?.send('flush');
    await Promise.all([this.#encoders.ended(), flushed]);
  }

  kill(withinMs = 0): void {
    this.#end();
    const end = (): void => {
      // It waits for nothing that could be gone, unlike one that reads the screen.
      if (this.#asks) void this.#grab?.kill();
      this.#encoders.killAll();
    };
    if (this.#asks && withinMs > 0) setTimeout(end, withinMs).unref();
    else end();
  }

  get #asks(): boolean {
    return this.#source.asking !== undefined;
  }

  #end(): void {
    this.#stopping = true;
    this.#encoders.end();
  }

  #command(message: GrabCommand): void {
    if (this.#grab) this.#grab.send(message);
    else this.#early.push(message);
    Atomics.store(this.#control, 0, 1);
    Atomics.notify(this.#control, 0);
  }

  #newMotion(): ReturnType<typeof watchMotion> {
    const { width, height } = this.#encoders.rect;
    return watchMotion(width * height, this.#options.fps, () => this.#encoders.written());
  }

  #use(codec: MasterCodec): void {
    if (!this.#forgetting) this.#encoders.use(codec);
  }

  #onGrab(message: GrabReport): void {
    const options = this.#options;
    switch (message.type) {
      case 'frame':
        this.#frames++;
        options.onFrame(message.frame);
        this.#use(this.#motion.see(message.frame));
        break;
      case 'pictured':
        options.onPictured?.();
        break;
      case 'view':
        options.onView(message.t, message.rect, message.segment);
        break;
      case 'counts': {
        const { dropped, late, black, ticks } = message;
        this.#counts = { frames: this.#frames, dropped, late, black, ticks };
        this.#use(this.#motion.idle(options.clock.now()));
        break;
      }
      case 'mode':
        this.#mode = message.mode;
        options.onNotice('poll-mode', message.why, false);
        break;
      case 'begun':
        this.#pictures = { cursor: message.cursor, lossless: message.lossless };
        this.#shared.resolve();
        break;
      case 'pointer':
        options.onPointer?.(message);
        break;
      case 'refused':
        this.#shared.reject(new StudioError(message.code, message.message, {}));
        break;
      case 'ended':
        options.onNotice(message.code ?? 'sharing-ended', message.message ?? ENDED_OUTSIDE, true);
        break;
      case 'forgotten':
        this.#forgetting?.resolve();
        break;
      case 'off-screen':
        options.onNotice('off-screen', 'The captured rectangle is no longer all on the screen.', false);
        break;
      case 'failed':
        options.onNotice('capture-failed', message.message, true);
        this.#stopped.resolve();
        break;
      default:
        this.#stopped.resolve();
    }
  }

  #onFeed(message: FeedMessage): void {
    if (message.type === 'broken' && !this.#stopping) this.#encoders.kill(message.segment);
  }

  #onStill(message: StillReport): void {
    if (message.type === 'flushed') this.#flushed.resolve();
    else if (message.done.ok) {
      const { t, frame, file } = message.done;
      this.#options.onStill?.({ t, frame, file });
    }
  }

  /** When the stills that are asked for by now are on the disk. */
  #nextFlush(): Promise<void> {
    if (!this.#broken) this.#flushed = Promise.withResolvers<void>();
    return this.#flushed.promise;
  }

  #failed(why: string): void {
    this.#broken = true;
    this.#shared.reject(new Error(why));
    this.#options.onNotice('capture-failed', why, true);
    this.#stopped.resolve();
    this.#flushed.resolve();
  }
}
