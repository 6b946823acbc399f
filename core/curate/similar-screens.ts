import { hashDistance, hashWords, SCREEN_BITS } from './screen-hash.ts';

type ScreenPair = { a: number; b: number; distance: number };

/**
 * All pairs of different hashes at most `most` bits apart, by place in the list. Exact, and not all pairs are compared: cut
 * into most + 1 bands, two such hashes have a band in common (pigeonhole). Give each hash once: equal ones would pair with
 * all others like them.
 */
export function similarScreens(hashes: readonly string[], most: number): ScreenPair[] {
  const words = hashes.map(hashWords);
  const bands = most + 1;
  const pairs = new Map<number, ScreenPair>();
  for (let band = 0; band < bands; band++) {
    const from = Math.floor((band * SCREEN_BITS) / bands);
    const to = Math.floor(((band + 1) * SCREEN_BITS) / bands);
    const buckets = Map.groupBy(words.keys(), (place) => bandOf(words[place]!, from, to));
    for (const places of buckets.values()) {
      for (const [at, a] of places.entries()) {
        for (const b of places.slice(at + 1)) {
          const key = a * hashes.length + b;
          if (pairs.has(key)) continue;
          const distance = hashDistance(words[a]!, words[b]!);
          if (distance <= most) pairs.set(key, { a, b, distance });
        }
      }
    }
  }
  return [...pairs.values()].sort((one, two) => one.a - two.a || one.b - two.b);
}

/** Bits `from` to `to` as a key. */
function bandOf(words: Uint32Array, from: number, to: number): string {
  const parts: number[] = [];
  for (let bit = from; bit < to; ) {
    const [word, offset] = [bit >>> 5, bit & 31];
    const length = Math.min(32 - offset, to - bit);
    const mask = length === 32 ? 0xffffffff : (1 << length) - 1;
    parts.push((words[word]! >>> offset) & mask);
    bit += length;
  }
  return parts.join(',');
}
