import type { Command } from 'commander';
import type { ArenaTable } from '../../../core/agents/arena.ts';
import { resultOfArena } from '../../agents/arena.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `arena`: what people's blind rankings of outcomes come to. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('arena')
    .description(
      'show what people’s rankings of outcomes come to, agent by agent; they rank on the page Arena, without names',
    )
    .action((options: WorkspaceOption) => show(options, context));
  workspaceOption(command);
  examples(command, [
    ['arena --workspace W', 'mean ranks, strengths with their intervals, and how far people agree'],
    ['arena --workspace W --json', 'the same as JSON'],
  ]);
}

async function show({ workspace: dir }: WorkspaceOption, context: CliContext): Promise<void> {
  await inWorkspace(dir, async (workspace) => {
    const { table } = await resultOfArena(workspace, null);
    const nothing =
      'Nothing was ranked yet. Two agents or more must have run the same task; then people rank what came of it on the page Arena, from Runs.';
    context.result({ ...table }, table && table.rankings > 0 ? textOf(table) : nothing);
  });
}

const between = (bounds: { low: number; high: number } | null): string =>
  bounds ? `${bounds.low.toFixed(2)} to ${bounds.high.toFixed(2)}` : '-';

function textOf({ rows, rankings, people, agreement }: ArenaTable): string {
  const lines = rows.map((row) => [
    row.name,
    String(row.rankings),
    row.meanRank.toFixed(2),
    between(row.meanRankBounds),
    row.strength.toFixed(2),
    between(row.strengthBounds),
  ]);
  const head = ['AGENT', 'RANKINGS', 'MEAN RANK', '95 %', 'STRENGTH', '95 %'];
  const agreed =
    agreement === null ? 'nobody ranked the same outcomes as another' : `Kendall’s W ${agreement.toFixed(2)}`;
  return `${textTable([head, ...lines], [1, 2, 4])}\n\n${rankings} rankings by ${people} people; agreement: ${agreed}.`;
}
