import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';

/** A box that looks like an element, and how sure that is (0 to 1). */
export type BoxCandidate = { box: Rect; confidence: number };

/** 0xRRGGBB of a pixel inside the picture. */
export function pixelAt({ rgb, width }: RgbImage, x: number, y: number): number {
  const at = (y * width + x) * 3;
  return (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
}

/** How far two colours (0xRRGGBB) lie apart: the largest difference of a channel, 0 to 255. */
export function distance(a: number, b: number): number {
  return Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );
}
