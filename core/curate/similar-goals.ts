import { wordsOf } from './words.ts';

/** Near-duplicate goals, by the Jaccard similarity of their words and of the trigrams in their words. */

type GoalPair = { a: number; b: number; similarity: number };

/**
 * All pairs of texts at least `least` similar (0 < least <= 1), `a < b`, by place in the list. Exact, and not all pairs are
 * compared: of two sets that are that similar, the rarest features of the one meet the rarest of the other (prefix filtering:
 * Bayardo, Ma, Srikant, Scaling up all pairs similarity search, 2007). Texts without a word are like nothing.
 */
export function similarGoals(texts: readonly string[], least: number): GoalPair[] {
  const sets = numbered(texts.map(featuresOf));
  const order = [...sets.keys()].sort((a, b) => sets[a]!.length - sets[b]!.length || a - b);
  const index = new Map<number, number[]>();
  const pairs: GoalPair[] = [];
  for (const place of order) {
    const features = sets[place]!;
    if (features.length === 0) continue;
    const candidates = new Set<number>();
    const prefix = features.length - Math.ceil(least * features.length - 1e-9) + 1;
    for (const feature of features.slice(0, prefix)) {
      const found = index.get(feature) ?? [];
      for (const other of found) candidates.add(other);
      index.set(feature, found);
      found.push(place);
    }
    for (const other of candidates) {
      // The other is not larger: too small a one cannot be that similar.
      if (sets[other]!.length < least * features.length - 1e-9) continue;
      const similarity = jaccard(features, sets[other]!);
      if (similarity >= least) pairs.push({ a: Math.min(place, other), b: Math.max(place, other), similarity });
    }
  }
  return pairs.sort((one, two) => one.a - two.a || one.b - two.b);
}

/** Whole words weigh beside the trigrams in them: word order does not count, a different ending little. */
function featuresOf(text: string): Set<string> {
  const features = new Set<string>();
  for (const word of wordsOf(text)) {
    features.add(word);
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at++) features.add(`~${padded.slice(at, at + 3)}`);
  }
  return features;
}

/** Features as numbers, the rarest first, each set ascending. */
function numbered(sets: readonly Set<string>[]): number[][] {
  const counts = new Map<string, number>();
  for (const set of sets) for (const feature of set) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const rarest = [...counts].sort(([a, m], [b, n]) => m - n || (a < b ? -1 : 1));
  const numbers = new Map(rarest.map(([feature], at) => [feature, at]));
  return sets.map((set) => [...set].map((feature) => numbers.get(feature)!).sort((a, b) => a - b));
}

/** The Jaccard similarity of two ascending lists. */
function jaccard(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      shared++;
      i++;
      j++;
    } else if (a[i]! < b[j]!) i++;
    else j++;
  }
  const all = a.length + b.length - shared;
  return all === 0 ? 0 : shared / all;
}
