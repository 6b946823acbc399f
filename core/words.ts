/** `1 task`, `12 tasks`, `1,204 tasks`; irregular plurals are given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Bytes as `0 kB`, `12 kB`, `2.4 MB`, `268 MB`, `1.5 GB`, in powers of 1000: never nothing for something. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1e5) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Every character at which some reader ends a line; Python's `splitlines` does at more of them than editors do. */
const LINE_ENDS = /[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+/;

/** A text on one line, so that a list of such lines has as many as it has entries. */
export const oneLine = (text: string): string =>
  text
    .split(LINE_ENDS)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** Insertions, deletions and replacements of a letter that turn one text into the other (Wagner & Fischer 1974). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** ` Did you mean "x"?` with the name that is nearest, or nothing where none is near: for the end of a sentence. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = known
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? ` Did you mean "${near.each}"?` : '';
}
