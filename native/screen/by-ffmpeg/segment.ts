import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Rect } from '../../../schemas/events.ts';
import type { Frame } from '../../../schemas/frames.ts';
import { type HeldFile, openHeldFile } from '../../mkv/held.ts';
import type { PictureJudgement, ScreenCounts, ScreenOptions } from '../contract.ts';
import { type Grabber, grabArgs } from './args.ts';
import type { PtsClock } from './pts-clock.ts';
import { isComplaint, parseShowinfo } from './showinfo.ts';

/** Given to a segment by its recorder. */
type SegmentParts = {
  options: ScreenOptions;
  grabber: Grabber;
  /** X display, DXGI output index or avfoundation screen (args.ts). */
  source: string;
  pts: PtsClock;
  /** The whole recording's, counted on. */
  counts: ScreenCounts;
  judgement(): PictureJudgement;
  /** The number of the next picture that is told of. */
  takeNumber(): number;
  /** A picture of the recording came. */
  onPicture(): void;
};

/** How long pictures of a closed segment wait for their judgement before they are forgotten, ms. */
const JUDGED_MS = 1000;
/** Encoded pictures that may wait; with more of them the segment is given up. */
const MOST_HELD = 256 * 2 ** 20;

function segmentFile(index: number): string {
  return index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
}

/** One file of the recording and the ffmpeg that writes it. */
export class GrabbedSegment {
  readonly index: number;
  readonly file: string;
  readonly rect: Rect;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Kept frames in the file, and of those the ones reported. */
  written = 0;
  reported = 0;
  /** Set when the end was asked for. */
  closing = false;
  /** Frames from here on are not of the recording (a pause), µs. */
  cutAt = Number.POSITIVE_INFINITY;
  /** Where pictures have to be judged first: the file as far as it may be written, and the pictures that wait (I6). */
  readonly held: { file: HeldFile; frames: Frame[]; dropped: boolean } | null;
  readonly #parts: SegmentParts;
  #firstPtsUs: number | null = null;
  #lastTick: { ptsUs: number; t: number } | null = null;
  #tickBefore: number | null = null;
  #complaints: string[] = [];

