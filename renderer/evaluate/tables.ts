import { type Column, TABLE_3, TABLE_4, TABLE_4_OFFLINE, TABLE_5, tableOf } from '../../core/evaluate/tables.ts';
import type { Run } from '../../schemas/api/evaluate.ts';
import type { EvaluateOptions, EvaluationRow, Metric } from '../../schemas/evaluate.ts';

/** The leaderboard as data: the paper's tables 3, 4 and 5, the best of each column marked (docs/metrics.md). */

export type BoardCell = { metric: Metric | null; best: boolean };
export type BoardTable = {
  id: string;
  title: string;
  about: string;
  columns: readonly Column[];
  rows: { run: Run; cells: BoardCell[] }[];
};

const LAYOUTS: readonly { id: string; title: string; about: string; columns: readonly Column[] }[] = [
  {
    id: 'overall',
    title: 'Overall',
    about:
      'Plans, actions, and the mean of the three, in per cent (the paper’s table 3), beside what each action gave.',
    columns: [
      ...TABLE_3,
      ...TABLE_5.filter(({ metric }) => /recall|precision|accuracy/.test(metric)).filter(notKeysRecall),
    ],
  },
  {
    id: 'plans',
    title: 'Plans by what was asked from',
    about: 'A judging model’s score from 0 to 5 (table 4), and step F1 in per cent, which needs no judge.',
    columns: [...TABLE_4, ...TABLE_4_OFFLINE],
  },
  {
    id: 'actions',
    title: 'Actions in detail',
    about: 'Distance and recall in per cent of each action (table 5). Of distance, less is better.',
    columns: TABLE_5,
  },
];

function notKeysRecall({ metric }: Column): boolean {
  return metric !== 'keys.recall';
}

/** The tables that have at least one column; rows in the order of the runs. */
export function boardTables(runs: readonly Run[]): BoardTable[] {
  return LAYOUTS.map(({ columns, ...layout }) => {
    const table = tableOf(
      columns,
      runs.map(({ name, evaluation }) => ({ ...evaluation, model: name })),
    );
    const shown = table.columns.filter((_, i) => table.rows.some(({ cells }) => hasValue(cells[i])));
    const places = shown.map((column) => table.columns.indexOf(column));
    const best = shown.map((column, i) =>
      bestOf(
        column,
        table.rows.map(({ cells }) => cells[places[i]!] ?? null),
      ),
    );
    const rows = runs.map((run, at) => ({
      run,
      cells: places.map((place, i): BoardCell => {
        const metric = table.rows[at]?.cells[place] ?? null;
        return { metric, best: metric?.value != null && metric.value === best[i] };
      }),
    }));
    return { ...layout, columns: shown, rows };
  }).filter(({ columns }) => columns.length > 0);
}

const hasValue = (cell: Metric | null | undefined): boolean => cell != null && cell.value !== null;

/** The best value of a column; null with fewer than two, where "best" says nothing. */
export function bestOf({ better }: Column, cells: readonly (Metric | null)[]): number | null {
  const values = cells.flatMap((cell) => (cell?.value == null ? [] : [cell.value]));
  if (values.length < 2 || new Set(values).size === 1) return null;
  return better === 'high' ? Math.max(...values) : Math.min(...values);
}

export const digitsOf = ({ unit }: Pick<Metric, 'unit'>): number => (unit === '0-5' || unit === 'tau' ? 2 : 1);

/** `60.1`, or `–` where nothing was counted. */
export function valueText(metric: Metric | null): string {
  return metric?.value == null ? '–' : metric.value.toFixed(digitsOf(metric));
}

/** `58.0–62.2`, or nothing. */
export function intervalText(metric: Metric | null): string {
  if (!metric?.interval) return '';
  const digits = digitsOf(metric);
  return `${metric.interval.low.toFixed(digits)} – ${metric.interval.high.toFixed(digits)}`;
}

const OPTION_NAMES: Partial<Record<keyof EvaluateOptions, string>> = {
  threshold: 'hit within (px)',
  comparator: 'distance compared by',
  missingDist: 'distance of a missing answer',
  boxRecall: 'a box hits by',
  keysReading: 'keys compared as',
  otherCharacters: 'characters without a key',
  mouseCalls: 'mouse calls in code',
  unreadableCritic: 'unreadable judge',
  planScore: 'plan score',
  mainHigh: 'high plans from',
  mainMid: 'mid plans from',
  actionGroups: 'action groups from',
  resamples: 'resamples',
  level: 'interval',
  seed: 'seed',
};

/** The options that decide the numbers of these tables, in words. */
export function optionTexts(options: EvaluateOptions): string[] {
  return Object.entries(OPTION_NAMES).map(([key, name]) => {
    const value = options[key as keyof EvaluateOptions]; // The record's own keys.
    return `${name}: ${Array.isArray(value) ? value.join(', ') : value}`;
  });
}

/** Why the rows cannot be compared one to one; empty when they can. */
export function differences(runs: readonly Run[]): string[] {
  const found: string[] = [];
  const [first, ...others] = runs;
  if (!first) return found;
  const keys = Object.keys(OPTION_NAMES) as (keyof EvaluateOptions)[]; // The record's own keys.
  for (const key of keys) {
    const value = JSON.stringify(first.evaluation.options[key]);
    if (others.some(({ evaluation }) => JSON.stringify(evaluation.options[key]) !== value)) {
      found.push(`option “${OPTION_NAMES[key]}”`);
    }
  }
  const files = [...first.files].sort().join(', ');
  if (others.some((run) => [...run.files].sort().join(', ') !== files)) found.push('the questions that were scored');
  return found;
}

/** Groups of rows that at least one run has, in the order of the results (figure 5: actions ascending). */
export function groupNames(runs: readonly Run[], group: EvaluationRow['group']): string[] {
  const names = new Set<string>();
  for (const { evaluation } of runs) for (const row of evaluation.rows) if (row.group === group) names.add(row.name);
  const sorted = [...names];
  return group === 'actions' ? sorted.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)) : sorted.sort();
}

export function metricOf(run: Run, group: EvaluationRow['group'], name: string, metric: string): Metric | null {
  const row = run.evaluation.rows.find((one) => one.group === group && one.name === name);
  return row?.metrics.find((one) => one.metric === metric) ?? null;
}

/** Every column of the tables that has a value somewhere in this kind of group. */
export function groupMetrics(runs: readonly Run[], group: EvaluationRow['group']): Column[] {
  const known = new Set<string>();
  for (const { evaluation } of runs) {
    for (const row of evaluation.rows) {
      if (row.group === group) for (const one of row.metrics) if (one.value !== null) known.add(one.metric);
    }
  }
  const columns = new Map([...TABLE_4, ...TABLE_4_OFFLINE, ...TABLE_3, ...TABLE_5].map((one) => [one.metric, one]));
  return [...columns.values()].filter(({ metric }) => known.has(metric));
}

/** Figure 5's own metric where it is there: high plans from pictures by software, mid plans by actions; else the first. */
export function defaultMetric(columns: readonly Column[], group: 'software' | 'actions'): string | null {
  const plan = group === 'software' ? 'high.vision' : 'mid.vision+text';
  const wanted = [`${plan}.score`, `${plan}.stepF1`, 'action.full', 'click.recall'];
  return wanted.find((one) => columns.some(({ metric }) => metric === one)) ?? columns[0]?.metric ?? null;
}
