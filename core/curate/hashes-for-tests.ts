import { hashWords } from './screen-hash.ts';

/** A screen's hash with these of its bits turned over. */
export function flip(hash: string, bits: readonly number[]): string {
  const words = hashWords(hash);
  for (const bit of bits) words[bit >>> 5]! ^= 1 << (bit & 31);
  return [...words].map((one) => one.toString(16).padStart(8, '0')).join('');
}