  /** Starts ffmpeg. */
  constructor(index: number, rect: Rect, parts: SegmentParts) {
    const { options, grabber, source } = parts;
    this.#parts = parts;
    this.index = index;
    this.rect = rect;
    this.file = join(options.folder, segmentFile(index));
    const args = grabArgs(grabber, {
      rect,
      displayOrigin: options.display,
      source,
      fps: options.fps,
      output: options.held ? null : this.file,
      ffmpeg: options.ffmpeg,
    });
    this.child = spawn(options.ffmpeg.path, args, {
      stdio: ['pipe', options.held ? 'pipe' : 'ignore', 'pipe'],
      windowsHide: true,
    });
    this.child.stdin?.on('error', () => {});
    this.held = options.held ? { file: openHeldFile(this.file), frames: [], dropped: false } : null;
    this.child.stdout?.on('data', (bytes: Buffer) => this.#takeOutput(bytes));
    const lines = createInterface({ input: this.child.stderr! });
    lines.on('line', (line) => this.#onLine(line));
    this.ended = new Promise((resolve) => {
      // `close`: after the last line was read.
      this.child.once('close', () => resolve());
      this.child.once('error', (error) => {
        this.#complaints.push(error.message);
        resolve();
      });
    });
  }

  /** The last that ffmpeg complained of; empty when it said nothing. */
  complaint(): string {
    return this.#complaints.slice(-3).join(' | ');
  }

  /** Lets out what is judged. A picture is coded by the ones before it: after one that is forgotten none can stay. */
  release(): void {
    const { held } = this;
    if (!held || held.dropped) return;
    const judgement = this.#parts.judgement();
    while (held.frames[0]) {
      const [frame] = held.frames;
      const cut = frame.t >= this.cutAt || judgement.cuts.some(({ from, to }) => frame.t >= from && frame.t < to);
      if (cut) this.#forget();
      if (cut || frame.t > judgement.to) return;
      held.frames.shift();
      this.#report(frame);
      held.file.allow(this.reported);
    }
  }

  /** After its end: waits a moment for the judgement of the pictures that are left, and closes the file. */
  async judged(): Promise<void> {
    for (let waited = 0; this.held?.frames.length && waited < JUDGED_MS; waited += 10)
      await new Promise((done) => setTimeout(done, 10));
    if (!this.held) return;
    this.#forget();
    this.held.file.close();
  }

  #forget(): void {
    if (!this.held) return;
    this.held.dropped = true;
    this.held.frames = [];
    this.held.file.drop();
  }

  /** Tells of a picture that is, or may be, on the disk. */
  #report(frame: Frame): void {
    const { options, counts } = this.#parts;
    if (this.reported === 0) options.onView(frame.t, this.rect, this.index);
    options.onFrame({ ...frame, i: this.#parts.takeNumber() });
    this.reported++;
    counts.frames++;
  }

  #onLine(line: string): void {
    const shown = parseShowinfo(line);
    if (shown === null) {
      if (isComplaint(line)) this.#complaints = [...this.#complaints.slice(-7), line];
      return;
    }
    const t = this.#parts.pts.toSession(shown.ptsUs, this.#parts.options.clock.now());
    if (shown.kind === 'tick') this.#tick(shown.ptsUs, t);
    else this.#picture(shown.ptsUs, t);
  }

  /** The grabber looked at the screen. */
  #tick(ptsUs: number, t: number): void {
    const { options, grabber, counts } = this.#parts;
    const periodUs = 1e6 / options.fps;
    counts.ticks++;
    const gapUs = this.#lastTick === null ? 0 : t - this.#lastTick.t;
    // ddagrab gives no tick while nothing changes: a gap says nothing there.
    if (grabber !== 'ddagrab' && gapUs > 1.5 * periodUs) {
      counts.late++;
      counts.dropped += Math.round(gapUs / periodUs) - 1;
    }
    this.#tickBefore = this.#lastTick?.t ?? null;
    this.#lastTick = { ptsUs, t };
  }

  /** The grabber kept what it saw. */
  #picture(ptsUs: number, t: number): void {
    const { options, grabber } = this.#parts;
    this.written++;
    this.#firstPtsUs ??= ptsUs;
    if (t >= this.cutAt) return;
    const seen = this.#lastTick?.ptsUs === ptsUs ? this.#tickBefore : null;
    const first = this.held ? this.written === 1 : this.reported === 0;
    const frame: Frame = {
      i: 0,
      // Matroska's milliseconds: ffmpeg rounds to the nearest.
      pts: Math.round((ptsUs - this.#firstPtsUs) / 1000),
      t,
      // ddagrab: between two frames nothing was looked at, so nothing was seen.
      ...(seen === null || first || grabber === 'ddagrab' ? {} : { seen }),
      ...(this.index === 0 ? {} : { seg: this.index }),
    };
    options.onPictured?.();
    if (this.held) {
      if (!this.held.dropped) this.held.frames.push(frame);
      this.release();
    } else this.#report(frame);
    this.#parts.onPicture();
  }

  #takeOutput(bytes: Buffer): void {
    const { held } = this;
    if (!held || held.dropped) return;
    const { options, counts } = this.#parts;
    try {
      held.file.take(bytes);
      if (held.file.waiting() <= MOST_HELD) return;
      counts.dropped += held.frames.length;
      this.#forget();
      options.onNotice('pictures-waited', 'Pictures waited too long for their judgement and were dropped.', false);
      this.child.kill('SIGKILL');
    } catch (error) {
      this.#forget();
      const message = error instanceof Error ? error.message : String(error);
      options.onNotice(/ENOSPC/.test(message) ? 'disk-full' : 'capture-failed', message, true);
    }
  }
}
