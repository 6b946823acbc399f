import type { Display, Rect } from '../../schemas/events.ts';

/** The pixel of any rectangle that is nearest to a point: the point itself when it is in one. Integer px. */
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

/**
 * The display that was `known`, among those that there are now; undefined: it was unplugged or turned off. By the system's
 * name of it: its number says only which it is from the left, and another one may have it now.
 */
export function displayAgain<D extends Pick<Display, 'name' | 'x' | 'y'>>(
  displays: readonly D[],
  known: Pick<Display, 'name' | 'x' | 'y'>,
): D | undefined {
  const named = displays.filter(({ name }) => name === known.name);
  // Two of the same make may have one name where the system gives none of its own.
  return named.find(({ x, y }) => x === known.x && y === known.y) ?? named[0];
}
