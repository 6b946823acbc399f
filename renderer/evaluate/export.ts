import type { Run } from '../../schemas/api/evaluate.ts';

/** The forms in which a leaderboard is written, to be taken elsewhere. */

const HEAD = [
  ...['model', 'dataset', 'dataset_hash', 'group', 'name', 'metric', 'value', 'unit', 'n'],
  ...['low', 'high', 'interval_level', 'interval_method', 'options'],
];

/** Every number of every run, one a line (RFC 4180). */
export function boardCsv(runs: readonly Run[]): string {
  const lines: unknown[][] = [HEAD];
  for (const { name, evaluation } of runs) {
    const { dataset, options, rows } = evaluation;
    for (const row of rows) {
      for (const { metric, value, unit, n, interval } of row.metrics) {
        lines.push([
          ...[name, dataset?.name, dataset?.hash, row.group, row.name, metric, value, unit, n],
          ...[interval?.low, interval?.high, interval && options.level, interval?.method, JSON.stringify(options)],
        ]);
      }
    }
  }
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it: names come from files. */
function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  const raw = String(value);
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const boardJson = (runs: readonly Run[]): string =>
  `${JSON.stringify(
    runs.map(({ name, madeAt, predictions, files, evaluation }) => ({ name, madeAt, predictions, files, evaluation })),
    null,
    2,
  )}\n`;
