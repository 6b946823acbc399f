import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { SAMPLE_RULES, SAMPLE_SHARE, type SampleRule } from '../../../core/keyframes/sample.ts';
import { plural } from '../../../core/words.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { isArchive } from '../../import/archive/read-archive.ts';
import { IMPORT_KINDS, type ImportKind, kindOfImport, notForThis } from '../../import/import-any.ts';
import { DEFAULT_SAMPLING, type VideoSampling } from '../../import/video/import-video.ts';
import { previewVideo } from '../../import/video/preview.ts';
import { finishRecording, wantsKeyframes } from '../../recordings/finish.ts';
import { importInto } from '../../session/imports.ts';
import { readRecording } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { parseDuration } from '../values.ts';
import { inWorkspaceOrNew } from '../within.ts';
import { optionalWorkspaceOption } from './options.ts';

type Options = {
  workspace?: string;
  as?: ImportKind;
  app?: string;
  goal?: string;
  task?: string;
  person?: string;
  transcript?: string;
  rule?: SampleRule;
  every: string;
  share: string;
  gap: string;
  preview?: string;
  /** One of the options that choose keyframes, where it was given; a threshold alone means K6, which alone takes it. */
  sampled?: string | undefined;
};

/** `import`: recordings from another machine, and what other tools recorded. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('import <path>')
    .description(
      "import a recording's folder or a .tar of one, an archive, a video with its transcript, a DuckTrack or AgentNet folder, or NaturalGAIA trajectories; every line is checked first",
    )
    .addOption(new Option('--as <kind>', 'its kind, if the files do not show it').choices(IMPORT_KINDS))
    .option('--app <name>', 'the software that is demonstrated (recordings of other tools seldom name it)')
    .option('--goal <text>', 'the goal, in words')
    .option('--task <id>', "the task's id, such as PPT_15; when left out: the recording's own, or the next free one")
    .option('--person <name>', 'who demonstrates')
    .option(
      '--transcript <file>',
      'video: its .srt or .vtt; default: one of the same name beside it, also with a language (lesson.en.vtt)',
    )
    .addOption(
      new Option(
        '--rule <rule>',
        'video: how its keyframes are chosen: K11, where a letter counts (default); K10, where a word or a dialog does, for films with a pointer in the picture; K6 for phones (default where --every, --share or --gap is given); K9, the same to the letter of the paper',
      ).choices(SAMPLE_RULES),
    )
    .option('--every <time>', 'video, K6: how often a picture is looked at', '1s')
    .option(
      '--share <share>',
      'video, K6: keep a picture that differs this much from the next, 0 to 1; `text` is 0.3, `colourful` 0.5',
      'text',
    )
    .option('--gap <time>', 'video, K6: drop a picture that is nearer than this to the last one kept', '1s')
    .option(
      '--preview <dir>',
      'video: only write a contact sheet and index.json of the pictures that would be chosen; import nothing',
    )
    .action((path: string, options: Options) => {
      const said = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
      return run(path, { ...options, sampled: ['rule', 'every', 'share', 'gap'].find(said) }, context);
    });
  optionalWorkspaceOption(command);
  examples(command, [
    ['import ~/Downloads/take.tar --workspace W', 'what `recordings export` or `archive export` wrote'],
    ['import /media/stick/20260504-102030-ab12 --workspace W', 'a recording folder'],
    ['import lesson.mp4 --preview sheet', 'see which pictures of a video would be its keyframes'],
    ['import phone.mp4 --preview sheet --share colourful', 'the same of a phone, which changes its whole screen'],
    [
      'import lesson.mp4 --workspace W --app "Premiere Pro" --share 0.2 --every 500ms',
      'a video, with lesson.srt beside it',
    ],
    ['import ~/Documents/DuckTrack_Recordings/recording-2023-10-20 --workspace W --app Slack', 'a DuckTrack recording'],
    [
      'import trajectories.json --workspace W --app Wikipedia',
      'NaturalGAIA trajectories with their images beside them',
    ],
  ]);
}

function samplingOf({ rule, every, share, gap, sampled }: Options): VideoSampling {
  return {
    rule: rule ?? (sampled === undefined ? DEFAULT_SAMPLING.rule : 'K6'),
    everyMs: parseDuration('--every', every),
    share: parseShare(share),
    gapMs: gap.trim() === '0' ? 0 : parseDuration('--gap', gap),
  };
}

function parseShare(text: string): number {
  if (text === 'text' || text === 'colourful') return SAMPLE_SHARE[text];
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new StudioError(
    'USAGE',
    `--share "${text}" cannot be taken: it takes a number from 0 to 1, \`text\` or \`colourful\`.`,
    {
      share: text,
    },
  );
}

async function run(path: string, options: Options, context: CliContext): Promise<void> {
  if (options.preview !== undefined) return preview(path, options.preview, options, context);
  if (options.workspace === undefined) {
    throw new StudioError('USAGE', 'Say where to: --workspace DIR. Only --preview needs none.', {});
  }
  await importFrom(options.workspace, path, context, options);
}

async function preview(path: string, out: string, options: Options, context: CliContext): Promise<void> {
  const source = resolve(path);
  const kind = options.as ?? kindOfImport(source);
  if (kind !== 'video') throw new StudioError('USAGE', `--preview is for videos; ${path} is a ${kind}.`, { path });
  const made = await untilStopped(async (signal) => {
    const ffmpeg = await findFfmpeg();
    return previewVideo(source, out, { ffmpeg, sampling: samplingOf(options), signal, report: reporter(context) });
  });
  const more = made.shown < made.kept ? ` The sheet shows the first ${made.shown}.` : '';
  context.result(
    made,
    `${made.kept} of ${plural(made.samples, 'picture')} would be kept: ${made.out}/contact-sheet.png, index.json.${more}`,
  );
}

type Made = { recording: string; task: string; goal: string; lost: string[]; guessed: string[]; warnings: string[] };

/** Imports what lies there and makes what is missing of its pictures. */
export async function importFrom(
  dir: string,
  path: string,
  context: CliContext,
  options: Options = { every: `${DEFAULT_SAMPLING.everyMs}ms`, share: 'text', gap: `${DEFAULT_SAMPLING.gapMs}ms` },
): Promise<void> {
  if (options.as === undefined && (await isArchive(resolve(path)))) return archive(dir, path, context, options);
  const sampling = samplingOf(options);
  if (options.sampled !== undefined) {
    const kind = options.as ?? kindOfImport(resolve(path));
    if (kind !== 'video') throw notForThis(kind, `--${options.sampled}`);
  }
  await inWorkspaceOrNew(dir, async (workspace) => {
    const { made, known } = await untilStopped(async (signal) => {
      const { app, goal, task, person, transcript, as: kind } = options;
      const wishes = { app, goal, task, person, transcript: transcript && resolve(transcript), kind, sampling };
      const found = await importInto(workspace, path, {
        ...wishes,
        version: context.version,
        signal,
        report: reporter(context),
        ffmpeg: () => findFfmpeg(),
      });
      const results: Made[] = [];
      for (const { entry, warnings } of found.imported) {
        const { origin } = readRecording(entry.folder);
        const more = await pictures(workspace, entry.folder, signal, context);
        const { lost = [], guessed = [] } = origin ?? {};
        results.push({
          recording: entry.id,
          task: entry.task,
          goal: entry.goal,
          lost,
          guessed,
          warnings: [...warnings, ...more],
        });
      }
      return { made: results, known: found.known };
    });
    for (const { warnings } of made) for (const warning of warnings) context.progress(`warning: ${warning}`);
    report(made, known, context);
  });
}

