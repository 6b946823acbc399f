import type { RgbImage } from '../../schemas/picture.ts';

/** Side of the squares that are compared, px, and how far apart they begin. */
const SIDE = 8;
const STEP = 4;
/** Of 8 bits, as Wang, Bovik, Sheikh and Simoncelli (2004) choose them: they keep plain squares from dividing by nothing. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/**
 * How alike two pictures look (SSIM, 1: the same), by their grey values, or `inColour` by the mean of red, green and blue: of grey
 * alone another hue of the same lightness is the same picture. Null where their sizes differ or are smaller than a square. Wang et
 * al., "Image Quality Assessment: From Error Visibility to Structural Similarity", equation 13, over squares of 8 px instead of a
 * Gaussian of 11.
 */
export function structuralLikeness(a: RgbImage, b: RgbImage, inColour = false): number | null {
  if (a.width !== b.width || a.height !== b.height || a.width < SIDE || a.height < SIDE) return null;
  if (!inColour) return likenessOf(a, greyOf(a), greyOf(b));
  return [0, 1, 2].reduce((sum, one) => sum + likenessOf(a, channelOf(a, one), channelOf(b, one)), 0) / 3;
}

function likenessOf(
  { width, height }: RgbImage,
  one: Readonly<ArrayLike<number>>,
  other: Readonly<ArrayLike<number>>,
): number {
  let [sum, count] = [0, 0];
  for (let top = 0; top + SIDE <= height; top += STEP) {
    for (let left = 0; left + SIDE <= width; left += STEP) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + SIDE; y++) {
        for (let at = y * width + left, end = at + SIDE; at < end; at++) {
          const [x, z] = [one[at]!, other[at]!];
          sa += x;
          sb += z;
          saa += x * x;
          sbb += z * z;
          sab += x * z;
        }
      }
      const n = SIDE * SIDE;
      const [ma, mb] = [sa / n, sb / n];
      const [va, vb, both] = [saa / n - ma * ma, sbb / n - mb * mb, sab / n - ma * mb];
      sum += ((2 * ma * mb + C1) * (2 * both + C2)) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
      count++;
    }
  }
  return sum / count;
}

function greyOf({ width, height, rgb }: RgbImage): Float32Array {
  const grey = new Float32Array(width * height);
  for (let n = 0, at = 0; n < grey.length; n++, at += 3)
    grey[n] = 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!;
  return grey;
}

function channelOf({ width, height, rgb }: RgbImage, channel: number): Uint8Array {
  const values = new Uint8Array(width * height);
  for (let n = 0, at = channel; n < values.length; n++, at += 3) values[n] = rgb[at]!;
  return values;
}
