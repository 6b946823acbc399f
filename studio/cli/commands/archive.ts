import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { archiveForms as forms } from '../../../schemas/api/archives.ts';
import type { WrittenArchive } from '../../import/archive/export-archive.ts';
import type { TakenArchive } from '../../import/archive/import-archive.ts';
import { ON_FORK, type OnFork } from '../../import/archive/newer.ts';
import { checkArchive } from '../../import/archive/read-archive.ts';
import { broughtLines } from '../../play/consent.ts';
import { importArchiveInto } from '../../session/imports.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { followJob } from '../follow.ts';
import { composer } from '../mirror.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { inWorkspaceOrNew } from '../within.ts';
import { ownAsker } from './on-stage.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type ImportOptions = WorkspaceOption & { versionAs?: string; onFork?: OnFork };

const handlers = async () => ({
  ...(await import('../../api/routes/archives.ts')).archiveRoutes,
  ...(await import('../../api/routes/jobs.ts')).jobRoutes,
});

/** `archive`: a whole workspace, some of its recordings, or a frozen version, as one file to share. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('archive')
    .description('share a workspace, some of its recordings, or a frozen version, as one .tar');
  examples(command, [
    ['archive export --workspace W --out team.tar', 'a whole workspace'],
    ['archive import team.tar --workspace W2', 'into another one'],
  ]);

  composer(handlers, context)(command, forms.export, async ({ call, input: { out, version = null, ...choice } }) => {
    const wishes = { out: resolve(out), version, ...choice };
    const begin = () => call(['archives', 'make'], wishes);
    const made = (await followJob(call, { begin, report: reporter(context) })) as WrittenArchive; // The job's own result.
    const lines = [
      `Wrote ${made.out}: ${plural(made.recordings.length, 'recording')}, ${plural(made.files, 'file')}, ${megabytes(made.bytes)}.`,
      ...(made.dataset === null ? [] : [`  the frozen version ${made.dataset} is in it`]),
      ...(made.resumed > 0 ? [`  ${megabytes(made.resumed)} of it stood there from before.`] : []),
      ...made.leftOut.map((what) => `  left out: ${what}`),
    ];
    context.result(made, lines.join('\n'));
  });

  const take = command
    .command('import <file.tar>')
    .description('import an archive; its hashes are checked first, and an interrupted import continues')
    .option('--version-as <name>', 'the name for the frozen version in it, if its own name is taken here')
    .addOption(
      new Option(
        '--on-fork <what>',
        'work that went on differently here and there: ours stays, theirs is taken, or merge record by record',
      )
        .choices(ON_FORK)
        .default('ours'),
    )
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

/** Imports an archive; `import` hands its own over, too. */
export async function takeArchiveFile(
  path: string,
  { workspace: dir, versionAs, onFork }: ImportOptions,
  context: CliContext,
): Promise<void> {
  await inWorkspaceOrNew(dir, async (workspace) => {
    const taken = await untilStopped((signal) =>
      importArchiveInto(workspace, path, { versionAs, onFork, signal, report: reporter(context) }),
    );
    for (const warning of taken.warnings) context.progress(`warning: ${warning}`);
    const lines = [
      `Imported ${plural(taken.recordings.length, 'recording')}.`,
      ...versionLine(taken.dataset),
      ...knownLines(taken),
      ...(taken.resumed > 0 ? [`  ${megabytes(taken.resumed)} had come with an earlier try.`] : []),
      ...(await broughtBy(workspace, taken)),
    ];
    context.result(taken, lines.join('\n'));
  });
}

/** Each recording that was here, by what became of it. */
function knownLines({ known, newer: { continued, forked } }: TakenArchive): string[] {
  const same = known.length - continued.length - forked.length;
  return [
    ...(same > 0 ? [`  ${same} were here already and stay as they are.`] : []),
    ...(continued.length > 0
      ? [`  ${continued.length} were here, and go on as the archive says: ${continued.join(', ')}.`]
      : []),
    ...forked.map(
      ({ recording, here, there, did }) =>
        `  ${recording}: its work went on differently here (${plural(here, 'line')}) and there (${plural(there, 'line')}); ${FORK_WORDS[did]}.`,
    ),
  ];
}

const FORK_WORDS = {
  kept: 'the work here stays (--on-fork merge or theirs takes it)',
  taken: "the archive's was taken, as one change that can be undone",
  merged: 'both were merged, as one change that can be undone',
  before: 'nothing was left to take',
} as const;

/** The programs that came with it. */
async function broughtBy(workspace: Workspace, { setUp }: TakenArchive): Promise<string[]> {
  const lines = await broughtLines(workspace, setUp, ownAsker());
  if (lines.length === 0) return [];
  return [
    '  Came with it; nothing of it is run before you agree (`tasks trust TASK`):',
    ...lines.map((line) => `    ${line}`),
  ];
}

function versionLine(dataset: TakenArchive['dataset']): string[] {
  if (!dataset) return [];
  return [
    dataset.known
      ? `  the version ${dataset.name} was here already`
      : `  the frozen version ${dataset.name} is here now`,
  ];
}
