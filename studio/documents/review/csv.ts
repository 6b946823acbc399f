import { type CsvCell, csvText } from '../../../core/csv.ts';
import type { Agreement, Dashboard, Figure } from '../../../schemas/api/review-models.ts';
import { RECORDING_STATES } from '../../../schemas/task-terms.ts';

/** The dashboard's tables as CSV. */

export const CSV_TABLES = ['recordings', 'people', 'pairs', 'software'] as const;
export type CsvTable = (typeof CSV_TABLES)[number];

export function dashboardCsv(dashboard: Dashboard, table: CsvTable): string {
  return csvText(TABLES[table](dashboard));
}

const figureHead = (name: string): string[] => [name, `${name}_n`, `${name}_low`, `${name}_high`];
const figureCells = ({ value, n, low, high }: Figure): CsvCell[] => [value, n, low, high];

/** In the order of the schema, which every row has. */
const kindsOf = (agreements: readonly Agreement[]): (keyof Agreement)[] =>
  Object.keys(agreements[0] ?? {}) as (keyof Agreement)[]; // The keys of an object of exactly these.

function withAgreement<T extends { agreement: Agreement }>(
  rows: readonly T[],
  all: Agreement,
  head: readonly string[],
  cells: (row: T) => CsvCell[],
): CsvCell[][] {
  const kinds = kindsOf([all]);
  return [
    [...head, ...kinds.flatMap(figureHead)],
    ...rows.map((row) => [...cells(row), ...kinds.flatMap((kind) => figureCells(row.agreement[kind]))]),
  ];
}

const TABLES: Readonly<Record<CsvTable, (dashboard: Dashboard) => CsvCell[][]>> = {
  recordings: ({ recordings, agreement }) =>
    withAgreement(
      recordings,
      agreement,
      ['recording', 'task', 'software', 'state', 'documents', 'differences'],
      ({ recording, task, software, state, documents, differences }) => [
        recording,
        task,
        software,
        state,
        documents,
        differences,
      ],
    ),
  pairs: ({ pairs, people, agreement }) => {
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return withAgreement(pairs, agreement, ['first', 'second', 'recordings'], ({ people: [a, b], recordings }) => [
      names.get(a) ?? a,
      names.get(b) ?? b,
      recordings,
    ]);
  },
  people: ({ people }) => [
    [
      'person',
      'name',
      'begun',
      'handed_in',
      'reviewed',
      'rejected',
      'returned',
      'steps',
      'median_step_seconds',
      'checks',
      ...figureHead('check_score').filter((name) => name !== 'check_score_n'),
    ],
    ...people.map((one): CsvCell[] => [
      one.id,
      one.name,
      one.begun,
      one.submitted,
      one.reviewed,
      one.rejected,
      one.returned,
      one.steps,
      one.medianStepSeconds,
      one.checks.n,
      one.checks.overall.value,
      one.checks.overall.low,
      one.checks.overall.high,
    ]),
  ],
  software: ({ software }) => [
    ['software', 'name', ...RECORDING_STATES, 'total'],
    ...software.map(({ id, name, states, total }): CsvCell[] => [
      id,
      name,
      ...RECORDING_STATES.map((state) => states[state] ?? 0),
      total,
    ]),
  ],
};
