import type { Command } from 'commander';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `tasks`: the goals to demonstrate, with how many demonstrations each has. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('tasks')
    .description('list the tasks of a workspace')
    .action(async ({ workspace: dir }: WorkspaceOption) => {
      const workspace = openWorkspace(dir, { create: false });
      try {
        await workspace.syncIndex();
        const tasks = await workspace.listTasks();
        const rows = tasks.map((task) => [task.id, task.software, task.state, String(task.recordings), task.goal]);
        const text =
          tasks.length > 0
            ? textTable([['TASK', 'APP', 'STATE', 'RECORDINGS', 'GOAL'], ...rows], [3])
            : 'No tasks yet.';
        context.result({ tasks }, text);
      } finally {
        workspace.close();
      }
    });
  workspaceOption(command);
  examples(command, [['tasks --workspace W', 'all of them']]);
}
