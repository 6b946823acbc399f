import { type CsvCell, csvText } from '../../core/csv.ts';
import type { Run } from '../../schemas/api/evaluate.ts';

/** The forms in which a leaderboard is written, to be taken elsewhere. */

const HEAD = [
  ...['model', 'dataset', 'dataset_hash', 'group', 'name', 'metric', 'value', 'unit', 'n'],
  ...['low', 'high', 'interval_level', 'interval_method', 'options'],
];

/** Every number of every run, one a line. */
export function boardCsv(runs: readonly Run[]): string {
  const lines: CsvCell[][] = [HEAD];
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
  return csvText(lines);
}

export const boardJson = (runs: readonly Run[]): string =>
  `${JSON.stringify(
    runs.map(({ name, madeAt, predictions, files, evaluation }) => ({ name, madeAt, predictions, files, evaluation })),
    null,
    2,
  )}\n`;
