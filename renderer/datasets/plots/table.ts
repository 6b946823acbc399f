/** The data of a plot as rows: the same for the table beside it and for the files. */
export type PlotTable = { columns: readonly [string, ...string[]]; rows: readonly (readonly (string | number)[])[] };

/** RFC 4180, with a leading apostrophe where a spreadsheet would take a text for a formula. */
export function toCsv({ columns, rows }: PlotTable): string {
  const cell = (value: string | number): string => {
    if (typeof value === 'number') return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A list of objects by the columns' names. */
export function toJson({ columns, rows }: PlotTable): string {
  return `${JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]))),
    null,
    2,
  )}\n`;
}
