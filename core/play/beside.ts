import type { Rect } from '../../schemas/events.ts';
import type { PlayWindow } from './layers.ts';
import { BLOCK, cornerOf } from './likeness.ts';

/**
 * A window may look otherwise beside the text that is typed into it: a dialog for saving lists the files of its folder, or not yet, or in
 * columns as wide as what it held a moment before, as its program comes to it (PL44).
 */

/** A step as far as this asks: `types` says that it writes a text. */
type Step = {
  at: object | null;
  types: boolean;
  windows: { before: readonly PlayWindow[] };
};

/** A window that a step brings, and the step (its place among all) with which it goes; the last one where it stays. */
export type TypedInto = { window: PlayWindow; last: number };

/** A smaller window is a question: what it says is all there is to it, px. */
const LEAST_AREA = 200_000;
/** So much of what the step changes may be other, as a share. */
const BESIDE = 0.02;

/** The same window as far as it can be told. */
export const isWindow = (one: PlayWindow | undefined, { title, app, bounds }: PlayWindow): boolean =>
  one?.title === title && one.app === app && one.bounds.width === bounds.width && one.bounds.height === bounds.height;

/**
 * The window that step `n` brings by keys, where keys alone are pressed in it, among them a text, until it goes or all is done; null
 * where it is not so.
 */
export function typedInto(steps: readonly Step[], n: number): TypedInto | null {
  const step = steps[n];
  // By the picture before the next step: windows are told late.
  const window = steps[n + 1]?.windows.before[0];
  if (!step || !window || step.at !== null) return null;
  if (window.bounds.width * window.bounds.height < LEAST_AREA) return null;
  if (step.windows.before.some((one) => isWindow(one, window))) return null;
  let types = false;
  for (let last = n + 1; ; last++) {
    const [next, following] = [steps[last], steps[last + 1]];
    if (!next || next.at !== null || !isWindow(next.windows.before[0], window)) return null;
    const isThere = following?.windows.before.some((one) => isWindow(one, window)) ?? false;
    if (!isThere) return types ? { window, last } : null;
    types ||= next.types;
  }
}

/** Whether squares that are other after such a step are few enough, and lie in its window. `view`: what the pictures show, px. */
export function isBeside(
  unlike: readonly number[],
  effect: ReadonlySet<number>,
  { bounds }: PlayWindow,
  view: Rect,
): boolean {
  if (unlike.length > effect.size * BESIDE) return false;
  return unlike.every((block) => {
    const { x, y } = cornerOf(block, view.width);
    const [inX, inY] = [x + view.x - bounds.x, y + view.y - bounds.y];
    // Windows do not end where squares do.
    return inX > -BLOCK && inY > -BLOCK && inX < bounds.width && inY < bounds.height;
  });
}

/** Those of some squares that lie in a line with what a step changes: a name that stood there before the text is part of it. */
export function inLine(blocks: ReadonlySet<number>, effect: ReadonlySet<number>, width: number): ReadonlySet<number> {
  const rowOf = (block: number): number => cornerOf(block, width).y;
  const rows = new Set([...effect].map(rowOf));
  return new Set([...blocks].filter((block) => rows.has(rowOf(block))));
}
