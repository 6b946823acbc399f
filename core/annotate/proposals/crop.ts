import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';
import { pixelAt } from './image.ts';

/**
 * The identity of a crop: its size, a hash of its pixels, and a quick sum that can be had for every position of a
 * picture in one pass (seen.ts). `quick` is a signed 32-bit integer.
 */
export type Crop = { width: number; height: number; hash: string; quick: number };

/** Odd, so that they have an inverse modulo 2^32. */
export const COLUMN_BASE = 0x9e3779b1 | 0;
export const ROW_BASE = 0x85ebca6b | 0;

/** The crop of a box that lies inside the picture; null when all its pixels are equal: that says nothing of what it is. */
export function cropOf(image: RgbImage, box: Rect): Crop | null {
  const { rgb, width } = image;
  const first = pixelAt(image, box.x, box.y);
  let flat = true;
  let quick = 0;
  let rowFactor = 1;
  for (let y = box.y; y < box.y + box.height; y++) {
    let sum = 0;
    let factor = 1;
    let at = (y * width + box.x) * 3;
    for (let x = 0; x < box.width; x++, at += 3) {
      const pixel = (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
      if (pixel !== first) flat = false;
      sum = (sum + Math.imul(pixel + 1, factor)) | 0;
      factor = Math.imul(factor, COLUMN_BASE);
    }
    quick = (quick + Math.imul(sum, rowFactor)) | 0;
    rowFactor = Math.imul(rowFactor, ROW_BASE);
  }
  return flat ? null : { width: box.width, height: box.height, hash: cropHash(image, box), quick };
}

/**
 * A hash of the boxed pixels and the box's size (`32x24:…`, 106 bits after the size): equal crops share it, others do not
 * in practice. The box lies inside the picture. It only finds equals; it protects nothing.
 */
export function cropHash({ rgb, width }: RgbImage, box: Rect): string {
  let [a, b, c, d] = [0xdeadbeef, 0x41c6ce57, 0x2545f491, 0x9e3779b9];
  for (let y = box.y; y < box.y + box.height; y++) {
    const from = (y * width + box.x) * 3;
    const to = from + box.width * 3;
    for (let at = from; at < to; at += 3) {
      const pixel = (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
      a = Math.imul(a ^ pixel, 2654435761);
      b = Math.imul(b ^ pixel, 1597334677);
      c = Math.imul(c ^ ((pixel << 7) | (pixel >>> 17)), 2246822519);
      d = Math.imul(d ^ ((pixel << 13) | (pixel >>> 11)), 3266489917);
      a ^= a >>> 15;
      b ^= b >>> 13;
      c ^= c >>> 16;
      d ^= d >>> 14;
    }
  }
  return `${box.width}x${box.height}:${finish(a, b)}${finish(c, d)}`;
}

/** The end of cyrb53 (public domain): two 32-bit states as 53 bits, in hexadecimal. */
function finish(first: number, second: number): string {
  const one = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  const two = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(16).padStart(14, '0');
}
