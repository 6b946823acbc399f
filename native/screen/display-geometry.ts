import type { Rect } from '../../schemas/events.ts';

/** The pixel of any rectangle that is nearest to a point: the point itself when it lies in one. Integer px. */
export function nearestPixel(x: number, y: number, rects: readonly Rect[]): { x: number; y: number } {
  let best = { x: Math.floor(x), y: Math.floor(y) };
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const rect of rects) {
    const inside = {
      x: Math.min(Math.max(Math.floor(x), rect.x), rect.x + rect.width - 1),
      y: Math.min(Math.max(Math.floor(y), rect.y), rect.y + rect.height - 1),
    };
    const distance = (inside.x - x) ** 2 + (inside.y - y) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [inside, distance];
  }
  return best;
}
