import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import type { FfmpegInfo } from '../../ffmpeg/find.ts';
import { cutMkv } from '../../mkv/cut.ts';
import { type HeldFile, openHeldFile } from '../../mkv/held.ts';
import type { PictureJudgement, ScreenCounts, ScreenOptions, ScreenRecorder } from '../contract.ts';
import { type Grabber, grabArgs } from './args.ts';
import type { PtsClock } from './pts-clock.ts';
import { isComplaint, parseShowinfo } from './showinfo.ts';

/** Where an OS's frames come from. */
type GrabSource = {
  /** The grabber for this ffmpeg; throws UNSUPPORTED_PLATFORM when it has none. */
  grabber(ffmpeg: FfmpegInfo): Grabber;
  /** X display, DXGI output index or avfoundation screen (args.ts). */
  source: string;
  ptsClock(grabber: Grabber): PtsClock;
};

type Segment = {
  index: number;
  file: string;
  rect: Rect;
  child: ChildProcess;
  /** Kept frames in the file, and of those the ones reported. */
  written: number;
  reported: number;
  firstPtsUs: number | null;
  lastTick: { ptsUs: number; t: number } | null;
  tickBefore: number | null;
  /** Set when the end was asked for. */
  closing: boolean;
  /** Frames from here on are not of the recording (a pause), µs. */
  cutAt: number;
  complaints: string[];
  ended: Promise<void>;
  /** Where pictures have to be judged first: the file as far as it may be written, and the pictures that wait (I6). */
  held: { file: HeldFile; frames: Frame[]; dropped: boolean } | null;
};

const FIRST_FRAME_MS = 15_000;
const CLOSE_MS = 10_000;
/** How long pictures of a closed segment wait for their judgement before they are forgotten, ms. */
const JUDGED_MS = 1000;
/** Encoded pictures that may wait; with more of them the segment is given up. */
const MOST_HELD = 256 * 2 ** 20;
/** So many segments in a row without a single frame end the recording. */
const MOST_EMPTY = 3;

function segmentFile(index: number): string {
  return index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
}

/**
 * Records with ffmpeg itself as the grabber: Windows, macOS, and Linux where the own grabber cannot run. Stills while
 * recording (K8) need frames in memory, which ffmpeg keeps to itself: `wantStill` does nothing, stills are cut afterwards.
 * Black frames are not counted here for the same reason.
 */
