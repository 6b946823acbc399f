import { largestOf } from '../../core/lists.ts';

/** Which words of several texts differ: for values that stand side by side. Pure. */

/** A stretch of a text. `differs`: at least one of the other texts does not have it there. */
export type WordPiece = { text: string; differs: boolean };

/** Cells of the table of longest common subsequences: texts beyond it are compared by their ends alone. */
const MOST_CELLS = 2_000_000;

// Not by blanks: Chinese and Japanese have none. The locale only matters where a language has its own rules.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

function wordsIn(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Each text in pieces, put together the text again. A text is held against the one that is most like it among those that
 * differ: two sentences that end differently show that, whatever a third one says. Words are marked that a longest common
 * subsequence with it leaves out; white space only between two marked words.
 */
export function markWords(texts: readonly string[]): WordPiece[][] {
  const words = texts.map(wordsIn);
  const solid = words.map((all) => [...all.keys()].filter((at) => all[at]!.trim() !== ''));
  const solidWords = solid.map((places, i) => places.map((at) => words[i]![at]!));
  const common = commonOf(texts, solidWords);
  return words.map((all, i) => {
    const marked = all.map(() => false);
    const others = [...texts.keys()].filter((j) => texts[j] !== texts[i]);
    const longest = largestOf(others.map((j) => common(i, j).size));
    const nearest = others.find((j) => common(i, j).size === longest);
    if (nearest !== undefined) {
      const shared = common(i, nearest);
      for (const [n, at] of solid[i]!.entries()) if (!shared.has(n)) marked[at] = true;
    }
    return pieces(all, marked);
  });
}

/** Places in the words of `i` that they have in common with those of `j`. Found once for a pair, so that both agree on it. */
function commonOf(texts: readonly string[], words: readonly (readonly string[])[]) {
  const found = new Map<string, ReadonlySet<number>>();
  return (i: number, j: number): ReadonlySet<number> => {
    const key = `${i} ${j}`;
    if (!found.has(key)) {
      const [low, high] = [Math.min(i, j), Math.max(i, j)];
      const pairs = texts[i] === texts[j] ? [] : inCommon(words[low]!, words[high]!);
      found.set(`${low} ${high}`, new Set(pairs.map(([a]) => a)));
      found.set(`${high} ${low}`, new Set(pairs.map(([, b]) => b)));
    }
    return found.get(key)!;
  };
}

/** Places of words that `a` and `b` have in common, in order: a longest common subsequence. */
function inCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const shared: [number, number][] = [];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) shared.push([from, from++]);
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) shared.push([--endA, --endB]);
  const [rows, columns] = [endA - from, endB - from];
  if (rows === 0 || columns === 0 || rows * columns > MOST_CELLS) return shared;
  const width = columns + 1;
  const length = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      length[i * width + j] =
        a[from + i] === b[from + j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[from + i] === b[from + j]) shared.push([from + i++, from + j++]);
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i++;
    else j++;
  }
  return shared;
}

function pieces(words: readonly string[], marked: readonly boolean[]): WordPiece[] {
  const made: WordPiece[] = [];
  for (const [at, text] of words.entries()) {
    const blank = text.trim() === '';
    const differs = marked[at] === true || (blank && marked[at - 1] === true && marked[at + 1] === true);
    const last = made.at(-1);
    if (last?.differs === differs) last.text += text;
    else made.push({ text, differs });
  }
  return made;
}
