import type { Command } from 'commander';
import { carriedAlone } from '../../import/carried.ts';
import { exportRecording } from '../../import/export-recording.ts';
import { restoreRecording, trashRecording } from '../../session/recordings.ts';
import type { RecordingEntry, UnreadableFolder } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { clockText, megabytes, textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { importFrom } from './import.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `recordings`: what is in the workspace, the newest first, and what is done with one. */
export function register(program: Command, context: CliContext): void {
  const recordings = program
    .command('recordings')
    .description('the recordings of a workspace; without more it lists them');
  examples(recordings, [
    ['recordings --workspace W', 'a table'],
    ['recordings --workspace W --json', 'for a script'],
  ]);

  const list = recordings
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .option('--plays', 'the plays of recordings instead (`play`)')
    .action(({ workspace: dir, plays }: WorkspaceOption & { plays?: boolean }) =>
      inWorkspace(dir, (workspace) => listThem(workspace, plays === true, context)),
    );
  workspaceOption(list);
  examples(list, [
    ['recordings list --workspace W', 'a table'],
    ['recordings list --plays --workspace W', 'what `play` has recorded'],
  ]);

  const take = recordings
    .command('import <path>')
    .description('take a recording folder or a .tar of one from elsewhere')
    .action((path: string, { workspace: dir }: WorkspaceOption) => importFrom(dir, path, context));
  workspaceOption(take);
  examples(take, [['recordings import take.tar --workspace W', 'an archive that `recordings export` wrote']]);

  const give = recordings
    .command('export <id>')
    .description('write one as a folder, or as a .tar')
    .requiredOption('--out <path>', 'the folder or the .tar to write; it must not be there yet')
    .action((id: string, { workspace: dir, out }: WorkspaceOption & { out: string }) =>
      inWorkspace(dir, async (workspace) => {
        const entry = await workspace.resolveRecording(id);
        const report = (): void => undefined;
        const carried = await carriedAlone(workspace, entry.id);
        const written = await untilStopped((signal) =>
          exportRecording(workspace, entry.id, out, { signal, report, carried }),
        );
        context.result({ recording: entry.id, ...written }, `Wrote ${written.out} (${megabytes(written.bytes)}).`);
      }),
    );
  workspaceOption(give);
  examples(give, [['recordings export 2026 --out take.tar --workspace W', 'for another machine']]);

  const remove = recordings
    .command('remove <id>')
    .description("move one to the workspace's trash/")
    .action((id: string, { workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        const entry = await workspace.resolveRecording(id);
        const { trash } = await trashRecording(workspace, entry.id);
        context.result({ recording: entry.id, trash }, `Moved ${entry.id} to ${trash}.`);
      }),
    );
  workspaceOption(remove);
  examples(remove, [['recordings remove 2026 --workspace W', 'one that is not wanted']]);

  const restore = recordings
    .command('restore <id>')
    .description("move one back from the workspace's trash/, with everything that was said of it")
    .action((id: string, { workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        await restoreRecording(workspace, id);
        context.result({ recording: id }, `${id} is back.`);
      }),
    );
  workspaceOption(restore);
  examples(restore, [['recordings restore 20260504-1020-gimp-1-3f2a --workspace W', 'by its whole id']]);
}

async function listThem(workspace: Workspace, plays: boolean, context: CliContext): Promise<void> {
  const { unreadable, moved } = await workspace.syncIndex();
  const recordings = plays ? await workspace.listPlays() : await workspace.listRecordings();
  for (const { code, message } of unreadable) context.progress(`warning ${code}: ${message}`);
  for (const words of moved) context.progress(`warning: ${words}`);
  context.result({ workspace: workspace.dir, recordings, unreadable }, describe(recordings, unreadable));
}

function describe(recordings: readonly RecordingEntry[], unreadable: readonly UnreadableFolder[]): string {
  if (recordings.length === 0) {
    return unreadable.length > 0
      ? 'No recording that can be read.'
      : 'No recordings yet. `record --help` shows how to make one.';
  }
  const rows = recordings.map((entry) => [
    entry.id,
    entry.task,
    entry.app,
    entry.state,
    entry.verdict ?? entry.phase,
    entry.sync ?? '-',
    entry.startedAt.slice(0, 19).replace('T', ' '),
    entry.durationUs === null ? '-' : clockText(entry.durationUs),
    String(entry.frames),
    String(entry.events),
    entry.goal,
  ]);
  const head = ['ID', 'TASK', 'APP', 'STATE', 'VERDICT', 'SYNC', 'STARTED (UTC)', 'LENGTH', 'FRAMES', 'EVENTS', 'GOAL'];
  return textTable([head, ...rows], [7, 8, 9]);
}