/** An archive says of each of its recordings what it is. Throws USAGE rather than to ignore what was asked for. */
async function archive(dir: string, path: string, context: CliContext, options: Options): Promise<void> {
  const asked: string[] = (['app', 'goal', 'task', 'person', 'transcript'] as const).filter((name) => options[name]);
  if (options.sampled !== undefined) asked.push(options.sampled);
  if (asked.length > 0) {
    throw new StudioError(
      'USAGE',
      `${path} is an archive, which brings the software, tasks and people of its recordings. Leave --${asked.join(', --')} out, and change the tasks afterwards.`,
      { path },
    );
  }
  const { takeArchiveFile } = await import('./archive.ts');
  await takeArchiveFile(path, { workspace: dir }, context);
}

async function pictures(
  workspace: Workspace,
  folder: string,
  signal: AbortSignal,
  context: CliContext,
): Promise<string[]> {
  if (!wantsKeyframes(folder)) return [];
  const ffmpeg = await findFfmpeg();
  const { warnings } = await finishRecording(workspace, folder, {
    ffmpeg,
    playback: 'now',
    signal,
    progress: context.progress,
  });
  return warnings;
}

function report(made: readonly Made[], known: readonly string[], context: CliContext): void {
  const [one] = made;
  if (made.length === 1 && one && known.length === 0) {
    const { lost, guessed } = one;
    const lines = [
      `Imported ${one.recording} (${one.task}: ${one.goal}).`,
      ...lost.map((what) => `  lost: ${what}`),
      ...guessed.map((what) => `  guessed: ${what}`),
    ];
    const { goal: _goal, ...value } = one;
    context.result(value, lines.join('\n'));
    return;
  }
  const passed = known.length > 0 ? ` ${known.length} were here already.` : '';
  const lines = made.map(({ recording, task, goal }) => `  ${recording} (${task}: ${goal})`);
  context.result(
    { recordings: made, known },
    [`Imported ${plural(made.length, 'recording')}.${passed}`, ...lines].join('\n'),
  );
}
