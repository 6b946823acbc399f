import type { Group } from './groups.ts';
import { hashDistance, hashWords, SCREEN_BITS } from './screen-hash.ts';

export type ScreenPair = { a: number; b: number; distance: number };

/**
 * All pairs of different hashes at most `most` bits apart, by place in the list. Exact, and not all pairs are compared: cut
 * into most + 1 bands, two such hashes have a band in common (pigeonhole). Give each hash once: equal ones would pair with
 * all others like them. Of a cluster of screens that are alike there are as many pairs as its square: to group them, use
 * `similarGroups`.
 */
export function similarScreens(hashes: readonly string[], most: number): ScreenPair[] {
  const words = hashes.map(hashWords);
  const pairs: ScreenPair[] = [];
  const index = bandIndex(words, most);
  for (let a = 0; a < words.length; a++) {
    // Each pair is found by its first.
    index.take(a);
    for (const { member: b, distance } of index.near(a)) pairs.push({ a, b, distance });
  }
  return pairs;
}

/**
 * Groups of hashes around keepers, the same as `groupsAround(hashes.length, similarScreens(hashes, most))`, without the pairs:
 * what a keeper takes is not looked at again, so a cluster costs about as much as it has screens.
 */
export function similarGroups(hashes: readonly string[], most: number): Group<ScreenPair>[] {
  const words = hashes.map(hashWords);
  const index = bandIndex(words, most);
  const taken = new Uint8Array(words.length);
  const groups: Group<ScreenPair>[] = [];
  for (let keeper = 0; keeper < words.length; keeper++) {
    if (taken[keeper] === 1) continue;
    index.take(keeper);
    // One before it that was near would have taken it.
    const others = index.near(keeper).map(({ member, distance }) => {
      taken[member] = 1;
      index.take(member);
      return { member, pair: { a: keeper, b: member, distance } };
    });
    if (others.length > 0) groups.push({ keeper, others });
  }
  return groups;
}

type Near = { member: number; distance: number };

/** Finds hashes that are near by the bands that they share; what was taken is found no more. */
function bandIndex(words: readonly Uint32Array[], most: number) {
  const bands = bandsOf(most + 1);
  const keys = bands.map((masks) => words.map((one) => keyOf(one, masks)));
  const buckets = keys.map((of) => {
    const found = new Map<string, number[]>();
    for (const [place, key] of of.entries()) {
      const bucket = found.get(key);
      if (bucket) bucket.push(place);
      else found.set(key, [place]);
    }
    return found;
  });
  const gone = new Uint8Array(words.length);
  /** By whom it was compared last, plus one. */
  const seen = new Uint32Array(words.length);
  return {
    take(place: number): void {
      gone[place] = 1;
    },
    /** In the order of the list. */
    near(place: number): Near[] {
      const found: Near[] = [];
      for (const [band, bucketsOf] of buckets.entries()) {
        const bucket = bucketsOf.get(keys[band]![place]!) ?? [];
        let kept = 0;
        for (const other of bucket) {
          if (gone[other] === 1) continue;
          // A screen that was taken leaves the bucket at the first look at it.
          bucket[kept++] = other;
          if (seen[other] === place + 1) continue;
          seen[other] = place + 1;
          const distance = hashDistance(words[place]!, words[other]!);
          if (distance <= most) found.push({ member: other, distance });
        }
        bucket.length = kept;
      }
      return found.sort((one, two) => one.member - two.member);
    },
  };
}

/**
 * A band's bits lie spread over the whole screen: the empty top of a window, which thousands of screens share, would else be
 * a band by itself, and all of them would be compared.
 */
function bandsOf(count: number): Uint32Array[] {
  const bands = Array.from({ length: count }, () => new Uint32Array(SCREEN_BITS >>> 5));
  for (let bit = 0; bit < SCREEN_BITS; bit++) bands[bit % count]![bit >>> 5]! |= 1 << (bit & 31);
  return bands;
}

function keyOf(words: Uint32Array, masks: Uint32Array): string {
  let key = '';
  for (let at = 0; at < words.length; at++) {
    const part = (words[at]! & masks[at]!) >>> 0;
    key += String.fromCharCode(part >>> 16, part & 0xffff);
  }
  return key;
}
