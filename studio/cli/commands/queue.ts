import type { Command } from 'commander';
import { openWorkspace } from '../../library/open-workspace.ts';
import { workQueue } from '../../review/queue.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import { personOption } from './review-acts.ts';

/** `queue`: what somebody is to do next. */
export function register(program: Command, context: CliContext): void {
  const queue = program
    .command('queue')
    .description('what a person is to annotate, repair, review or adjudicate, the next first')
    .action(async ({ workspace: dir, person }: WorkspaceOption & { person: string }) => {
      const open = await openWorkspace(dir, { create: false });
      try {
        const work = await workQueue(open.workspace, open.reviews, person);
        const rows = work.map((one) => [
          one.kind,
          one.recording,
          one.task,
          one.state,
          one.steps === null ? '-' : `${one.done}/${one.steps}`,
          one.mine ? 'yes' : '',
          one.goal,
        ]);
        const head = ['WORK', 'RECORDING', 'TASK', 'STATE', 'STEPS', 'IN HAND', 'GOAL'];
        context.result({ queue: work }, rows.length > 0 ? textTable([head, ...rows]) : 'Nothing to do now.');
      } finally {
        await open.close();
      }
    });
  personOption(workspaceOption(queue));
  examples(queue, [
    ['queue --person Ada --workspace W', 'a table'],
    ['queue --person Ada --workspace W --json', 'for a script; the first is the next'],
  ]);
}
