import { csvText } from '../../../core/csv.ts';

/** The data of a plot as rows: the same for the table beside it and for the files. */
export type PlotTable = { columns: readonly [string, ...string[]]; rows: readonly (readonly (string | number)[])[] };

export const toCsv = ({ columns, rows }: PlotTable): string => csvText([columns, ...rows]);

/** A list of objects by the columns' names. */
export function toJson({ columns, rows }: PlotTable): string {
  return `${JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]))),
    null,
    2,
  )}\n`;
}
