import { resolve } from 'node:path';
import type { Command } from 'commander';
import { recordingForms as forms, recordingsContract } from '../../../schemas/api/recordings.ts';
import type { ProofState } from '../../../schemas/dataset.ts';
import { proofsOfIndexed } from '../../datasets/proofs.ts';
import { assigneeOf, assignmentsNow, isAssignedTo } from '../../documents/review/assigning.ts';
import type { RecordingEntry, UnreadableFolder } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { followJob } from '../follow.ts';
import { composer, mirror } from '../mirror.ts';
import { clockText, megabytes, textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { importFrom } from './import.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

const handlers = async () => ({
  ...(await import('../../api/routes/recordings.ts')).recordingRoutes,
  ...(await import('../../api/routes/jobs.ts')).jobRoutes,
});

/** `recordings`: what is in the workspace, the newest first, and what is done with one. */
export function register(program: Command, context: CliContext): void {
  const recordings = program
    .command('recordings')
    .description('the recordings of a workspace; without a subcommand it lists them');
  examples(recordings, [
    ['recordings --workspace W', 'a table'],
    ['recordings --workspace W --json', 'for a script'],
  ]);

  const list = recordings
    .command('list', { isDefault: true })
    .description('list the recordings, newest first')
    .option('--plays', 'list plays (`play`) instead')
    .option('--assigned <person>', 'only those assigned to this person; none: to nobody')
    .action(({ workspace: dir, plays, assigned }: WorkspaceOption & { plays?: boolean; assigned?: string }) =>
      inWorkspace(dir, (workspace) => listThem(workspace, { plays: plays === true, assigned }, context)),
    );
  workspaceOption(list);
  examples(list, [
    ['recordings list --workspace W', 'a table'],
    ['recordings list --plays --workspace W', 'what `play` has recorded'],
  ]);

  const take = recordings
    .command('import <path>')
    .description("import a recording's folder, or a .tar of one")
    .action((path: string, { workspace: dir }: WorkspaceOption) => importFrom(dir, path, context));
  workspaceOption(take);
  examples(take, [['recordings import take.tar --workspace W', 'an archive that `recordings export` wrote']]);

  const compose = composer(handlers, context);
  compose(recordings, forms.export, async ({ call, input: { recording, out, voice } }) => {
    const begin = () => call(['recordings', 'export'], { recording, out: resolve(out), ...(voice && { voice }) });
    const written = (await followJob(call, { begin, report: () => undefined })) as Written; // The job's own result.
    context.result(written, `Wrote ${written.out} (${megabytes(written.bytes)}).`);
  });

  mirror({ contract: { recordings: recordingsContract }, handlers }, context)(recordings, ['recordings', 'remove'], {
    json: ({ trash }, { recording }) => ({ recording, trash }),
    text: ({ trash }, { recording }) => `Moved ${recording} to ${trash}.`,
  });

  compose(recordings, forms.restore, async ({ call, input: { id } }) => {
    await call(['recordings', 'restore'], { recording: id });
    context.result({ recording: id }, `${id} is back.`);
  });
}

type Written = { recording: string; out: string; bytes: number };

type Which = { plays: boolean; assigned: string | undefined };

async function listThem(workspace: Workspace, { plays, assigned }: Which, context: CliContext): Promise<void> {
  const { unreadable, moved } = await workspace.syncIndex();
  const all = plays ? await workspace.listPlays() : await workspace.listRecordings();
  const entries = assigned === undefined ? all : await assignedAmong(workspace, all, assigned);
  const proofs = await proofsOfIndexed(workspace, entries);
  const recordings = entries.map((entry): Listed => ({ ...entry, proof: proofs.get(entry.id) ?? 'untried' }));
  for (const { code, message } of unreadable) context.progress(`warning ${code}: ${message}`);
  for (const words of moved) context.progress(`warning: ${words}`);
  context.result({ workspace: workspace.dir, recordings, unreadable }, describe(recordings, unreadable));
}

async function assignedAmong(workspace: Workspace, all: readonly RecordingEntry[], to: string) {
  const person = await assigneeOf(workspace.store, to);
  const assigned = await assignmentsNow(workspace.store);
  return all.filter(({ id }) => isAssignedTo(assigned.get(id), person));
}

/** `proof`: what `verify` said of it by the checks of today. */
type Listed = RecordingEntry & { proof: ProofState };

function describe(recordings: readonly Listed[], unreadable: readonly UnreadableFolder[]): string {
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
    entry.proof === 'untried' ? '-' : entry.proof,
    entry.startedAt.slice(0, 19).replace('T', ' '),
    entry.durationUs === null ? '-' : clockText(entry.durationUs),
    String(entry.frames),
    String(entry.events),
    entry.goal,
  ]);
  const head = [
    'ID',
    'TASK',
    'APP',
    'STATE',
    'VERDICT',
    'SYNC',
    'PROOF',
    'STARTED (UTC)',
    'LENGTH',
    'FRAMES',
    'EVENTS',
    'GOAL',
  ];
  return textTable([head, ...rows], [8, 9, 10]);
}
