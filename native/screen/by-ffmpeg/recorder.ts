import { rm } from 'node:fs/promises';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { FfmpegInfo } from '../../ffmpeg/find.ts';
import { cutMkv } from '../../mkv/cut.ts';
import type { LeftPictures, PictureJudgement, ScreenCounts, ScreenOptions, ScreenRecorder } from '../contract.ts';
import type { Grabber } from './args.ts';
import type { PtsClock } from './pts-clock.ts';
import { GrabbedSegment } from './segment.ts';

/** Where an OS's frames come from. */
type GrabSource = {
  /** The grabber for this ffmpeg; throws UNSUPPORTED_PLATFORM when it has none. */
  grabber(ffmpeg: FfmpegInfo): Grabber;
  /** X display, DXGI output index or avfoundation screen (args.ts). */
  source: string;
  ptsClock(grabber: Grabber): PtsClock;
};

const FIRST_FRAME_MS = 15_000;
const CLOSE_MS = 10_000;
/** So many segments in a row without a single frame end the recording. */
const MOST_EMPTY = 3;

/**
 * Records with ffmpeg itself as the grabber: Windows, macOS, and Linux where the own grabber cannot run. Stills while
 * recording (K8) need frames in memory, which ffmpeg keeps to itself: `wantStill` does nothing, stills are cut afterwards.
 * Black frames are not counted here for the same reason.
 */
export function ffmpegRecorder(options: ScreenOptions, from: GrabSource): ScreenRecorder {
  return new FfmpegRecorder(options, from);
}

class FfmpegRecorder implements ScreenRecorder {
  readonly encoder = 'libx264rgb';
  readonly #options: ScreenOptions;
  readonly #from: GrabSource;
  readonly #counts: ScreenCounts = { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0 };
  #grabber: Grabber | null = null;
  #pts: PtsClock | null = null;
  #sampler: NodeJS.Timeout | undefined;
  #rect: Rect;
  #nextFrame = 0;
  #nextSegment = 0;
  #current: GrabbedSegment | null = null;
  #paused = false;
  #stopped = false;
  #empty = 0;
  #beat = 0;
  #ticksSeen = 0;
  #queue: Promise<void> = Promise.resolve();
  /** Segments whose end was asked for. */
  readonly #closing = new Set<GrabbedSegment>();
  #firstFrame: (() => void) | null = null;
  #judgement: PictureJudgement;

  constructor(options: ScreenOptions, from: GrabSource) {
    this.#options = options;
    this.#from = from;
    this.#rect = options.rect;
    this.#judgement = { to: options.held ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, cuts: [] };
  }

  get grabber(): ScreenRecorder['grabber'] {
    return this.#grabber ?? 'ffmpeg';
  }

  mode(): 'decimate' {
    return 'decimate';
  }

