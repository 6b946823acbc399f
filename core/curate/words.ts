/** Words of a text, in small letters: runs of letters and digits, with an apostrophe or hyphen inside. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  );
}

/** Words that say nothing of a data set by themselves; they are counted, but not shown among the frequent ones. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by for from has in into is it its of off on or out that the then this to up was with you your'.split(
    ' ',
  ),
);
