import { type Command, Option } from 'commander';
import type { Agreement, Dashboard, Figure, JudgementAgreement } from '../../../schemas/api/review-models.ts';
import { CSV_TABLES, type CsvTable, dashboardCsv } from '../../review/csv.ts';
import { dashboardOf } from '../../review/dashboard.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inOpenWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & { software?: string; csv?: CsvTable };

/** `agreement`: the figures of the dashboard. */
export function register(program: Command, context: CliContext): void {
  const agreement = program
    .command('agreement')
    .description('states, people and how well annotators agree, with intervals')
    .option('--software <name>', 'of one software only')
    .addOption(new Option('--csv <table>', 'one table as CSV').choices(CSV_TABLES))
    .action(({ workspace: dir, software, csv }: Options) =>
      inOpenWorkspace(dir, async (open) => {
        const id = software === undefined ? undefined : (await open.workspace.findSoftware(software)).id;
        const dashboard = await dashboardOf(open.workspace, open.reviews, { software: id });
        // A file of CSV ends with a line end, which the result adds.
        const text = csv ? dashboardCsv(dashboard, csv).replace(/\r\n$/, '\r') : describe(dashboard);
        context.result(dashboard, text);
      }),
    );
  workspaceOption(agreement);
  examples(agreement, [
    ['agreement --workspace W', 'in words'],
    ['agreement --workspace W --json', 'everything, for a script'],
    ['agreement --workspace W --csv recordings > agreement.csv', 'for a spreadsheet'],
  ]);
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
    `Agreement over ${recordings.length} recordings with two or more annotations:`,
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
      ...['', `Judgements of trajectories, over ${judgements.recordings} recordings with two or more judges:`],
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
    const head = ['PERSON', 'HANDED IN', 'REVIEWED', 'RETURNED', 'S A STEP', 'CHECKS'];
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
