import type { Rect } from '../schemas/events.ts';

/** The part of `rect` that lies inside `bounds`, or null. */
export function intersect(rect: Rect, bounds: Rect): Rect | null {
  const x = Math.max(rect.x, bounds.x);
  const y = Math.max(rect.y, bounds.y);
  const width = Math.min(rect.x + rect.width, bounds.x + bounds.width) - x;
  const height = Math.min(rect.y + rect.height, bounds.y + bounds.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
