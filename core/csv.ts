/** A cell of a table that goes out; null and undefined are empty. */
export type CsvCell = string | number | null | undefined;

/**
 * CSV (RFC 4180): CRLF, fields with a comma, a quote or a line end in quotes, UTF-8. A text that a spreadsheet would take for a
 * formula is none (names come from other people).
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

/**
 * A spreadsheet would take a text that begins so for a formula (some the wide signs, too): an apostrophe before it makes it one
 * no longer. Where cells are parted at `;` or a tab, quotes keep what stands behind one from being a beginning.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
