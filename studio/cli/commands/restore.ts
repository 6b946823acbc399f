import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { restoreBackup } from '../../store/backups/restore.ts';
import { DATABASE_VARIABLE } from '../../store/place.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { databaseOption } from './options.ts';

type Options = { workspace: string; backup?: string };

/** `restore`: a workspace made of a backup, each file compared with its hash. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('restore <place>')
    .description('make a workspace of a backup; goes on where it stopped when it was interrupted')
    .requiredOption('-w, --workspace <dir>', 'the new workspace’s folder, which is not there yet')
    .option('--backup <id>', 'which one; without it the newest')
    .addOption(databaseOption())
    .action(async (place: string, { workspace, backup }: Options) => {
      const database = process.env[DATABASE_VARIABLE] || null;
      const restored = await untilStopped((signal) =>
        restoreBackup(place, workspace, { id: backup ?? null, database, signal, report: reporter(context) }),
      );
      const lines = [
        `Restored ${restored.dir} from ${restored.id}: ${plural(restored.files, 'file')}, ${megabytes(restored.bytes)}, all as they were backed up.`,
        ...(restored.database === null ? [] : [`  Its database is in ${restored.database}.`]),
        ...(restored.kept > 0 ? [`  ${megabytes(restored.kept)} of it was there from before.`] : []),
      ];
      context.result(restored, lines.join('\n'));
    });
  examples(command, [
    ['restore /mnt/backups/lab --workspace W2', 'the newest backup'],
    ['restore s3://bucket/lab --backup 20261128T070504Z-0a1b --workspace W2', 'an earlier one'],
    ['restore /mnt/backups/lab --workspace W2 --database postgres://studio@db/studio', 'its database into PostgreSQL'],
  ]);
}
