import type { Rect } from '../../schemas/events.ts';
import { ELEMENT_NAME_LIMIT } from '../../schemas/limits.ts';

/** Answers are anybody's: whatever is not what its system's protocol says counts as not said. */

/** Signs that no name has, and space around it, are cut off. */
export function cleanText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, 4 * ELEMENT_NAME_LIMIT)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ELEMENT_NAME_LIMIT);
}

const FARTHEST = 100_000;
/** A box in whole px; null for what is none. */
export function believedBox([x, y, width, height]: readonly unknown[]): Rect | null {
  if (!isPlace(x) || !isPlace(y) || !isPlace(width) || !isPlace(height)) return null;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
const isPlace = (value: unknown): value is number => Number.isInteger(value) && Math.abs(Number(value)) <= FARTHEST;
