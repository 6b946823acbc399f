import type { Rect } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';

/** What only a stage of our own lets a program do on its display. Opened by native/index.ts. */

/** The keyboard of a display of our own: its layout, and keys that can be made to make other characters. */
export type StageKeyboard = {
  layout(): KeyboardLayout;
  /** W3C codes of keys that a layout may leave empty. */
  readonly spare: readonly string[];
  /** Whether a code is on the keyboard that the hands press. */
  has(code: string): boolean;
  /** Makes a key type this character, for every program on the display. */
  put(code: string, char: string): void;
  close(): void;
};

/** Finds windows by their titles and puts them somewhere. */
export type StageWindows = {
  /** A window manager is there. */
  managed(): boolean;
  find(title: string): string | null;
  /** The titles of all windows that are shown. */
  titles(): string[];
  /** The title of the window at a place; null where there is none that has one. */
  titleAt(x: number, y: number): string | null;
  /** All windows that are shown, the topmost first: the rectangle inside its frame, and with it, px of the desktop. */
  list(): { title: string; app: string; bounds: Rect; frame: Rect }[];
  /** All displays together. */
  screen(): Rect;
  place(id: string, to: Rect): void;
  /** Brings it before all others, with the keyboard. */
  raise(window: string): void;
  /** The rectangle inside its frame, px of the desktop; null when it is gone. */
  bounds(id: string): Rect | null;
};
