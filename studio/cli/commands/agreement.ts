import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import type { Agreement, Dashboard, Figure, JudgementAgreement } from '../../../schemas/api/review-models.ts';
import { CSV_TABLES, dashboardCsv } from '../../documents/review/csv.ts';
import type { CliContext } from '../context.ts';
import { mirror } from '../mirror.ts';
import { textTable } from '../table.ts';
import { review } from './queue.ts';

/** `agreement`: the figures of the dashboard. */
export function register(program: Command, context: CliContext): void {
  mirror(review, context)(program, ['review', 'dashboard'], {
    offer: (command) => command.addOption(new Option('--csv <table>', 'one table as CSV').choices(CSV_TABLES)),
    json: (dashboard) => dashboard,
    text: (dashboard, _, { values }) => {
      const table = CSV_TABLES.find((one) => one === values.csv);
      // A file of CSV ends with a line end, which the result adds.
      return table ? dashboardCsv(dashboard, table).replace(/\r\n$/, '\r') : describe(dashboard);
    },
  });
}

const number = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
const interval = ({ low, high }: Figure): string =>
  low === null || high === null ? '' : `${number(low)} to ${number(high)}`;

function describe({ states, people, pairs, agreement, recordings, judgements }: Dashboard): string {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const parts = [
    `Recordings: ${Object.entries(states)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}.`,
    '',
    `Agreement over ${plural(recordings.length, 'recording')} with two or more annotations:`,
    textTable([['KIND', 'VALUE', '95 % INTERVAL', 'N'], ...kindRows(agreement)], [1, 3]),
  ];
  if (pairs.length > 0) {
    const rows = pairs.map(({ people: [a, b], recordings: count, agreement: of }) => [
      `${nameOf(a)}, ${nameOf(b)}`,
      number(of.overall.value),
      interval(of.overall),
      String(count),
    ]);
    parts.push('', textTable([['PAIR', 'OVERALL', '95 % INTERVAL', 'RECORDINGS'], ...rows], [1, 3]));
  }
  if (judgements.recordings > 0) {
    const ofAll = kindRows(judgements.agreement).map(([kind, ...cells]) => ['everybody', kind!, ...cells]);
    const ofPairs = judgements.pairs.flatMap(({ people: [a, b], agreement: of }) =>
      kindRows(of).map(([kind, ...cells]) => [`${nameOf(a)}, ${nameOf(b)}`, kind!, ...cells]),
    );
    parts.push(
      ...[
        '',
        `Judgements of trajectories, over ${plural(judgements.recordings, 'recording')} with two or more judges:`,
      ],
      textTable([['WHO', 'KIND', 'VALUE', '95 % INTERVAL', 'N'], ...ofAll, ...ofPairs], [2, 4]),
    );
  }
  if (people.length > 0) {
    const rows = people.map((one) => [
      one.name,
      String(one.submitted),
      String(one.reviewed),
      String(one.returned),
      one.medianStepSeconds === null ? '-' : one.medianStepSeconds.toFixed(1),
      one.checks.n === 0 ? '-' : number(one.checks.overall.value),
    ]);
    const head = ['PERSON', 'SUBMITTED', 'REVIEWED', 'RETURNED', 'S A STEP', 'CHECKS'];
    parts.push('', textTable([head, ...rows], [1, 2, 3, 4, 5]));
  }
  return parts.join('\n');
}

function kindRows(agreement: Agreement | JudgementAgreement): string[][] {
  return Object.entries(agreement).map(([kind, figure]) => [
    kind,
    number(figure.value),
    interval(figure),
    String(figure.n),
  ]);
}
