/**
 * How like two texts are (R10, R11). Names, titles and narrations are compared as a reader takes them (`normaliseText`);
 * typed text is data and is compared as it is.
 */

const ASCII = /^[\x00-\x7f]*$/;

/** The same letters in one form (Unicode NFKC), without case, single spaces, none around. */
export function normaliseText(text: string): string {
  // Most names are plain ASCII, where lower case is all there is to it.
  if (ASCII.test(text)) return text.toLowerCase().replace(/\s+/g, ' ').trim();
  // Lower, upper and lower again folds what lower case alone does not: ẞ, ß and SS, the two forms of sigma.
  return text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/**
 * Levenshtein similarity: 1 - distance / length of the longer, in code points; 1 for two empty texts (R10). Levenshtein,
 * V. I. (1966). Binary codes capable of correcting deletions, insertions, and reversals. Soviet Physics Doklady 10, 707-710.
 */
export function editSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const [from, to] = [codePoints(a), codePoints(b)];
  return 1 - distance(from, to) / Math.max(from.length, to.length);
}

/**
 * Token F1 of two bags of words (R11): 2 P R / (P + R), where each word counts as often as it is in both. Rajpurkar et
 * al. (2016). SQuAD: 100,000+ questions. EMNLP, 6.1.
 */
export function tokenF1(a: string, b: string): number {
  const [from, to] = [tokens(a), tokens(b)];
  if (from.length === 0 || to.length === 0) return from.length === to.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of from) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of to) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    shared++;
    left.set(token, count - 1);
  }
  return (2 * shared) / (from.length + to.length);
}

/** Words: runs of letters, marks and digits; a sign of a script without spaces is a word of its own. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+/gv;

function tokens(text: string): string[] {
  const normal = normaliseText(text);
  const words = normal.match(WORD);
  // "+" and "×" are names too, although no words.
  return words ?? (normal === '' ? [] : [normal]);
}

function codePoints(text: string): Uint32Array {
  const points = new Uint32Array(text.length);
  let n = 0;
  for (let at = 0; at < text.length; n++) {
    const point = text.codePointAt(at)!;
    points[n] = point;
    at += point > 0xffff ? 2 : 1;
  }
  return points.subarray(0, n);
}

/** Insertions, deletions and replacements that turn one into the other, each 1 (Wagner & Fischer 1974, one row kept). */
function distance(a: Uint32Array, b: Uint32Array): number {
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const row = Uint32Array.from({ length: endB - start + 1 }, (_, j) => j);
  for (let i = start; i < endA; i++) {
    let diagonal = row[0]!;
    row[0] = i - start + 1;
    for (let j = start; j < endB; j++) {
      const at = j - start + 1;
      const replaced = diagonal + (a[i] === b[j] ? 0 : 1);
      diagonal = row[at]!;
      row[at] = Math.min(replaced, diagonal + 1, row[at - 1]! + 1);
    }
  }
  return row[endB - start]!;
}
