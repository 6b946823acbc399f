import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { RECORDING_STATES, type RecordingState } from '../../../schemas/task-terms.ts';
import { exportArchive } from '../../import/archive/export-archive.ts';
import type { TakenArchive } from '../../import/archive/import-archive.ts';
import { checkArchive } from '../../import/archive/read-archive.ts';
import { carriedTexts } from '../../import/carried.ts';
import { importArchiveInto } from '../../session/imports.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { parseList } from '../values.ts';
import { inWorkspace, inWorkspaceOrNew } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type ExportOptions = WorkspaceOption & { out: string; recordings?: string; state?: RecordingState; version?: string };
type ImportOptions = WorkspaceOption & { versionAs?: string };

/** `archive`: a whole workspace, some of its recordings, or a frozen version, as one file to share. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('archive')
    .description('share a workspace, some of its recordings, or a frozen version, as one .tar');
  examples(command, [
    ['archive export --workspace W --out team.tar', 'a whole workspace'],
    ['archive import team.tar --workspace W2', 'into another one'],
  ]);

  const write = command
    .command('export')
    .description('write it; stopped in the middle, the same command goes on')
    .requiredOption('--out <file.tar>', 'the archive to write')
    .option('--recordings <ids>', 'only these, separated by commas; an id may be shortened')
    .addOption(new Option('--state <state>', 'only those of this state').choices(RECORDING_STATES))
    .option('--version <name>', 'a frozen version: itself, and exactly what it needs')
    .action((options: ExportOptions) => exportOne(options, context));
  examples(workspaceOption(write), [
    ['archive export --workspace W --out team.tar', 'everything: recordings, annotation, tasks and their files'],
    ['archive export --workspace W --out done.tar --state approved', 'what was approved, with its tasks'],
    ['archive export --workspace W --out v1.tar --version v1.0', 'what `dataset freeze --name v1.0` froze'],
  ]);

  const take = command
    .command('import <file.tar>')
    .description('take one; checked by its hashes first, and gone on with when it was interrupted')
    .option('--version-as <name>', 'call the frozen version in it so; its own name may stand for another one here')
    .action((path: string, options: ImportOptions) => takeArchiveFile(path, options, context));
  examples(workspaceOption(take), [
    ['archive import team.tar --workspace W', 'what is here already stays as it is'],
    ['archive import v1.tar --workspace W --version-as v1.0-lab', 'beside a v1.0 of your own'],
  ]);

  const check = command
    .command('check <file.tar>')
    .description('compare every file in an archive with its hash; writes nothing')
    .action(async (path: string) => {
      const found = await untilStopped((signal) => checkArchive(resolve(path), { signal, report: reporter(context) }));
      context.result(
        found,
        `Sound: ${plural(found.recordings.length, 'recording')}, ${plural(found.files, 'file')}, ${megabytes(found.bytes)}${found.dataset === null ? '' : `, the version ${found.dataset}`}.`,
      );
    });
  examples(check, [['archive check team.tar', 'before it is passed on']]);
}

async function exportOne(
  { workspace: dir, out, recordings, state, version: dataset }: ExportOptions,
  context: CliContext,
): Promise<void> {
  if (dataset !== undefined && (recordings !== undefined || state !== undefined)) {
    throw new StudioError(
      'USAGE',
      'A version says itself which recordings it holds: leave --recordings and --state out.',
      {
        option: 'version',
      },
    );
  }
  await inWorkspace(dir, async (workspace) => {
    const made = await untilStopped(async (signal) =>
      exportArchive(workspace, resolve(out), {
        recordings: await wanted(workspace, recordings, state),
        dataset,
        carried: (recording) => carriedTexts(workspace, recording),
        version: context.version,
        signal,
        report: reporter(context),
      }),
    );
    const lines = [
      `Wrote ${made.out}: ${plural(made.recordings.length, 'recording')}, ${plural(made.files, 'file')}, ${megabytes(made.bytes)}.`,
      ...(made.dataset === null ? [] : [`  the frozen version ${made.dataset} is in it`]),
      ...(made.resumed > 0 ? [`  ${megabytes(made.resumed)} of it stood there from before.`] : []),
      ...made.leftOut.map((what) => `  left out: ${what}`),
    ];
    context.result(made, lines.join('\n'));
  });
}

async function wanted(
  workspace: Workspace,
  ids: string | undefined,
  state: RecordingState | undefined,
): Promise<string[] | null> {
  const named = ids === undefined ? undefined : parseList(ids);
  if (named?.length === 0) throw new StudioError('USAGE', '--recordings names none.', {});
  if (state === undefined) return named ?? null;
  const entries = named
    ? await Promise.all(named.map((id) => workspace.resolveRecording(id)))
    : await workspace.listRecordings();
  return entries.filter((entry) => entry.state === state).map(({ id }) => id);
}

/** Imports an archive; `import` hands its own over, too. */
export async function takeArchiveFile(
  path: string,
  { workspace: dir, versionAs }: ImportOptions,
  context: CliContext,
): Promise<void> {
  await inWorkspaceOrNew(dir, async (workspace) => {
    const taken = await untilStopped((signal) =>
      importArchiveInto(workspace, path, { versionAs, signal, report: reporter(context) }),
    );
    for (const warning of taken.warnings) context.progress(`warning: ${warning}`);
    const lines = [
      `Imported ${plural(taken.recordings.length, 'recording')}.`,
      ...versionLine(taken.dataset),
      ...(taken.known.length > 0 ? [`  ${taken.known.length} were here already and stay as they are.`] : []),
      ...(taken.resumed > 0 ? [`  ${megabytes(taken.resumed)} had come with an earlier try.`] : []),
    ];
    context.result(taken, lines.join('\n'));
  });
}

function versionLine(dataset: TakenArchive['dataset']): string[] {
  if (!dataset) return [];
  return [
    dataset.known
      ? `  the version ${dataset.name} was here already`
      : `  the frozen version ${dataset.name} is here now`,
  ];
}