export function ffmpegRecorder(options: ScreenOptions, from: GrabSource): ScreenRecorder {
  const { clock } = options;
  const counts: ScreenCounts = { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0 };
  const periodUs = 1e6 / options.fps;
  let grabber: Grabber | null = null;
  let pts: PtsClock | null = null;
  let sampler: NodeJS.Timeout | undefined;
  let rect = options.rect;
  let nextFrame = 0;
  let nextSegment = 0;
  let current: Segment | null = null;
  let paused = false;
  let stopped = false;
  let empty = 0;
  let beat = 0;
  let ticksSeen = 0;
  let queue: Promise<void> = Promise.resolve();
  /** Segments whose end was asked for. */
  const closing = new Set<Segment>();
  let firstFrame: (() => void) | null = null;
  let judgement: PictureJudgement = {
    to: options.held ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
    cuts: [],
  };

  /** Tells of a picture that is, or may be, on the disk. */
  const report = (segment: Segment, frame: Frame): void => {
    if (segment.reported === 0) options.onView(frame.t, segment.rect, segment.index);
    options.onFrame({ ...frame, i: nextFrame++ });
    segment.reported++;
    counts.frames++;
  };
  /** Lets out what is judged. A picture is coded by the ones before it: after one that is forgotten none can stay. */
  const release = (segment: Segment): void => {
    const { held } = segment;
    if (!held || held.dropped) return;
    while (held.frames[0]) {
      const [frame] = held.frames;
      const cut = frame.t >= segment.cutAt || judgement.cuts.some(({ from, to }) => frame.t >= from && frame.t < to);
      if (cut) forget(held);
      if (cut || frame.t > judgement.to) return;
      held.frames.shift();
      report(segment, frame);
      held.file.allow(segment.reported);
    }
  };
  const forget = (held: NonNullable<Segment['held']>): void => {
    held.dropped = true;
    held.frames = [];
    held.file.drop();
  };
  const judged = async (segment: Segment): Promise<void> => {
    for (let waited = 0; segment.held?.frames.length && waited < JUDGED_MS; waited += 10)
      await new Promise((done) => setTimeout(done, 10));
    if (!segment.held) return;
    forget(segment.held);
    segment.held.file.close();
  };

  const onLine = (segment: Segment, line: string): void => {
    const shown = parseShowinfo(line);
    if (shown === null) {
      if (isComplaint(line)) segment.complaints = [...segment.complaints.slice(-7), line];
      return;
    }
    const t = pts!.toSession(shown.ptsUs, clock.now());
    if (shown.kind === 'tick') {
      counts.ticks++;
      const gapUs = segment.lastTick === null ? 0 : t - segment.lastTick.t;
      // ddagrab gives no tick while nothing changes: a gap says nothing there.
      if (grabber !== 'ddagrab' && gapUs > 1.5 * periodUs) {
        counts.late++;
        counts.dropped += Math.round(gapUs / periodUs) - 1;
      }
      segment.tickBefore = segment.lastTick?.t ?? null;
      segment.lastTick = { ptsUs: shown.ptsUs, t };
      return;
    }
    segment.written++;
    segment.firstPtsUs ??= shown.ptsUs;
    if (t >= segment.cutAt) return;
    empty = 0;
    const seen = segment.lastTick?.ptsUs === shown.ptsUs ? segment.tickBefore : null;
    const first = segment.held ? segment.written === 1 : segment.reported === 0;
    const frame: Frame = {
      i: 0,
      // Matroska's milliseconds: ffmpeg rounds to the nearest.
      pts: Math.round((shown.ptsUs - segment.firstPtsUs) / 1000),
      t,
      // ddagrab: between two frames nothing was looked at, so nothing was seen.
      ...(seen === null || first || grabber === 'ddagrab' ? {} : { seen }),
      ...(segment.index === 0 ? {} : { seg: segment.index }),
    };
    options.onPictured?.();
    if (segment.held) {
      if (!segment.held.dropped) segment.held.frames.push(frame);
      release(segment);
    } else report(segment, frame);
    firstFrame?.();
  };

  const takeOutput = (segment: Segment, bytes: Buffer): void => {
    const { held } = segment;
    if (!held || held.dropped) return;
    try {
      held.file.take(bytes);
      if (held.file.waiting() <= MOST_HELD) return;
      counts.dropped += held.frames.length;
      forget(held);
      options.onNotice('pictures-waited', 'Pictures waited too long for their judgement and were dropped.', false);
      segment.child.kill('SIGKILL');
    } catch (error) {
      forget(held);
      const message = error instanceof Error ? error.message : String(error);
      options.onNotice(/ENOSPC/.test(message) ? 'disk-full' : 'capture-failed', message, true);
    }
  };

  const open = (): void => {
    if (grabber === null) return;
    const file = join(options.folder, segmentFile(nextSegment));
    const args = grabArgs(grabber, {
      rect,
      displayOrigin: options.display,
      source: from.source,
      fps: options.fps,
      output: options.held ? null : file,
      ffmpeg: options.ffmpeg,
    });
    const child = spawn(options.ffmpeg.path, args, {
      stdio: ['pipe', options.held ? 'pipe' : 'ignore', 'pipe'],
      windowsHide: true,
    });
    child.stdin?.on('error', () => {});
    const segment: Segment = {
      index: nextSegment++,
      file,
      rect,
      child,
      written: 0,
      reported: 0,
      firstPtsUs: null,
      lastTick: null,
      tickBefore: null,
      closing: false,
      cutAt: Number.POSITIVE_INFINITY,
      complaints: [],
      ended: Promise.resolve(),
      held: options.held ? { file: openHeldFile(file), frames: [], dropped: false } : null,
    };
    child.stdout?.on('data', (bytes: Buffer) => takeOutput(segment, bytes));
    const lines = createInterface({ input: child.stderr! });
    lines.on('line', (line) => onLine(segment, line));
    segment.ended = new Promise((resolve) => {
      // `close`: after the last line was read.
      child.once('close', () => resolve());
      child.once('error', (error) => {
        segment.complaints.push(error.message);
        resolve();
      });
    });
    void segment.ended.then(() => died(segment));
    current = segment;
  };

  /** The grabber ended by itself: go on in a new segment, unless that is hopeless. */
  const died = (segment: Segment): void => {
    if (segment.closing || stopped) return;
    if (current === segment) current = null;
    void judged(segment);
    const reason = segment.complaints.slice(-3).join(' | ') || 'no message';
    if (/No space left on device|ENOSPC/i.test(reason)) {
      options.onNotice('disk-full', 'The disk is full: the recording ends here. What was written is kept.', true);
      return;
    }
    empty = segment.reported === 0 ? empty + 1 : 0;
    if (segment.reported === 0) void rm(segment.file, { force: true });
    // The first start is reported by start() itself.
    if (firstFrame !== null) return;
    if (empty >= MOST_EMPTY) {
      options.onNotice('capture-failed', `ffmpeg ends without a frame again and again: ${reason}`, true);
      return;
    }
    options.onNotice('encoder-restarted', `ffmpeg ended by itself and was started again: ${reason}`, false);
    void enqueue(() => {
      if (!paused && !stopped && current === null) open();
    });
  };

  /** Ends the current segment; the file is whole afterwards and holds no frame from `cutAt` on (I6). */
  const closeCurrent = async (cutAt: number): Promise<void> => {
    const segment = current;
    if (segment === null) return;
    current = null;
    closing.add(segment);
    segment.closing = true;
    segment.cutAt = Math.min(segment.cutAt, cutAt);
    if (segment.child.exitCode === null && segment.child.stdin?.writable) segment.child.stdin.write('q');
    const timer = setTimeout(() => segment.child.kill('SIGKILL'), CLOSE_MS);
    await segment.ended;
    clearTimeout(timer);
    await judged(segment);
    closing.delete(segment);
    if (segment.reported === 0) {
      await rm(segment.file, { force: true });
      // Nothing refers to it: the number is free again.
      nextSegment = segment.index;
    } else if (!segment.held && segment.written > segment.reported) {
      const { reported } = segment;
      await cutMkv(segment.file, { keep: (_, at) => at < reported });
    }
  };

  const enqueue = (work: () => void | Promise<void>): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => {
      options.onNotice('capture-failed', error instanceof Error ? error.message : String(error), true);
    });
    return queue;
  };

  return {
    get grabber() {
      return grabber ?? 'ffmpeg';
    },
    mode: () => 'decimate',
    encoder: 'libx264rgb',
    start: async () => {
      grabber = from.grabber(options.ffmpeg);
      pts = from.ptsClock(grabber);
      sampler = setInterval(() => pts?.sample(), 1000);
      sampler.unref();
      const shown = new Promise<boolean>((resolve) => {
        firstFrame = () => resolve(true);
        setTimeout(() => resolve(false), FIRST_FRAME_MS).unref();
      });
      // A window that is left out is in front from the start: nothing is grabbed until it is gone.
      if (paused) return;
      open();
      const segment = current as Segment | null;
      const started = await Promise.race([shown, segment?.ended.then(() => false) ?? false]);
      firstFrame = null;
      if (started || paused) return;
      stopped = true;
      clearInterval(sampler);
      segment?.child.kill('SIGKILL');
      const reason = segment?.complaints.slice(-3).join(' | ') || `no frame within ${FIRST_FRAME_MS / 1000} s`;
      throw new StudioError('CAPTURE_FAILED', `ffmpeg (${grabber}) could not grab the screen: ${reason}`, {
        grabber,
        rect,
      });
    },
    pause: () => {
      if (paused || stopped) return;
      paused = true;
      const at = clock.now();
      if (current !== null) current.cutAt = at;
      void enqueue(() => closeCurrent(at));
    },
    resume: () => {
      if (!paused || stopped) return;
      paused = false;
      void enqueue(() => {
        if (!paused && !stopped && current === null) open();
      });
    },
    forget: (from, rewrite) => {
      const done = Promise.withResolvers<void>();
      void enqueue(async () => {
        try {
          // A pause has closed it already, unless it began and ended before its turn came.
          await closeCurrent(from);
          const left = await rewrite();
          nextFrame = counts.frames = left.frames;
          nextSegment = left.segments;
          done.resolve();
        } catch (error) {
          done.reject(error);
        }
      });
      return done.promise;
    },
    setRect: (next) => {
      if (sameRect(rect, next)) return;
      rect = next;
      void enqueue(async () => {
        if (current === null || sameRect(current.rect, rect)) return;
        await closeCurrent(Number.POSITIVE_INFINITY);
        if (!paused && !stopped) open();
      });
    },
    judge: (next) => {
      judgement = next;
      if (current) release(current);
      for (const segment of closing) release(segment);
    },
    wantStill: () => {},
    wantStillAfter: () => {},
    counts: () => ({ ...counts }),
    alive: () => {
      // Without ticks to go by (paused, between segments, ddagrab on a still screen) a running program counts as life.
      const unticked = paused || current === null || grabber === 'ddagrab';
      if (unticked || counts.ticks !== ticksSeen) beat++;
      ticksSeen = counts.ticks;
      return beat;
    },
    stop: async () => {
      await enqueue(() => closeCurrent(Number.POSITIVE_INFINITY));
      stopped = true;
      clearInterval(sampler);
    },
    kill: () => {
      stopped = true;
      clearInterval(sampler);
      current?.child.kill('SIGKILL');
    },
  };
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
