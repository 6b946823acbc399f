import type { Command } from 'commander';
import { workQueue } from '../../review/queue.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inOpenWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';
import { personOption } from './review-acts.ts';

/** `queue`: what somebody is to do next. */
export function register(program: Command, context: CliContext): void {
  const queue = program
    .command('queue')
    .description('what a person is to annotate, repair, review or adjudicate, the next first')
    .action(({ workspace: dir, person }: WorkspaceOption & { person: string }) =>
      inOpenWorkspace(dir, async (open) => {
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
      }),
    );
  personOption(workspaceOption(queue));
  examples(queue, [
    ['queue --person Ada --workspace W', 'a table'],
    ['queue --person Ada --workspace W --json', 'for a script; the first is the next'],
  ]);
}
