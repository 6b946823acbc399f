import type { Rect } from '../schemas/events.ts';

/** Boxes in px, half open: one of width 1 covers one column. */

/** The part of `rect` that lies inside `bounds`, or null. */
export function intersect(rect: Rect, bounds: Rect): Rect | null {
  const x = Math.max(rect.x, bounds.x);
  const y = Math.max(rect.y, bounds.y);
  const width = Math.min(rect.x + rect.width, bounds.x + bounds.width) - x;
  const height = Math.min(rect.y + rect.height, bounds.y + bounds.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Whether two boxes have one place and one size. */
export const isSameRect = (a: Rect, b: Rect): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** Whether a box holds a point. */
export const holdsPoint = (box: Rect, x: number, y: number): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The area that two boxes share; 0 for boxes that are apart. */
export function sharedArea(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * Intersection over union: the Jaccard index of the two areas (Everingham et al. 2010, The PASCAL Visual Object Classes
 * Challenge, IJCV 88, 4.2). 0 (apart) to 1 (the same).
 */
export function boxIou(a: Rect, b: Rect): number {
  const both = sharedArea(a, b);
  return both === 0 ? 0 : both / (a.width * a.height + b.width * b.height - both);
}
