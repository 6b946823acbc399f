import type { RgbImage } from '../../schemas/picture.ts';

/** Words of 32 bits. */
const WORDS = 8;
const SIDE = 16;
export const SCREEN_BITS = SIDE * SIDE;

/**
 * Difference hash of a screen, 256 bits: the picture as 17 x 16 averages of brightness; a bit is set where one is brighter
 * than its left neighbour by more than a rounding. (64 bits, as for photographs, cannot tell two dialogs of one program.)
 * Images narrower than 17 px or lower than 16 px are taken as if their pixels were larger.
 */
export function screenHash({ rgb, width, height }: RgbImage): string {
  const columns = SIDE + 1;
  const means = new Float64Array(columns * SIDE);
  for (let row = 0; row < SIDE; row++) {
    const [top, bottom] = stretch(row, SIDE, height);
    for (let column = 0; column < columns; column++) {
      const [left, right] = stretch(column, columns, width);
      let sum = 0;
      for (let y = top; y < bottom; y++) {
        let at = (y * width + left) * 3;
        // Rec. 601 luma, times 1000.
        for (let x = left; x < right; x++, at += 3) sum += 299 * rgb[at]! + 587 * rgb[at + 1]! + 114 * rgb[at + 2]!;
      }
      means[row * columns + column] = sum / ((bottom - top) * (right - left)) / 1000;
    }
  }
  const words = new Uint32Array(WORDS);
  for (let bit = 0; bit < SCREEN_BITS; bit++) {
    const at = Math.floor(bit / SIDE) * columns + (bit % SIDE);
    if (means[at + 1]! - means[at]! > 0.5) words[bit >>> 5]! |= 1 << (bit & 31);
  }
  return [...words].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The pixels of part `at` of `parts`; at least one. */
function stretch(at: number, parts: number, size: number): [from: number, to: number] {
  const from = Math.min(Math.floor((at * size) / parts), size - 1);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * size) / parts))];
}

export function hashWords(hash: string): Uint32Array {
  return Uint32Array.from({ length: WORDS }, (_, at) => Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16));
}

/** Bits in which two hashes differ. */
export function hashDistance(a: Uint32Array, b: Uint32Array): number {
  let bits = 0;
  for (let at = 0; at < WORDS; at++) bits += ones(a[at]! ^ b[at]!);
  return bits;
}

/** Set bits of a 32-bit word (Warren, Hacker's Delight, 5-1). */
function ones(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
