import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspaceOrNew } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `init`: makes a workspace, or opens the one that is there. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('init')
    .description('make a workspace in a missing or empty folder (or in one that lost its database)')
    .action(({ workspace: dir }: WorkspaceOption) =>
      inWorkspaceOrNew(dir, async (workspace) => {
        const recordings = await workspace.listRecordings();
        context.result(
          { workspace: workspace.dir, recordings: recordings.length },
          `Workspace ${workspace.dir}, ${plural(recordings.length, 'recording')}.`,
        );
      }),
    );
  workspaceOption(command);
  examples(command, [['init --workspace ~/studio', 'a new workspace']]);
}
