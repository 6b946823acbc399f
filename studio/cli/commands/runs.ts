import type { Command } from 'commander';
import { agentName, isSilentlyWrong } from '../../../core/agents/choose-runs.ts';
import { runTables } from '../../../core/agents/run-tables.ts';
import type { RunFilter } from '../../../schemas/agents.ts';
import { resultOfArena } from '../../agents/arena.ts';
import { agentRuns, groupsOf, type RunGroup, type RunRow, runsForTables } from '../../agents/runs.ts';
import { type CliContext, examples } from '../context.ts';
import { parseRunFilter, RUN_WORDS } from '../run-filter.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & { only?: RunFilter };

/** `runs`: what models came to, run by run and by agent, software and task. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('runs')
    .description(
      'list runs of models, with their success, completion, decision accuracy, rounds, steps, wrong claims and cost',
    )
    .option('--only <words>', `of all runs only such, separated by commas: ${RUN_WORDS}`, (text) =>
      parseRunFilter('--only', text),
    )
    .action((options: Options) => show(options, context));
  workspaceOption(command);
  examples(command, [
    ['runs --workspace W', 'all of them, and tables by agent, software and task'],
    ['runs --workspace W --json', 'the same as JSON'],
    ['runs --workspace W --only alone,agent=minimal', 'only runs of this agent without a person’s help'],
  ]);
}

async function show({ workspace: dir, only = {} }: Options, context: CliContext): Promise<void> {
  await inWorkspace(dir, async (workspace) => {
    const runs = await agentRuns(workspace, only);
    const groups = groupsOf(runs);
    const tables = runTables(runsForTables(runs), (await resultOfArena(workspace, null)).table);
    const printed = tables.map(({ title, rows }) => `${title}\n${textTable(rows)}`);
    context.result(
      { runs, groups, tables },
      runs.length > 0
        ? [textOf(runs, groups), ...printed].join('\n\n')
        : Object.keys(only).length > 0
          ? 'No run is such. `runs` without --only lists all of them.'
          : 'No run of a model is here yet. `run --help` shows how to begin one.',
    );
  });
}

const share = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
const money = (value: number | null): string => (value === null ? '-' : value.toFixed(4));

function textOf(runs: readonly RunRow[], groups: readonly RunGroup[]): string {
  const rows = runs.map((run) => [
    run.recording,
    run.head.task,
    agentName(run.head),
    run.head.model,
    run.goneOnIn
      ? `gone on in ${run.goneOnIn}`
      : `${run.passed ? 'succeeded' : 'failed'}${isSilentlyWrong(run) ? ', says done' : ''}`,
    run.how,
    run.score.toFixed(2),
    String(run.rounds),
    run.demonstrated ? `${run.steps} / ${run.demonstrated}` : String(run.steps),
    share(run.followed.completion),
    share(run.followed.accuracy),
    run.helped ? String(run.helped.times) : '-',
    run.judged ? `${run.judged.verdict}, ${run.judged.models} x ${run.judged.prompts}` : '-',
    money(run.cost),
  ]);
  const head = [
    'RUN',
    'TASK',
    'AGENT',
    'MODEL',
    'OUTCOME',
    'ENDED',
    'SCORE',
    'ROUNDS',
    'STEPS',
    'COMPLETION',
    'ACCURACY',
    'HELPED',
    'JUDGES',
    'COST',
  ];
  const sums = groups.map((group) => [
    group.by,
    group.name,
    `${group.succeeded} / ${group.runs}`,
    share(group.passAt4),
    group.score.toFixed(2),
    share(group.completion),
    share(group.accuracy),
    group.rounds.toFixed(1),
    group.stepsOver === null ? '-' : group.stepsOver.toFixed(2),
    String(group.silentWrong),
    String(group.overHalt),
    money(group.cost),
  ]);
  const sumHead = [
    'BY',
    'NAME',
    'SUCCESS',
    'PASS@4',
    'SCORE',
    'COMPLETION',
    'ACCURACY',
    'ROUNDS',
    'STEPS OVER DEMONSTRATION',
    'SILENT WRONG',
    'OVER-HALT',
    'COST',
  ];
  return [
    textTable([head, ...rows], [6, 7, 8, 9, 10, 11, 13]),
    '',
    textTable([sumHead, ...sums], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
  ].join('\n');
}
