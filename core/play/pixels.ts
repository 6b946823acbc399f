import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';

/** A channel may differ by this before a pixel counts as other: encoders of pictures round. */
const ROUNDING = 8;

/** The part of the pixels that are other, 0 to 1; null where the sizes differ. */
export function otherPixels(a: RgbImage, b: RgbImage): number | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  let other = 0;
  for (let at = 0; at < a.rgb.length; at += 3) {
    const near = (channel: number): boolean => Math.abs(a.rgb[at + channel]! - b.rgb[at + channel]!) <= ROUNDING;
    if (!near(0) || !near(1) || !near(2)) other++;
  }
  return other / (a.width * a.height);
}

/** A picture of one colour (`#rrggbb`). */
export function plainPicture(width: number, height: number, colour: string): RgbImage {
  const value = Number.parseInt(colour.slice(1), 16);
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 3) {
    rgb[at] = value >> 16;
    rgb[at + 1] = (value >> 8) & 255;
    rgb[at + 2] = value & 255;
  }
  return { width, height, rgb };
}

/** A part of a picture; null when it is not all inside. */
export function cutOut({ width, height, rgb }: RgbImage, rect: Rect): RgbImage | null {
  if (rect.x < 0 || rect.y < 0 || rect.x + rect.width > width || rect.y + rect.height > height) return null;
  const cut = new Uint8Array(rect.width * rect.height * 3);
  for (let row = 0; row < rect.height; row++) {
    const from = ((rect.y + row) * width + rect.x) * 3;
    cut.set(rgb.subarray(from, from + rect.width * 3), row * rect.width * 3);
  }
  return { width: rect.width, height: rect.height, rgb: cut };
}
