/** Dead keys by the spacing character that an OS names them with, as combining marks. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['\u00b4', '\u0301'],
  // US International names its dead acute and diaeresis by the quotes on the key.
  ["'", '\u0301'],
  ['^', '\u0302'],
  ['\u02c6', '\u0302'],
  ['~', '\u0303'],
  ['\u02dc', '\u0303'],
  ['\u00af', '\u0304'],
  ['\u02c9', '\u0304'],
  ['\u02d8', '\u0306'],
  ['\u02d9', '\u0307'],
  ['\u00a8', '\u0308'],
  ['"', '\u0308'],
  ['\u02da', '\u030a'],
  ['\u00b0', '\u030a'],
  ['\u02dd', '\u030b'],
  ['\u02c7', '\u030c'],
  ['\u00b8', '\u0327'],
  ['\u02db', '\u0328'],
  ['\u037a', '\u0345'],
  ['\u0384', '\u0301'],
  ['\u0385', '\u0308\u0301'],
  ['\u1fbf', '\u0313'],
  ['\u1ffe', '\u0314'],
]);

/** The combining mark(s) of a dead key's spacing form; a form without one stands for itself. */
export function markOf(spacing: string): string {
  return MARKS.get(spacing) ?? spacing;
}
