import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { makeBackup } from '../../store/backups/make.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** Files that a person reads of; --json gives all. */
const SHOWN = 20;

/** `backup`: a workspace as it is now, into a folder or a bucket. Others go on working in it meanwhile. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('backup <place>')
    .description(
      'copy the whole workspace as it is now into a folder or s3://BUCKET/PREFIX; only what is new is written',
    )
    .option('--read-all', 'read every file again, also those that have not changed since the last backup')
    .action(async (place: string, { workspace, readAll = false }: WorkspaceOption & { readAll?: boolean }) => {
      const made = await untilStopped((signal) =>
        makeBackup(workspace, place, {
          tool: context.version,
          readAll,
          now: new Date(),
          signal,
          report: reporter(context),
        }),
      );
      const { id, leftOut } = made;
      const lines = [
        `Backup ${id} in ${made.place}: ${plural(made.files, 'file')}, ${megabytes(made.bytes)}, of which ${megabytes(made.newBytes)} were new.`,
        ...leftOut.slice(0, SHOWN).map(({ path, why }) => `  not in it: ${path} (${why})`),
        ...(leftOut.length > SHOWN ? [`  and ${leftOut.length - SHOWN} more; --json gives all`] : []),
      ];
      context.result(made, lines.join('\n'));
    });
  examples(workspaceOption(command), [
    ['backup /mnt/backups/lab --workspace W', 'while others work in it'],
    ['backup s3://bucket/lab --workspace W', 'to where AWS_ENDPOINT_URL and its keys in the environment lead'],
  ]);
}
