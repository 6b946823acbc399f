import type { Rect } from '../../../schemas/events.ts';
import type { VirtualDisplay } from '../../support/display.ts';

/** A thing that is clicked: its name as a person would say it, or a part of that, and its box in the window's client area, px. */
export type Target = { name: string; box: Rect };
/** What a click opens is closed by Escape. */
export type Script = {
  program: string;
  /** Also writes what the program needs into its home. */
  args(home: string): string[];
  env?: Record<string, string>;
  /** How xdotool finds its window. */
  window: readonly string[];
  /** Where the window is put, unless it takes the whole screen. */
  place: Rect;
  targets(display: VirtualDisplay, origin: { x: number; y: number }): Promise<Target[]>;
};

export const PLACE = { x: 20, y: 40, width: 1100, height: 680 };

/** A row of things: each with its name and its left and right edge. */
export const row = (
  top: number,
  height: number,
  items: readonly [name: string, left: number, right: number][],
): Target[] => items.map(([name, left, right]) => ({ name, box: { x: left, y: top, width: right - left, height } }));

/** Things of one size, each with its name and the middle of it. */
export const around = (
  { width, height }: { width: number; height: number },
  items: readonly [name: string, x: number, y: number][],
): Target[] =>
  items.map(([name, x, y]) => ({
    name,
    box: { x: x - Math.round(width / 2), y: y - Math.round(height / 2), width, height },
  }));
