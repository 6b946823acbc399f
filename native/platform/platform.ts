import type { Display, InputSettings, Rect } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { HookEvent, HookKeyEvent, HookLoss } from '../input/hook.ts';
import type { ScreenOptions, ScreenRecorder } from '../screen/contract.ts';

/** The wishes that the recorder has of an operating system. One adapter a system: native/linux, wayland, windows, macos. */
export type Platform = {
  name: 'x11' | 'wayland' | 'windows' | 'macos';
  /** X11 inside a Wayland session: it shows and tells only of X11 programs. Absent: it shows everything. */
  xwayland?: boolean;
  /** Limits of a recording on this system, for its warnings. */
  warnings?: readonly { code: string; message: string }[];
  /** False: the window in front is not known here, so nothing can be left out by its name (I6). Absent: it is. */
  knowsFront?: boolean;
  /** Displays in physical pixels of the virtual desktop, ids from 1. Throws NO_DISPLAY. */
  displays(): Display[];
  /** Top-level windows, the topmost first; bounds in physical px. */
  windows(): DesktopWindow[];
  activeWindow(): DesktopWindow | null;
  /** Where the pointer is, physical px of the virtual desktop; null when the system does not tell. */
  pointer(): { x: number; y: number } | null;
  /**
   * Follows what is in front, where the system reports its changes; absent: `activeWindow` is asked again and again.
   */
  watchFront?(): FrontWatch;
  keyboard: KeyboardWatch;
  inputSettings(): InputSettings;
  /** Rights that the OS must grant before a recording (I5), each with the setting to change. */
  permissions(): Promise<PermissionCheck[]>;
  /** Single pictures of the screen, to choose by. Absent: this system shows its screen only while it is recorded. */
  glance?: Glance;
  /** Opens a small patch whose colour changes at known times (C4). Absent where no place can be chosen for it (Wayland). */
  openPatch?(at: { x: number; y: number; size: number }): Promise<SyncPatch>;
  close(): void;
};

export type Glance = {
  /** The rectangle (physical px) as the screen shows it now; null when not all of it is on the screen. */
  grab(rect: Rect): RgbImage | null;
  /** A window's rectangle with its frame and title bar; null when it is not shown (minimised). */
  frameOf(window: DesktopWindow): Rect | null;
};

/** The operating system as the capture process's main thread uses it: nothing here may block or end the process. */
export type CaptureHost = {
  name: Platform['name'];
  /** Pointer coordinates as the input hook gives them to physical px of the virtual desktop (A13). */
  toPhysical(x: number, y: number, displays: readonly Display[]): { x: number; y: number };
  /** An input event's own time, as the hook gives it, to session µs (C2). */
  eventTime(hookTime: number): number;
  /**
   * Starts the input hook; resolves with its stop when it hears. `onKeyAtOnce`: keys as soon as they are heard, where `onEvent` is told of input
   * only after a moment, in its order (Wayland); elsewhere it is never called.
   */
  startHook(
    onEvent: (event: HookEvent | HookLoss) => void,
    onKeyAtOnce: (event: HookKeyEvent) => void,
  ): Promise<() => void | Promise<void>>;
  /** Resolves when all input up to now has been told. Absent: it is told as it comes. */
  heardAll?(): Promise<void>;
  /** A recorder of the screen for this OS. */
  screen(options: ScreenOptions): ScreenRecorder;
  /** Ends the process now. */
  exit(status: number): void;
};

export type DesktopWindow = { id: string; title: string; app: string; pid: number; bounds: Rect | null };

/** The names of the windows in front (I6): the active one, the one that has the keyboard, the topmost one. */
export type FrontNames = Record<'active' | 'focused' | 'topmost', { title: string; app: string } | null> & {
  /**
   * Windows of which no window manager knows and that are on the screen, and all that came onto it or were raised since the last
   * look, however shortly. Absent where the system does not say.
   */
  seen?: readonly { title: string; app: string }[];
  /** Windows that no window manager knows and that have the keyboard, and all that had it at some time since the last look. */
  typed?: readonly { title: string; app: string }[];
  /** One of them was gone before it said its name. */
  missed?: boolean;
};
export type FrontWatch = {
  /** The window in front now. Cheap while nothing changes: asked a hundred times a second. */
  look(): FrontNames;
};

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
