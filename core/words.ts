/** `1 task`, `12 tasks`, `1,204 tasks`; irregular plurals are given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
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
