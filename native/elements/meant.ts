import type { Rect } from '../../schemas/events.ts';
import { ACTED_ON, PARTS } from './atspi-words.ts';
import type { ElementWindow } from './contract.ts';

/** The part of the way to an element that counts, and of its box. The same for every system. */

/**
 * The element that a person would say was pressed: what is acted on, where only a part of it was hit. An index of the way. The page
 * that a tab shows is told inside of the tab, and yet is no part of it: with `box` known, what is outside of it was not hit.
 */
export function meant(way: readonly { role: string; box?: Rect | null }[]): number {
  const last = way.length - 1;
  if (ACTED_ON.has(way[last]!.role)) return last;
  for (let at = last; at > 0 && PARTS.has(way[at]!.role); at--) {
    const owner = way[at - 1]!;
    if (ACTED_ON.has(owner.role)) return isPartOf(way[at]!.box, owner) ? at - 1 : last;
  }
  return last;
}

function isPartOf(part: Rect | null | undefined, { role, box: owner }: { role: string; box?: Rect | null }): boolean {
  if (owner === undefined || !part || role !== 'page tab') return true;
  return owner !== null && isIn(owner, part.x + (part.width >> 1), part.y + (part.height >> 1));
}

export const isIn = (box: Rect | null, x: number, y: number): boolean =>
  box !== null && x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The part of an element's box inside its window: the box of a scrolled page reaches far beyond it. */
export function seenPart(box: Rect | null, { popup, bounds }: Pick<ElementWindow, 'popup' | 'bounds'>): Rect | null {
  if (!box || !bounds || popup) return box;
  const [x, y] = [Math.max(box.x, bounds.x), Math.max(box.y, bounds.y)];
  const width = Math.min(box.x + box.width, bounds.x + bounds.width) - x;
  const height = Math.min(box.y + box.height, bounds.y + bounds.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : box;
}
