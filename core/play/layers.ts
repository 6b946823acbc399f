import type { Rect } from '../../schemas/events.ts';
import { sharedArea } from '../rect.ts';
import { BLOCK, cornerOf, inside } from './likeness.ts';
import type { Shift } from './player.ts';

/**
 * Where each part of a picture lies on the screen of a play, by its windows (PL35): a dialog that a program puts in the middle of
 * the screen has not moved with the window below it.
 */

/** A window of a picture. `bounds`: inside its frame, px of the desktop. */
export type PlayWindow = { title: string; app: string; bounds: Rect };
/** A window of the play. */
export type LiveWindow = PlayWindow & { frame: Rect };

/** How far a window has moved; null: none of the play is it. */
type Layer = { bounds: Rect; frame: Rect; shift: Shift | null; above: readonly Rect[] };

/** How far each square of a picture has moved; null: it cannot be compared. */
export type Placing = {
  /** The shift of the topmost window. */
  front: Shift;
  all: readonly Shift[];
  at(block: number): Shift | null;
  /** Whether a square of the play's screen has nothing but the desktop: what lay there has gone, or has moved elsewhere. */
  isBare(block: number): boolean;
};

/** Everything has moved by the same. */
const everywhere = (shift: Shift): Placing => ({ front: shift, all: [shift], at: () => shift, isBare: () => false });
export const placingOf = (by: Shift | Placing): Placing => ('at' in by ? by : everywhere(by));

/** The frame of a window that none of the play is, px beyond its bounds. */
const FRAME = { side: 8, top: 32 };

const isAsLarge = (one: PlayWindow, other: PlayWindow): boolean =>
  one.bounds.width === other.bounds.width && one.bounds.height === other.bounds.height;

/**
 * Which windows of a picture are which of the play, both topmost first; null where the topmost is not there, in another size, or
 * one of more than there were.
 */
function layersOf(was: readonly PlayWindow[], is: readonly LiveWindow[]): Layer[] | null {
  const left = [...is];
  /** The first of those that are like it, if they are as many as they were. */
  function likeIn(window: PlayWindow, isLike: (one: PlayWindow) => boolean): LiveWindow | undefined {
    const fits = (one: PlayWindow): boolean => isAsLarge(one, window) && isLike(one);
    return is.filter(fits).length > was.filter(fits).length ? undefined : left.find(fits);
  }
  const layers = was.map((window): Layer => {
    const { title, app, bounds } = window;
    const found =
      likeIn(window, (one) => one.title === title) ?? likeIn(window, (one) => one.app === app && app !== '');
    if (!found) {
      const { x, y, width, height } = bounds;
      const { side, top } = FRAME;
      const frame = { x: x - side, y: y - top, width: width + 2 * side, height: height + top + side };
      return { bounds, frame, shift: null, above: [] };
    }
    left.splice(left.indexOf(found), 1);
    const shift = { x: found.bounds.x - bounds.x, y: found.bounds.y - bounds.y };
    return {
      bounds,
      frame: { ...found.frame, x: found.frame.x - shift.x, y: found.frame.y - shift.y },
      shift,
      above: is.slice(0, is.indexOf(found)).map(({ frame }) => frame),
    };
  });
  return layers[0]?.shift ? layers : null;
}

/**
 * How far the parts of a picture of `view` have moved by its windows. A square counts that lies whole in its window, and is neither
 * covered nor outside `view` now; frames, the desktop and windows that are not there do not. Null where nothing is known of the
 * topmost window, or all have stayed where they were.
 */
export function placedBy(was: readonly PlayWindow[], is: readonly LiveWindow[], view: Rect): Placing | null {
  const layers = layersOf(was, is);
  const front = layers?.[0]?.shift;
  if (!layers || !front) return null;
  const shifts = layers.flatMap(({ shift }) => shift ?? []);
  if (shifts.every(({ x, y }) => x === 0 && y === 0)) return null;
  const all = shifts.filter(({ x, y }, n) => n === shifts.findIndex((one) => one.x === x && one.y === y));
  const { width, height } = view;
  const squareAt = (block: number): Rect => {
    const { x, y } = cornerOf(block, width);
    return { x: x + view.x, y: y + view.y, width: Math.min(BLOCK, width - x), height: Math.min(BLOCK, height - y) };
  };
  return {
    front,
    all,
    isBare: (block) => !is.some(({ frame }) => isSharing(squareAt(block), frame)),
    at(block) {
      const square = squareAt(block);
      for (const { bounds, frame, shift, above } of layers) {
        if (!isSharing(square, frame)) continue;
        if (!isWithin(square, bounds) || !shift) return null;
        const moved = { ...square, x: square.x + shift.x, y: square.y + shift.y };
        return isWithin(moved, view) && !above.some((one) => isSharing(moved, one)) ? shift : null;
      }
      return null;
    },
  };
}

/** How far the window at a place (px of the desktop) has moved; null: that is not known. */
export function shiftAt(
  was: readonly PlayWindow[],
  is: readonly LiveWindow[],
  at: { x: number; y: number },
): Shift | null {
  const point = { ...at, width: 1, height: 1 };
  const layer = layersOf(was, is)?.find(({ frame }) => isSharing(point, frame));
  return layer?.shift ?? null;
}

const isSharing = (a: Rect, b: Rect): boolean => sharedArea(a, b) > 0;
const isWithin = (part: Rect, whole: Rect): boolean =>
  inside(part, { x: -whole.x, y: -whole.y }, { width: whole.width, height: whole.height });
