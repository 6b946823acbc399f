import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { deleteExpired, planRetention } from '../../session/retention.ts';
import { comingOf } from '../../session/retention-clock.ts';
import { type CliContext, examples } from '../context.ts';
import { megabytes, textTable } from '../table.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { filesOption, type WorkspaceOption, workspaceOption } from './options.ts';

type RetentionOptions = WorkspaceOption & { olderThan?: number; rejected?: number; delete?: true };

/** The longest that a rule may say: a hundred years, days. */
const MOST_DAYS = 36_500;
export const daysOption = (option: string) => (text: string) => parseWhole(option, text, 1, MOST_DAYS);

/** `retention`: which recordings go by age, and deleting them for good. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('retention')
    .description('list the recordings that are older than so many days, or rejected, and delete them for good')
    .option(
      '--older-than <days>',
      'recordings that were made, and last worked on, longer ago',
      daysOption('--older-than'),
    )
    .option('--rejected <days>', 'recordings that a review rejected longer ago', daysOption('--rejected'))
    .option('--delete', 'delete what the list shows; without it nothing changes')
    .addOption(filesOption())
    .action((options: RetentionOptions) => keep(options, context));
  workspaceOption(command);
  examples(command, [
    ['retention --older-than 365 --rejected 30 --workspace W', 'what would go, and what stays and why'],
    ['retention --older-than 365 --rejected 30 --delete --workspace W', 'the same, and it goes'],
  ]);
}

async function keep(options: RetentionOptions, context: CliContext): Promise<void> {
  const { olderThan: olderDays = null, rejected: rejectedDays = null } = options;
  if (olderDays === null && rejectedDays === null) {
    throw new StudioError('USAGE', 'Say what is to go: --older-than DAYS, --rejected DAYS, or both.', {});
  }
  await inWorkspace(resolve(options.workspace), async (workspace) => {
    await workspace.syncIndex();
    const { expired, needed } = await planRetention(workspace, { olderDays, rejectedDays });
    const coming = await comingOf(workspace, expired);
    const goes = new Map(coming.map(({ id, goesAt }) => [id, goesAt]));
    const bytes = expired.reduce((sum, one) => sum + one.bytes, 0);
    const rows = expired.map((one) => [
      one.id,
      one.task,
      one.state,
      one.lastAt.slice(0, 10),
      one.why,
      megabytes(one.bytes),
      goes.get(one.id)?.slice(0, 10) ?? '-',
    ]);
    const table =
      rows.length > 0
        ? [textTable([['RECORDING', 'TASK', 'STATE', 'LAST WORK', 'WHY', 'SIZE', 'SERVER DELETES'], ...rows], [5])]
        : [];
    const stays = needed.map(({ id, why }) => `stays: ${id}: ${why}`);
    if (options.delete !== true) {
      const sum =
        rows.length > 0
          ? `${plural(rows.length, 'recording')}, ${megabytes(bytes)}. Nothing was deleted: --delete does it, for good.`
          : 'Nothing goes by these rules.';
      context.result(
        {
          expired: expired.map((one) => ({ ...one, goesAt: goes.get(one.id) ?? null })),
          needed,
          bytes,
          deleted: false,
        },
        [...table, ...stays, sum].join('\n'),
      );
      return;
    }
    for (const line of [...table, ...stays]) context.progress(line);
    const done = await deleteExpired(workspace, expired, { by: 'command-line' });
    const failed = done.failed.map(({ id, message }) => `not deleted: ${id}: ${message}`);
    const list = done.list === null ? '' : ` The list is ${done.list}.`;
    context.result(
      { expired: done.deleted, needed, bytes: done.bytes, deleted: true, list: done.list, failed: done.failed },
      [`Deleted ${plural(done.deleted.length, 'recording')}, ${megabytes(done.bytes)}.${list}`, ...failed].join('\n'),
    );
    const [first] = done.failed;
    if (first === undefined) return;
    throw new StudioError(
      first.code,
      `${plural(done.failed.length, 'recording')} could not be deleted. ${first.id}: ${first.message} The same command goes on.`,
      {},
    );
  });
}
