import type { Command } from 'commander';
import type { RecordingEntry, UnreadableFolder } from '../../store/recordings.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { clockText, textTable } from '../table.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `recordings`: what is in the workspace, the newest first. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('recordings')
    .description('list the recordings of a workspace, the newest first')
    .action(async ({ workspace: dir }: WorkspaceOption) => {
      const workspace = openWorkspace(dir, { create: false });
      try {
        const { unreadable } = await workspace.syncIndex();
        const recordings = await workspace.listRecordings();
        for (const { code, message } of unreadable) context.progress(`warning ${code}: ${message}`);
        context.result({ workspace: workspace.dir, recordings, unreadable }, describe(recordings, unreadable));
      } finally {
        workspace.close();
      }
    });
  workspaceOption(command);
  examples(command, [
    ['recordings --workspace W', 'a table'],
    ['recordings --workspace W --json', 'for a script'],
  ]);
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
