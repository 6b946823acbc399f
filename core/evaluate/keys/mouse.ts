import type { MouseCall } from './library.ts';
import type { Value } from './values.ts';

/** Where a program would click and drag (M7): PyAutoGUI's calls of the mouse, in pixels of the screen. */

export type Spot = readonly [x: number, y: number];
/** A click has one place, a drag two; `hover` is where a program leaves the pointer without a click. */
export type Gesture =
  | { kind: 'click'; at: Spot }
  | { kind: 'drag'; from: Spot; to: Spot }
  | { kind: 'hover'; at: Spot };
export type PythonPointer = { at: Spot | null; down: Spot | null; gestures: Gesture[] };

/** Longer programs are no answers; the last gestures are the ones that count. */
const MOST_GESTURES = 1000;

export const noPointer = (): PythonPointer => ({ at: null, down: null, gestures: [] });

/** Wrong arguments move nothing: the keys of the same program count all the same. */
export function moveMouse(
  call: MouseCall,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
  pointer: PythonPointer,
): void {
  const scrolls = call === 'scroll' || call === 'hscroll' || call === 'vscroll';
  const relative = call === 'move' || call === 'moveRel' || call === 'drag' || call === 'dragRel';
  const first = scrolls ? 1 : 0;
  const names = relative ? (['xOffset', 'yOffset'] as const) : (['x', 'y'] as const);
  const spot = spotOf(positional[first] ?? named.get(names[0]), positional[first + 1] ?? named.get(names[1]), {
    pointer,
    relative,
  });
  const before = pointer.at;
  pointer.at = spot;
  switch (call) {
    case 'dragTo':
    case 'drag':
    case 'dragRel':
      if (before && spot) put(pointer, { kind: 'drag', from: before, to: spot });
      return;
    case 'mouseDown':
      pointer.down = spot;
      return;
    case 'mouseUp': {
      const { down } = pointer;
      pointer.down = null;
      if (down && spot)
        put(pointer, same(down, spot) ? { kind: 'click', at: spot } : { kind: 'drag', from: down, to: spot });
      return;
    }
    case 'moveTo':
    case 'move':
    case 'moveRel':
      if (spot) put(pointer, { kind: 'hover', at: spot });
      return;
    case 'scroll':
    case 'hscroll':
    case 'vscroll':
      return;
    default:
      if (spot) put(pointer, { kind: 'click', at: spot });
  }
}

function put(pointer: PythonPointer, gesture: Gesture): void {
  // A movement before a click is part of it.
  const last = pointer.gestures.at(-1);
  if (last?.kind === 'hover') pointer.gestures.pop();
  if (pointer.gestures.length < MOST_GESTURES) pointer.gestures.push(gesture);
}

const same = (a: Spot, b: Spot): boolean => a[0] === b[0] && a[1] === b[1];

type From = { pointer: PythonPointer; relative: boolean };

/** `(x, y)`, `([x, y])`, a box whose middle it is, or the pointer's own place where an axis is None. */
function spotOf(x: Value | undefined, y: Value | undefined, { pointer, relative }: From): Spot | null {
  if (Array.isArray(x)) {
    const [a, b, width, height] = x;
    if (x.length === 4 && typeof width === 'number' && typeof height === 'number' && isNumber(a) && isNumber(b)) {
      return [a + Math.trunc(width / 2), b + Math.trunc(height / 2)];
    }
    return x.length === 2 && !Array.isArray(a) ? spotOf(a, b, { pointer, relative }) : null;
  }
  const { at } = pointer;
  if (relative) return at && [at[0] + (isNumber(x) ? x : 0), at[1] + (isNumber(y) ? y : 0)];
  const [column, row] = [axis(x, at?.[0]), axis(y, at?.[1])];
  return column === null || row === null ? null : [column, row];
}

function axis(value: Value | undefined, own: number | undefined): number | null {
  if (isNumber(value)) return value;
  return value === undefined || value === null ? (own ?? null) : null;
}

const isNumber = (value: Value | undefined): value is number => typeof value === 'number' && Number.isFinite(value);
