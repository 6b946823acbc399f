import type { Button, Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';

/** Moves the pointer and presses keys on the display of this process, and looks at it. Positions are physical px (A13). */
export type Hands = {
  move(x: number, y: number): void;
  /** Where these hands moved the pointer last. */
  pointer(): { x: number; y: number };
  button(button: Button, down: boolean): void;
  /** Wheel notches; dy > 0 scrolls down, dx > 0 to the right (A10). */
  wheel(dx: number, dy: number): void;
  /** A physical key by its W3C code. False where this system has no such key; nothing is done then. */
  key(code: string, down: boolean): boolean;
  /** Lets go of every key and button that is still held by these hands. */
  releaseAll(): void;
  /**
   * Waits, at most so long, ms, until the program that has the keyboard has taken in what it was sent. True too where that
   * cannot be asked.
   */
  answered(atMostMs: number): Promise<boolean>;
  /**
   * Waits, at most so long, ms, until what a button pressed is on its way to its window, so that a key that follows comes after it: a
   * window manager may hold a press while keys pass it by. True too where nothing was pressed since it was asked last, and where
   * that cannot be asked.
   */
  delivered(atMostMs: number): Promise<boolean>;
  /** The screen now. Null when the rectangle is not all on it. */
  look(rect: Rect): RgbImage | null;
  close(): void;
};
