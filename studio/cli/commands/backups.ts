import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import { checkBackups, clearBackups, type KeptBackups, listBackups } from '../../store/backups/kept.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes, textTable } from '../table.ts';
import { parseWhole } from '../values.ts';

type Options = { check?: boolean; keep?: number };

/** `backups`: what a place holds, whether it is sound, and its old ones cleared away. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('backups <place>')
    .description('the backups in a folder or s3://BUCKET/PREFIX')
    .option('--check', 'read every file of all backups and compare it with its hash; status 10 when one is damaged')
    .option(
      '--keep <count>',
      'remove all but the newest ones of each workspace, and the files that no other needs',
      (text) => parseWhole('--keep', text, 1, 100_000),
    )
    .action(async (place: string, { check, keep }: Options) => {
      if (check && keep !== undefined) {
        throw new StudioError('USAGE', '--check and --keep are two pieces of work: give one of them.', {});
      }
      if (check) await checkAll(place, context);
      else if (keep !== undefined) await clear(place, keep, context);
      else {
        const found = await listBackups(place);
        context.result(found, listText(found));
      }
    });
  examples(command, [
    ['backups /mnt/backups/lab', 'the oldest first'],
    ['backups /mnt/backups/lab --check', 'whether each could be restored'],
    ['backups s3://bucket/lab --keep 30', 'the newest thirty stay'],
  ]);
}

function listText({ place, backups, unreadable }: KeptBackups): string {
  const rows = backups.map(({ id, workspace, files, bytes, leftOut }) => [
    id,
    workspace,
    String(files),
    megabytes(bytes),
    leftOut === 0 ? '' : `${plural(leftOut, 'file')} left out`,
  ]);
  return [
    rows.length === 0
      ? `${place} holds no backup yet.`
      : textTable([['backup', 'workspace', 'files', 'size', ''], ...rows], [2, 3]),
    ...unreadable.map(({ id, why }) => `${id} cannot be read: ${why}`),
  ].join('\n');
}

async function checkAll(place: string, context: CliContext): Promise<void> {
  const checked = await untilStopped((signal) => checkBackups(place, { signal, report: reporter(context) }));
  const { damaged, unreadable, backups, files, bytes } = checked;
  const isSound = damaged.length === 0 && unreadable.length === 0;
  const lines = [
    ...damaged.map(({ path, sha256, why, backups: of }) => `${path} (${sha256}): ${why}; part of ${of.join(', ')}`),
    ...unreadable.map(({ id, why }) => `${id} cannot be read: ${why}`),
    isSound
      ? `Sound: ${plural(backups, 'backup')}, ${plural(files, 'file')}, ${megabytes(bytes)}.`
      : `${plural(damaged.length + unreadable.length, 'fault')} in ${checked.place}.`,
  ];
  context.result(checked, lines.join('\n'));
  if (!isSound) context.setStatus(ERROR_EXIT.INVALID_EXPORT);
}

async function clear(place: string, keep: number, context: CliContext): Promise<void> {
  const cleared = await untilStopped((signal) => clearBackups(place, keep, { signal, report: reporter(context) }));
  const { removed, left, files } = cleared;
  const what = removed.length === 0 ? 'No backup was removed' : `Removed ${removed.join(', ')}`;
  context.result(cleared, `${what}; ${plural(files, 'file')} less. ${plural(left.length, 'backup')} left.`);
}
