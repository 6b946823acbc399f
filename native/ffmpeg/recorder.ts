import { type ChildProcess, spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import type { ScreenCounts, ScreenOptions, ScreenRecorder } from '../platform.ts';
import { type Grabber, grabArgs } from './args.ts';
import type { FfmpegInfo } from './find.ts';
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
};

const FIRST_FRAME_MS = 15_000;
const CLOSE_MS = 10_000;
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
  let firstFrame: (() => void) | null = null;

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
    if (segment.reported === 0) options.onView(t, segment.rect, segment.index);
    const seen = segment.lastTick?.ptsUs === shown.ptsUs ? segment.tickBefore : null;
    options.onFrame({
      i: nextFrame++,
      // Matroska's milliseconds: ffmpeg rounds to the nearest.
      pts: Math.round((shown.ptsUs - segment.firstPtsUs) / 1000),
      t,
      // ddagrab: between two frames nothing was looked at, so nothing was seen.
      ...(seen === null || segment.reported === 0 || grabber === 'ddagrab' ? {} : { seen }),
      ...(segment.index === 0 ? {} : { seg: segment.index }),
    });
    segment.reported++;
    counts.frames++;
    firstFrame?.();
  };

  const open = (): void => {
    if (grabber === null) return;
    const file = join(options.folder, segmentFile(nextSegment));
    const args = grabArgs(grabber, {
      rect,
      displayOrigin: options.display,
      source: from.source,
      fps: options.fps,
      output: file,
      ffmpeg: options.ffmpeg,
    });
    const child = spawn(options.ffmpeg.path, args, { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true });
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
    };
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
    segment.closing = true;
    segment.cutAt = Math.min(segment.cutAt, cutAt);
    if (segment.child.exitCode === null && segment.child.stdin?.writable) segment.child.stdin.write('q');
    const timer = setTimeout(() => segment.child.kill('SIGKILL'), CLOSE_MS);
    await segment.ended;
    clearTimeout(timer);
    if (segment.reported === 0) {
      await rm(segment.file, { force: true });
      // Nothing refers to it: the number is free again.
      nextSegment = segment.index;
    } else if (segment.written > segment.reported) {
      await keepFrames(options.ffmpeg.path, segment.file, segment.reported);
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
      open();
      const segment = current as Segment | null;
      const started = await Promise.race([shown, segment?.ended.then(() => false) ?? false]);
      firstFrame = null;
      if (started) return;
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
    setRect: (next) => {
      if (sameRect(rect, next)) return;
      rect = next;
      void enqueue(async () => {
        if (current === null || sameRect(current.rect, rect)) return;
        await closeCurrent(Number.POSITIVE_INFINITY);
        if (!paused && !stopped) open();
      });
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

/** Cuts a segment after its first `frames` frames, without encoding again (no B-frames: any place will do). */
async function keepFrames(ffmpeg: string, file: string, frames: number): Promise<void> {
  const cut = `${file}.cut`;
  const child = spawn(
    ffmpeg,
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-i',
      file,
      '-c',
      'copy',
      '-frames:v',
      `${frames}`,
      '-f',
      'matroska',
      cut,
    ],
    { stdio: 'ignore', windowsHide: true },
  );
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  if (code !== 0) {
    await rm(cut, { force: true });
    throw new StudioError('CAPTURE_FAILED', `The frames after the pause could not be cut from ${file}.`, { file });
  }
  await rename(cut, file);
}
