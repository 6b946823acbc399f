import type { Button, Rect } from '../../schemas/events.ts';

/**
 * A window of ours that takes known inputs (`doctor --prove`), made by the system's own injection: XTEST, SendInput,
 * CGEventPost. Positions are physical px of the virtual desktop, keys are KeyboardEvent.code.
 */
export type InputStage = {
  /** How the inputs are made. */
  injection: string;
  /** Where inputs may fall: inside of the window. */
  rect: Rect;
  /** The layouts that the person has, at least one. */
  layouts(): string[];
  /** Makes a layout the window's own, until `close`. */
  takeLayout(index: number): void;
  /** The window has the keyboard: what is typed goes nowhere else. */
  isInFront(): boolean;
  move(x: number, y: number): void;
  button(button: Button, down: boolean): void;
  /** Notches; dy > 0 is down, dx > 0 to the right. */
  wheel(dx: number, dy: number): void;
  key(code: string, down: boolean): void;
  /** Text that the window received since the last call, by the way every program on this system gets it. */
  received(): string;
  /** Lets go of the layout and the pointer's place as they were, and closes the window. */
  close(): void;
};

/** Something that the person did, as a window was told of it. */
export type FullWindowInput =
  /** Physical px of the virtual desktop; not rounded. */
  | { type: 'down' | 'up'; button: Button; x: number; y: number }
  | { type: 'keydown' | 'keyup'; code: string }
  /** The axis and the direction: `y+` is down. */
  | { type: 'wheel'; way: string };

/**
 * A window of ours over a whole display, where no program may make inputs for others or choose a window's place (Wayland). The
 * person makes the inputs.
 */
export type FullWindow = {
  /** Paints the patch in the lower right corner. Gives the times around it, CLOCK_MONOTONIC µs. Throws CAPTURE_FAILED. */
  paint(rgb: number): Promise<{ before: number; after: number }>;
  /** Takes what has come; never waits. */
  turn(): void;
  /** The person's inputs since the last call. */
  told(): FullWindowInput[];
  /** The person, or the desktop, closed it. */
  isClosed(): boolean;
  close(): void;
};

/** Numbers of a table (lowest first) by the name of their key. */
export function numbersByCode(
  numbers: readonly number[],
  codeOf: (n: number) => string | null,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const number of numbers) {
    const code = codeOf(number);
    if (code !== null && !found.has(code)) found.set(code, number);
  }
  return found;
}
