import type { Display, Rect } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import type { FfmpegInfo } from '../ffmpeg/find.ts';

/** Between the capture process and whatever records the screen: the wishes, and a recorder that fulfils them. */
export type ScreenOptions = {
  /** The recording folder. Segments are written here: screen.mkv, screen-1.mkv, … */
  folder: string;
  clock: SessionClock;
  ffmpeg: FfmpegInfo;
  fps: number;
  /** The captured rectangle, physical px of the virtual desktop. */
  rect: Rect;
  /** The display `rect` is on (OS adapters address a display, then crop). */
  display: Display;
  /** The pictures come from another process (Wayland); absent: this one takes them. */
  outside?: OutsidePictures;
  /** True: no picture may reach the disk or an encoder's pipe before `judge` has let it out (I6). */
  held?: boolean;
  /** Where the pointer is, as the pictures' source tells it (Wayland). */
  onPointer?(place: PointerPlace): void;
  /** Highest frame index already used (a segment started again after a crash goes on from it). */
  onFrame(frame: Frame): void;
  /** The first picture was taken; it may still wait for its judgement. */
  onPictured?(): void;
  /** The captured rectangle or the segment changed. */
  onView(t: number, view: Rect, segment: number): void;
  /** Something to keep and to show: `encoder-restarted`, `disk-full`, `display-lost`, … `fatal` ends the recording. */
  onNotice(code: string, message: string, fatal: boolean): void;
  /** Where grabbers hold frames in memory: a lossless still was cut while recording (K8). */
  onStill?(still: { t: number; frame: number; file: string }): void;
};

/** Said with `display-gone`, on every system. */
export const DISPLAY_GONE =
  'The display that was recorded was unplugged or turned off. The recording ends here; no other display is recorded in its place.';

/** Where the pointer was at `t` (µs), px of the virtual desktop. */
export type PointerPlace = { t: number; x: number; y: number };

/** Times on the session clock, µs; a cut is `[from, to)` and may be infinite. */
export type PictureJudgement = { to: number; cuts: { from: number; to: number }[] };

/** Where another process hands over pictures of the screen: a Unix socket of this user's alone, and what it must know. */
export type OutsidePictures = { path: string; token: string };

/** The number of the next picture, and of the next segment. */
export type LeftPictures = { frames: number; segments: number };

export type ScreenCounts = { frames: number; dropped: number; late: number; black: number; ticks: number };

/** Records a rectangle of the screen into lossless segments, changed frames only, each with its own time (V1 to V6). */
export type ScreenRecorder = {
  grabber: string;
  /** `damage`, `poll`, `decimate`. */
  mode(): string;
  encoder: string;
  /**
   * Facts about the pictures, once they come: whether the pointer is in them (null: the system does not say), and whether
   * their pixels are the screen's. Absent: without the pointer, exact.
   */
  pictures?(): { cursor: boolean | null; lossless: boolean };
  /** Throws what keeps the screen from being recorded, NO_PERMISSION when the person did not allow it. */
  start(): Promise<void>;
  /** No frame is taken between pause and resume (I6). */
  pause(): void;
  resume(): void;
  /** Which pictures may be kept: those in a cut are forgotten, those up to `to` handed on, the others wait (I6). */
  judge(judgement: PictureJudgement): void;
  /**
   * Nothing that was taken from `from` on (µs) is kept, in memory or on the way to the disk, and nothing is written any
   * more. `rewrite` then makes the files anew and says what is left in them, from which the recorder goes on after `resume`.
   * Only during a pause. Throws what `rewrite` throws.
   */
  forget(from: number, rewrite: () => Promise<LeftPictures>): Promise<void>;
  /** The rectangle moved or changed its size (a window followed, a display changed). */
  setRect(rect: Rect): void;
  /**
   * Asks for a lossless still of what was on the screen at `t`, if the frame is still in memory. Where that one had stood for less
   * than 300 ms when another took its place, by `until`, it is of the one that stood then (K1): a program was painting still.
   */
  wantStill(t: number, until?: number): void;
  /** Asks for a still of the screen at the first moment from `t` on since which it was still for 300 ms (K2). */
  wantStillAfter(t: number): void;
  counts(): ScreenCounts;
  /** A number that grows while the grabber lives; one that stands still for seconds means that the display is gone. */
  alive(): number;
  /** Closes the master; resolves when it is whole on the disk. */
  stop(): Promise<void>;
  /**
   * Ends the encoders, where the display or the disk is gone and a polite end would wait for ever. A grabber that waits for
   * nothing that could be gone has `withinMs` to hand over what it has, so that `stop` after it loses nothing.
   */
  kill(withinMs?: number): void;
};
