/**
 * Secrets that the recorder withheld and that somebody wrote into the task's own words all the same ("Sign in with hunter2"). Their
 * letters are not known, only how many keys they took. Found is what may be one: a word that is as long and looks like none of a
 * language, text in quotes, and what stands where a secret is named. Too much is better taken out than too little; an ordinary
 * word in an ordinary place cannot be told from others and stays.
 */

export type SaidSecret = {
  value: string;
  /** The number of keys that it goes with, a place in the `keys` that were given. */
  of: number;
};

const CUE =
  /(?:pass(?:word|phrase|code|wort)|\bpin\b|secret|token|api.?key|\bcode|kennwort|密码|口令)(?<said>\s*(?:[:=：]|\bis\b|\bto\b|\bist\b|\blautet\b|\bauf\b|是|为)\s*|\s*)/giu;
const WITH = /\b(?:with|using|by|mit|per)\s+/giu;
/** Quotation marks, by what opens them. */
const QUOTES = new Map(['""', '“”', '„“', '„”', '«»', "''", '‘’', '``', '「」'].map((marks) => [marks, marks[1]!]));
/** A run without a space. Chinese is written without spaces, so its characters do not count. */
const TOKEN = /[^\s\p{Script=Han}，。；：！？、“”「」]+/gu;
/** Signs beside a word that may belong to the sentence. */
const SIGN = /[()[\]{}<>"'“”„«»‘’`.,;:!?]/u;
/** The marks that end a part of a sentence. */
const OVER = /^\s*(?:$|[.,;:!?，。；)\]])/u;

/** A longer word is no secret that somebody typed, characters. */
const LONGEST = 300;
/** A PIN has no fewer digits than a card's check number. */
const SHORTEST = 3;
/** A word that ends a sentence after "with": shorter ones are mostly of the language. */
const SHORTEST_WORD = 5;
/** More keys than letters: each correction took a wrong key and Backspace. */
const SHORTEST_CORRECTED = 6;

const lengthOf = (text: string): number => [...text].length;
/** No word of a language: a digit, a sign or a capital letter is in it. */
const isOdd = (text: string): boolean =>
  /\p{N}|[^\p{L}\p{M}\p{N}'’-]|\p{Ll}\p{Lu}/u.test(text) && /[\p{L}\p{N}]/u.test(text);

/**
 * `texts`: the task's own words. `keys`: how many keys each secret took; null: nobody counted them. `shown`: what could be read on
 * the screen before, and was typed so: it is no secret.
 */
export function saidSecrets(
  texts: readonly string[],
  keys: readonly (number | null)[],
  shown: readonly string[],
): SaidSecret[] {
  if (keys.length === 0) return [];
  const seen = shown.join('\n').toLowerCase();
  const found = new Map<string, number>();
  const put = (value: string, fits: (keys: number | null, length: number) => boolean): void => {
    const length = lengthOf(value);
    if (length < SHORTEST || found.has(value) || seen.includes(value.toLowerCase())) return;
    const of = keys.findIndex((one) => fits(one, length));
    if (of >= 0) found.set(value, of);
  };
  const same = (keys: number | null, length: number): boolean => keys === length;
  const corrected = (keys: number | null, length: number): boolean =>
    keys === null
      ? length >= SHORTEST_CORRECTED
      : length >= SHORTEST_CORRECTED && length < keys && length * 2 >= keys && (keys - length) % 2 === 0;
  for (const text of texts) {
    const odd = [...text.matchAll(TOKEN)].flatMap(([token]) => (token.length > LONGEST ? [] : forms(token, seen)));
    for (const fits of [same, corrected]) for (const value of odd) put(value, fits);
    for (const value of quotedIn(text)) put(value, same);
    for (const cue of text.matchAll(CUE)) {
      const isTold = (cue.groups!.said ?? '').trim() !== '';
      for (const value of following(text, cue.index + cue[0].length, keys, isTold)) put(value, same);
    }
    for (const cue of text.matchAll(WITH))
      for (const value of following(text, cue.index + cue[0].length, keys, false))
        if (lengthOf(value) >= SHORTEST_WORD && !/\s/u.test(value)) put(value, same);
  }
  return [...found].map(([value, of]) => ({ value, of }));
}

/** A word without the signs at its ends, and with some of them, which may be its own; none where it is no odd one, or was seen. */
function forms(token: string, seen: string): string[] {
  let [from, to] = [0, token.length];
  while (from < to && SIGN.test(token[from]!)) from++;
  while (to > from && SIGN.test(token[to - 1]!)) to--;
  const plain = token.slice(from, to);
  if (!isOdd(plain) || seen.includes(plain.toLowerCase())) return [];
  const found: string[] = [];
  for (const start of new Set([from, Math.max(0, from - 1), 0]))
    for (const end of new Set([to, Math.min(to + 1, token.length), token.length])) found.push(token.slice(start, end));
  return found;
}

/** Each text between quotation marks, as far as one line and a secret go. */
function quotedIn(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    for (const [marks, close] of QUOTES) {
      if (text[at] !== marks[0]) continue;
      const part = text.slice(at + 1, at + 1 + LONGEST);
      const end = part.indexOf(close);
      if (end > 0 && !part.slice(0, end).includes('\n')) found.push(part.slice(0, end));
    }
  }
  return found;
}

/** A text from there on that is as long as a secret and ends with a part of the sentence; where the words call it a secret, with a word. */
function following(text: string, from: number, keys: readonly (number | null)[], isTold: boolean): string[] {
  const letters = [...text.slice(from, from + 2000)];
  return keys.flatMap((length) => {
    if (length === null || length > letters.length) return [];
    const value = letters.slice(0, length).join('');
    const rest = letters.slice(length).join('');
    const ends = isTold ? !/^[\p{L}\p{N}]/u.test(rest) : OVER.test(rest);
    return ends && /^\S(?:[\s\S]*\S)?$/u.test(value) ? [value] : [];
  });
}