  async start(): Promise<void> {
    const grabber = this.#from.grabber(this.#options.ffmpeg);
    this.#grabber = grabber;
    this.#pts = this.#from.ptsClock(grabber);
    this.#sampler = setInterval(() => this.#pts?.sample(), 1000);
    this.#sampler.unref();
    const shown = new Promise<boolean>((resolve) => {
      this.#firstFrame = () => resolve(true);
      setTimeout(() => resolve(false), FIRST_FRAME_MS).unref();
    });
    // A window that is left out is in front from the start: nothing is grabbed until it is gone.
    if (this.#paused) return;
    this.#open();
    const segment = this.#current as GrabbedSegment | null;
    const started = await Promise.race([shown, segment?.ended.then(() => false) ?? false]);
    this.#firstFrame = null;
    if (started || this.#paused) return;
    this.#stopped = true;
    clearInterval(this.#sampler);
    segment?.child.kill('SIGKILL');
    const reason = segment?.complaint() || `no frame within ${FIRST_FRAME_MS / 1000} s`;
    throw new StudioError('CAPTURE_FAILED', `ffmpeg (${grabber}) could not grab the screen: ${reason}`, {
      grabber,
      rect: this.#rect,
    });
  }

  pause(): void {
    if (this.#paused || this.#stopped) return;
    this.#paused = true;
    const at = this.#options.clock.now();
    if (this.#current !== null) this.#current.cutAt = at;
    void this.#enqueue(() => this.#closeCurrent(at));
  }

  resume(): void {
    if (!this.#paused || this.#stopped) return;
    this.#paused = false;
    void this.#enqueue(() => this.#openUnlessOpen());
  }

  forget(from: number, rewrite: () => Promise<LeftPictures>): Promise<void> {
    const done = Promise.withResolvers<void>();
    void this.#enqueue(async () => {
      try {
        // A pause has closed it already, unless it began and ended before its turn came.
        await this.#closeCurrent(from);
        const left = await rewrite();
        this.#nextFrame = this.#counts.frames = left.frames;
        this.#nextSegment = left.segments;
        done.resolve();
      } catch (error) {
        done.reject(error);
      }
    });
    return done.promise;
  }

  setRect(next: Rect): void {
    if (sameRect(this.#rect, next)) return;
    this.#rect = next;
    void this.#enqueue(async () => {
      if (this.#current === null || sameRect(this.#current.rect, this.#rect)) return;
      await this.#closeCurrent(Number.POSITIVE_INFINITY);
      if (!this.#paused && !this.#stopped) this.#open();
    });
  }

  judge(next: PictureJudgement): void {
    this.#judgement = next;
    this.#current?.release();
    for (const segment of this.#closing) segment.release();
  }

  wantStill(): void {}

  wantStillAfter(): void {}

  counts(): ScreenCounts {
    return { ...this.#counts };
  }

  alive(): number {
    // Without ticks to go by (paused, between segments, ddagrab on a still screen) a running program counts as life.
    const unticked = this.#paused || this.#current === null || this.#grabber === 'ddagrab';
    if (unticked || this.#counts.ticks !== this.#ticksSeen) this.#beat++;
    this.#ticksSeen = this.#counts.ticks;
    return this.#beat;
  }

  async stop(): Promise<void> {
    await this.#enqueue(() => this.#closeCurrent(Number.POSITIVE_INFINITY));
    this.#stopped = true;
    clearInterval(this.#sampler);
  }

  kill(): void {
    this.#stopped = true;
    clearInterval(this.#sampler);
    this.#current?.child.kill('SIGKILL');
  }

  #open(): void {
    if (this.#grabber === null || this.#pts === null) return;
    const segment = new GrabbedSegment(this.#nextSegment++, this.#rect, {
      options: this.#options,
      grabber: this.#grabber,
      source: this.#from.source,
      pts: this.#pts,
      counts: this.#counts,
      judgement: () => this.#judgement,
      takeNumber: () => this.#nextFrame++,
      onPicture: () => {
        this.#empty = 0;
        this.#firstFrame?.();
      },
    });
    void segment.ended.then(() => this.#died(segment));
    this.#current = segment;
  }

  #openUnlessOpen(): void {
    if (!this.#paused && !this.#stopped && this.#current === null) this.#open();
  }

  /** The grabber ended by itself: go on in a new segment, unless that is hopeless. */
  #died(segment: GrabbedSegment): void {
    if (segment.closing || this.#stopped) return;
    if (this.#current === segment) this.#current = null;
    void segment.judged();
    const reason = segment.complaint() || 'no message';
    if (/No space left on device|ENOSPC/i.test(reason)) {
      this.#options.onNotice('disk-full', 'The disk is full: the recording ends here. What was written is kept.', true);
      return;
    }
    this.#empty = segment.reported === 0 ? this.#empty + 1 : 0;
    if (segment.reported === 0) void rm(segment.file, { force: true });
    // The first start is reported by start() itself.
    if (this.#firstFrame !== null) return;
    if (this.#empty >= MOST_EMPTY) {
      this.#options.onNotice('capture-failed', `ffmpeg ends without a frame again and again: ${reason}`, true);
      return;
    }
    this.#options.onNotice('encoder-restarted', `ffmpeg ended by itself and was started again: ${reason}`, false);
    void this.#enqueue(() => this.#openUnlessOpen());
  }

  /** Ends the current segment; the file is whole afterwards and holds no frame from `cutAt` on (I6). */
  async #closeCurrent(cutAt: number): Promise<void> {
    const segment = this.#current;
    if (segment === null) return;
    this.#current = null;
    this.#closing.add(segment);
    segment.closing = true;
    segment.cutAt = Math.min(segment.cutAt, cutAt);
    if (segment.child.exitCode === null && segment.child.stdin?.writable) segment.child.stdin.write('q');
    const timer = setTimeout(() => segment.child.kill('SIGKILL'), CLOSE_MS);
    await segment.ended;
    clearTimeout(timer);
    await segment.judged();
    this.#closing.delete(segment);
    if (segment.reported === 0) {
      await rm(segment.file, { force: true });
      // Nothing refers to it: the number is free again.
      this.#nextSegment = segment.index;
    } else if (!segment.held && segment.written > segment.reported) {
      const { reported } = segment;
      await cutMkv(segment.file, { keep: (_, at) => at < reported });
    }
  }

  #enqueue(work: () => void | Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#options.onNotice('capture-failed', error instanceof Error ? error.message : String(error), true);
    });
    return this.#queue;
  }
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
