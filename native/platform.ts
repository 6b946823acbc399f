import type { Display, InputSettings, Rect } from '../schemas/events.ts';
import type { Frame } from '../schemas/frames.ts';
import type { KeyboardLayout } from '../schemas/layout.ts';
import type { SessionClock } from './clock.ts';
import type { FfmpegInfo } from './ffmpeg/find.ts';
import type { HookEvent } from './hook.ts';

/** What the recorder needs of an operating system. One adapter an OS: native/linux, native/windows, native/macos. */
export type Platform = {
  name: 'x11' | 'windows' | 'macos';
  /** X11 inside a Wayland session: it shows and tells only of X11 programs. Absent: it shows everything. */
  xwayland?: boolean;
  /** Displays in physical pixels of the virtual desktop, ids from 1. Throws NO_DISPLAY. */
  displays(): Display[];
  /** Top-level windows, the topmost first; bounds in physical px. */
  windows(): DesktopWindow[];
  activeWindow(): DesktopWindow | null;
  keyboard: KeyboardWatch;
  inputSettings(): InputSettings;
  /** What the OS must allow before a recording (I5), each with what to click when it does not. */
  permissions(): Promise<PermissionCheck[]>;
  /**
   * The physical key behind a key event whose code the hook does not know, by its time and direction; null when the OS
   * has not told (yet). `keycode` is the OS's own number, `code` null when no table knows it.
   */
  resolveKey?(event: { time: number; down: boolean }): { code: string | null; keycode: number } | null;
  /** Opens a small patch whose colour changes at known times (C4). */
  openPatch(at: { x: number; y: number; size: number }): Promise<SyncPatch>;
  close(): void;
};

/** What the capture process's main thread needs of an operating system: nothing here may block or end the process. */
export type CaptureHost = {
  name: Platform['name'];
  /** Pointer coordinates as the input hook gives them to physical px of the virtual desktop (A13). */
  toPhysical(x: number, y: number, displays: readonly Display[]): { x: number; y: number };
  /** An input event's own time, as the hook gives it, to session µs (C2). */
  eventTime(hookTime: number): number;
  /** Starts the input hook; returns its stop. */
  startHook(onEvent: (event: HookEvent) => void): () => void;
  /** A recorder of the screen for this OS. */
  screen(options: ScreenOptions): ScreenRecorder;
  /** Ends the process now. */
  exit(status: number): void;
};

export type DesktopWindow = { id: string; title: string; app: string; pid: number; bounds: Rect | null };

export type PermissionCheck = { id: string; granted: boolean | 'unknown'; what: string; fix: string };

export type KeyboardWatch = {
  /** The layout and the lock keys now. Never throws: falls back to US and says so in `layout.source` (I2). */
  read(): { layout: KeyboardLayout; locks: { caps: boolean; num: boolean } };
  /** True when the layout may have changed since the last read; cheap, called many times a second. */
  changed(): boolean;
  /** When the change that `changed` told of last was made, session µs, where the OS says so. */
  changedAt?(): number | null;
  close(): void;
};

export type SyncPatch = {
  /** Paints the patch in `rgb` (0xRRGGBB). Resolves with the time before the request and after it was on the screen, µs. */
  paint(rgb: number): Promise<{ before: number; after: number }>;
  close(): Promise<void>;
};

export type ScreenOptions = {
  /** The recording folder. Segments are written here: screen.mkv, screen-1.mkv, … */
  folder: string;
  clock: SessionClock;
  ffmpeg: FfmpegInfo;
  fps: number;
  /** What is captured, physical px of the virtual desktop. */
  rect: Rect;
  /** The display `rect` lies on (OS adapters address a display, then crop). */
  display: Display;
  /** The pictures come from another process (Wayland); absent: this one takes them. */
  outside?: OutsidePictures;
  /** Highest frame index already used (a segment started again after a crash goes on from it). */
  onFrame(frame: Frame): void;
  /** The captured rectangle or the segment changed. */
  onView(t: number, view: Rect, segment: number): void;
  /** Something to keep and to show: `encoder-restarted`, `disk-full`, `display-lost`, … `fatal` ends the recording. */
  onNotice(code: string, message: string, fatal: boolean): void;
  /** Where grabbers hold frames in memory: a lossless still was cut while recording (K8). */
  onStill?(still: { t: number; frame: number; file: string }): void;
};

/** Where another process hands over pictures of the screen: a Unix socket of this user's alone, and what it must know. */
export type OutsidePictures = { path: string; token: string };

export type ScreenCounts = { frames: number; dropped: number; late: number; black: number; ticks: number };

/** Records a rectangle of the screen into lossless segments, changed frames only, each with its own time (V1 to V6). */
export type ScreenRecorder = {
  grabber: string;
  /** `damage`, `poll`, `decimate`. */
  mode(): string;
  encoder: string;
  /**
   * What the pictures are, once they come: whether the pointer is in them (null: the system does not say), and whether
   * their pixels are the screen's. Absent: without the pointer, exact.
   */
  pictures?(): { cursor: boolean | null; lossless: boolean };
  /** Throws what keeps the screen from being recorded, NO_PERMISSION when the person did not allow it. */
  start(): Promise<void>;
  /** No frame is taken between pause and resume (I6). */
  pause(): void;
  resume(): void;
  /** The rectangle moved or changed its size (a window followed, a display changed). */
  setRect(rect: Rect): void;
  /** Asks for a lossless still of what was on the screen at `t`, if the frame is still in memory. */
  wantStill(t: number): void;
  /** Asks for a still of the screen at the first moment from `t` on since which it was still for 300 ms (K2). */
  wantStillAfter(t: number): void;
  counts(): ScreenCounts;
  /** A number that grows while the grabber lives; one that stands still for seconds means that the display is gone. */
  alive(): number;
  /** Closes the master; resolves when it is whole on the disk. */
  stop(): Promise<void>;
  /** Ends the encoders at once, where the display or the disk is gone and a polite end would wait for ever. */
  kill(): void;
};
