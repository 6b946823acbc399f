import { resolve } from 'node:path';
import type { Command } from 'commander';
import { filesPlace } from '../../files/kept/place.ts';
import { workForOthers } from '../../session/work-for-others.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { filesOption, type WorkspaceOption, workspaceOption } from './options.ts';

/** `worker`: a process that does the long work of servers on one workspace. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('worker')
    .description('do the long work of servers on a workspace in PostgreSQL: exports, imports, pictures, videos')
    .action(async ({ workspace }: WorkspaceOption) => {
      await filesPlace();
      const dir = resolve(workspace);
      context.progress(`works on ${dir} (Ctrl+C ends it; what it is at goes on elsewhere)`);
      let pieces = 0;
      const told = (text: string): void => {
        if (text.endsWith(': done')) pieces += 1;
        context.progress(text);
      };
      await untilStopped((signal) => workForOthers(dir, { signal, told }));
      context.result({ workspace: dir, pieces }, `${pieces} done`);
    });
  workspaceOption(command).addOption(filesOption());
  examples(command, [
    [
      'worker --workspace /srv/studio --database postgres://studio@db/studio',
      'one more pair of hands; start as many as there are cores, on any machine that has the folder',
    ],
  ]);
}
