/** More words that differ on either side are not compared: it takes the product of both. */
const MOST_WORDS = 8000;

/**
 * How alike two texts are, 0 to 1: the words that both have in the same order, of all. 1 is only for the same words. Throws a
 * RangeError where they are too long to be compared.
 */
export function textLikeness(a: string, b: string): number {
  const [some, others] = [wordsOf(a), wordsOf(b)];
  const all = some.length + others.length;
  if (all === 0) return 1;
  let [head, tail] = [0, 0];
  const short = Math.min(some.length, others.length);
  while (head < short && some[head] === others[head]) head++;
  while (tail < short - head && some.at(-1 - tail) === others.at(-1 - tail)) tail++;
  const [left, right] = [some.slice(head, some.length - tail), others.slice(head, others.length - tail)];
  if (left.length > MOST_WORDS || right.length > MOST_WORDS)
    throw new RangeError(`more than ${MOST_WORDS} words of it are other than wanted`);
  return (2 * (head + tail + common(left, right))) / all;
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The length of the longest common subsequence. */
function common(some: readonly string[], others: readonly string[]): number {
  let row = new Uint16Array(others.length + 1);
  for (const word of some) {
    const next = new Uint16Array(others.length + 1);
    for (let n = 0; n < others.length; n++)
      next[n + 1] = word === others[n] ? row[n]! + 1 : Math.max(row[n + 1]!, next[n]!);
    row = next;
  }
  return row[others.length]!;
}
