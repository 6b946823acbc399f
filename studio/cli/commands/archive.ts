import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import { openDocuments } from '../../annotate/documents.ts';
import { annotationText } from '../../import/annotation-file.ts';
import { exportArchive } from '../../import/archive/export-archive.ts';
import { importArchive } from '../../import/archive/import-archive.ts';
import { checkArchive } from '../../import/archive/read-archive.ts';
import { RECORDING_STATES, type RecordingState } from '../../store/tables.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type ExportOptions = WorkspaceOption & { out: string; recordings?: string; state?: RecordingState };

/** `archive`: a whole workspace, or some of its recordings, as one file to share. */
export function register(program: Command, context: CliContext): void {
  const command = program.command('archive').description('share a workspace, or some of its recordings, as one .tar');

  const write = command
    .command('export')
    .description('write it; stopped in the middle, the same command goes on')
    .requiredOption('--out <file.tar>', 'the archive to write')
    .option('--recordings <ids>', 'only these, separated by commas; an id may be shortened')
    .addOption(new Option('--state <state>', 'only those of this state').choices(RECORDING_STATES))
    .action((options: ExportOptions) => exportOne(options, context));
  examples(workspaceOption(write), [
    ['archive export --workspace W --out team.tar', 'everything: recordings, annotation, tasks and their files'],
    ['archive export --workspace W --out done.tar --state approved', 'what was approved, with its tasks'],
  ]);

  const take = command
    .command('import <file.tar>')
    .description('take one; checked by its hashes first, and gone on with when it was interrupted')
    .action((path: string, { workspace: dir }: WorkspaceOption) => importOne(path, dir, context));
  examples(workspaceOption(take), [['archive import team.tar --workspace W', 'what is here already stays as it is']]);

  const check = command
    .command('check <file.tar>')
    .description('compare every file in an archive with its hash; writes nothing')
    .action(async (path: string) => {
      const found = await untilStopped((signal) => checkArchive(resolve(path), { signal, report: reporter(context) }));
      context.result(
        found,
        `Sound: ${found.recordings.length} recordings, ${found.files} files, ${megabytes(found.bytes)}.`,
      );
    });
  examples(check, [['archive check team.tar', 'before it is passed on']]);
}

async function exportOne(
  { workspace: dir, out, recordings, state }: ExportOptions,
  context: CliContext,
): Promise<void> {
  const workspace = openWorkspace(dir, { create: false });
  const documents = openDocuments(workspace);
  try {
    const made = await untilStopped(async (signal) =>
      exportArchive(workspace, resolve(out), {
        recordings: await wanted(workspace, recordings, state),
        annotation: (recording) => annotationText(documents, recording),
        version: context.version,
        signal,
        report: reporter(context),
      }),
    );
    const lines = [
      `Wrote ${made.out}: ${made.recordings.length} recordings, ${made.files} files, ${megabytes(made.bytes)}.`,
      ...(made.resumed > 0 ? [`  ${megabytes(made.resumed)} of it stood there from before.`] : []),
      ...made.leftOut.map((what) => `  left out: ${what}`),
    ];
    context.result(made, lines.join('\n'));
  } finally {
    await documents.close();
    workspace.close();
  }
}

async function wanted(
  workspace: Workspace,
  ids: string | undefined,
  state: RecordingState | undefined,
): Promise<string[] | null> {
  const named = ids
    ?.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (named?.length === 0) throw new StudioError('USAGE', '--recordings names none.', {});
  if (state === undefined) return named ?? null;
  const entries = named
    ? await Promise.all(named.map((id) => workspace.resolveRecording(id)))
    : await workspace.listRecordings();
  return entries.filter((entry) => entry.state === state).map(({ id }) => id);
}

async function importOne(path: string, dir: string, context: CliContext): Promise<void> {
  const workspace = openWorkspace(dir, { create: true });
  const documents = openDocuments(workspace);
  try {
    const taken = await untilStopped((signal) =>
      importArchive(workspace, path, { documents, signal, report: reporter(context) }),
    );
    for (const warning of taken.warnings) context.progress(`warning: ${warning}`);
    const lines = [
      `Imported ${taken.recordings.length} recordings.`,
      ...(taken.known.length > 0 ? [`  ${taken.known.length} were here already and stay as they are.`] : []),
      ...(taken.resumed > 0 ? [`  ${megabytes(taken.resumed)} had come with an earlier try.`] : []),
    ];
    context.result(taken, lines.join('\n'));
  } finally {
    await documents.close();
    workspace.close();
  }
}

function reporter(context: CliContext): (share: number, message: string) => void {
  let said = '';
  return (share, message) => {
    const text = `${message} ${Math.floor(share * 10) * 10} %`;
    if (text !== said) context.progress(text);
    said = text;
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
