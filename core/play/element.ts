import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect } from '../../schemas/events.ts';
import { plural } from '../words.ts';

/** The target of a step by its element, for when its look is not found (PL22, PL23). */

/** The element that was pressed, as the demonstration knows it. Px of the desktop. */
export type ElementTarget = {
  /** The program by its own word. */
  app: string;
  role: string;
  name: string;
  /** Roles from the window down to the element, its own last. */
  way: readonly string[];
  states: readonly string[];
  bounds: Rect;
};

/** The elements of that program with that role, name and way, as far as it was asked. */
export type NamedAnswer = {
  elements: readonly { bounds: Rect; states: readonly string[] }[];
  /** Everything that could be it was looked at. */
  whole: boolean;
};

/** States that say what a press does: an element that has other ones than in the demonstration is not as it was. */
const TELLING: readonly string[] = ['checked', 'pressed', 'expanded', 'indeterminate', 'sensitive', 'selected'];
/** Those of a menu and its items are selected while the pointer is on them. */
const tellingOf = (role: string): readonly string[] =>
  role.includes('menu') ? TELLING.filter((state) => state !== 'selected') : TELLING;

/**
 * The question that is asked when the look of a target is not found; null where nothing could be found by it: an element without a
 * name (two fields without one are alike), one for passwords, one of an import, one whose box the press was not in, and one that
 * was asked for only after the press, which may have changed its state.
 */
export function elementTarget(line: ElementLine | null, at: { x: number; y: number } | null): ElementTarget | null {
  if (!line || !at || line.source !== 'atspi' || line.when !== 'before' || line.withheld) return null;
  const { app = '', role, name, path = [], states = [], bounds } = line;
  if (app === '' || name === '' || path.at(-1)?.role !== role) return null;
  if (!bounds || !isIn(bounds, at)) return null;
  return { app, role, name, way: path.map((one) => one.role), states, bounds };
}

/** How an element is called in sentences: `push button “OK”`. */
export const calledWords = ({ role, name }: Pick<ElementTarget, 'role' | 'name'>): string =>
  `${role} “${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`;

/**
 * How far the place that was pressed has moved: to the same relative place within the element's box. Only when exactly one
 * element answers, everything was looked at, and it is in the state that it was in.
 */
export function shiftByElement(
  target: ElementTarget,
  at: { x: number; y: number },
  { elements, whole }: NamedAnswer,
): { shift: { x: number; y: number } } | { why: string } {
  const words = calledWords(target);
  const [only] = elements;
  if (elements.length > 1) return { why: `${plural(elements.length, 'element')} answer to ${words}` };
  if (!whole) return { why: `its program has too much to say to be sure of ${words}` };
  if (!only) return { why: `its program shows no ${words}` };
  const other = tellingOf(target.role).find((state) => only.states.includes(state) !== target.states.includes(state));
  if (other !== undefined) {
    const is = only.states.includes(other);
    return { why: `its ${words} is ${is ? '' : 'not '}${other}, as it was ${is ? 'not ' : ''}in the demonstration` };
  }
  const { bounds: was } = target;
  const { bounds: is } = only;
  if (is.width <= 0 || is.height <= 0) return { why: `its ${words} has no box` };
  return {
    shift: {
      x: alongIn(at.x - was.x, was.width, is.width) + is.x - at.x,
      y: alongIn(at.y - was.y, was.height, is.height) + is.y - at.y,
    },
  };
}

/** A pixel of a side of `from` px, on a side of `to` px. */
const alongIn = (pixel: number, from: number, to: number): number =>
  from === to ? pixel : Math.min(to - 1, Math.floor(((pixel + 0.5) * to) / from));

const isIn = (box: Rect, { x, y }: { x: number; y: number }): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
