import type { ToldFfmpeg } from '../../native/ffmpeg/find.ts';
import type { OutsidePictures } from '../../native/screen/contract.ts';
import type { ErrorBody } from '../../schemas/errors.ts';
import type { MarkKind, PauseReason, Rect } from '../../schemas/events.ts';
import type { CaptureInfo, Recording, Verdict } from '../../schemas/recording.ts';
import type { ShortcutName } from './shortcuts.ts';
import type { Paint } from './sync.ts';

/** The studio process's order to the capture process at its start. Plain JSON. */
export type CaptureOrder = {
  id: string;
  /** The recording folder; exists and is empty. */
  folder: string;
  app: Recording['app'];
  task: Recording['task'];
  person: string | null;
  tool: Recording['tool'];
  target: CaptureTarget;
  fps: number;
  /** The ffmpeg that the studio process has found; absent: the capture process looks for one. */
  ffmpeg?: ToldFfmpeg;
  /** Ends by itself this long after the person's part began, ms. */
  durationMs: number | null;
  countdownSeconds: number;
  shortcuts: Partial<Record<ShortcutName, string>>;
  /** How much "forget" forgets, ms. */
  forgetMs: number;
  /** The recording pauses while an application or title that contains one of these words is active (I6). */
  exclude: string[];
  /** When there are any: it pauses while no application whose name contains one of these words is active. */
  only: string[];
  /** All that is typed while an application or title that contains one of these words has the keyboard is withheld. */
  secretPrograms?: string[];
  /** How many changes are painted to check the clock against the screen, at start and at end (C4); 0: no check. */
  paints: { start: number; end: number };
  /** Stop when the disk has less than this left, bytes (D2). */
  minFreeBytes: number;
  /** Whether programs are asked for the element under the pointer; absent: they are not. */
  elements?: ElementsWish;
  /** False: of elements the role, the box and the way to them alone are written; their names may quote a document. */
  elementNames?: boolean;
  /** The person's voice is recorded, from this microphone; null: the usual one. Absent: it is not. */
  voice?: { device: string | null };
  /** It records a play of this demonstration. */
  played?: Recording['played'];
  stageClock?: Recording['stageClock'];
  /** Wayland: where the desktop app hands over pictures of the screen. Absent: the capture process takes them itself. */
  outside?: OutsidePictures;
};
/**
 * `by-default`: nobody chose, so programs are asked where that was tried with real ones and needs nothing to be started (X11,
 * with an accessibility bus that runs); elsewhere they are not, without a word.
 */
export type ElementsWish = boolean | 'by-default';
export type CaptureTarget =
  | { kind: 'display'; display: number | null }
  | { kind: 'region'; region: Rect }
  | { kind: 'window'; title: string };

/** Few at the end: the person waits for the steps. */
export const DEFAULT_PAINTS = { start: 7, end: 4 };

/** Studio to capture. */
export type ToCapture =
  | { type: 'begin'; order: CaptureOrder }
  | { type: 'stop'; why: Verdict['endedBy'] }
  /** In the countdown: nothing is kept. Once the person's part has begun it is a stop. */
  | { type: 'cancel' }
  | { type: 'pause'; reason: PauseReason }
  | { type: 'resume'; reason: PauseReason }
  | { type: 'mark'; kind: MarkKind }
  /** Somebody else painted the patch of the sync check, where the recorder has no place for it. CLOCK_MONOTONIC, µs. */
  | { type: 'painted'; paints: Paint[] }
  /** Forget what was recorded last, from `forgetMs` ago on. */
  | { type: 'forget' }
  /** Where the studio's own windows lie that are no part of the demonstration (I4), physical px; replaces what was said before. */
  | { type: 'own-windows'; rects: Rect[] };

export type LiveStats = {
  /** How much is recorded: the time outside of pauses, less what was forgotten. µs. */
  t: number;
  frames: number;
  dropped: number;
  late: number;
  black: number;
  events: number;
  freeBytes: number | null;
  paused: PauseReason | null;
  /** Processor time of the capture process since its start, µs; its encoder is another process. */
  cpuUs: number;
};

/** Capture to studio. */
export type FromCapture =
  /** The rectangle that is captured from now on, physical px; first reported before the countdown. */
  | { type: 'view'; view: Rect }
  | { type: 'countdown'; seconds: number }
  | { type: 'started'; capture: CaptureInfo; view: Rect }
  | { type: 'stats'; stats: LiveStats }
  | { type: 'paused'; reason: PauseReason | null }
  | { type: 'mark'; kind: MarkKind; t: number }
  /** The microphone gives sound, or does no more. */
  | { type: 'voice'; heard: boolean }
  /** Done. `message` says it to the person; the rest is what is left, and how much is recorded now (µs). */
  | { type: 'forgotten'; message: string; frames: number; events: number; marks: number; t: number }
  | { type: 'notice'; code: string; message: string }
  | { type: 'closing'; why: string }
  /** While it closes, every second: it still works. */
  | { type: 'alive' }
  | { type: 'closed'; recording: Recording }
  /** It could not begin; the folder holds nothing worth keeping. */
  | { type: 'refused'; error: ErrorBody };
