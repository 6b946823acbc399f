import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { AIDS, type Aid, QUESTION_LEVELS, type QuestionLevel, type UsedAid } from '../../../schemas/questions.ts';
import type { WrittenQuestions } from '../../datasets/evaluate/write-questions.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & {
  level: QuestionLevel;
  out: string;
  truth?: string;
  template?: string;
  prompts?: string;
  all?: boolean;
  name?: string;
  seed: number;
  scrollOrder: 'shuffled' | 'table27';
  aid?: Aid;
  aids?: string;
  frames: number;
  recordings: 'one' | 'every';
};

const MOST_TOLD = 20;

/** `questions`: what a model is asked about the approved recordings, with pictures. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('questions')
    .description('write the questions for a model about the approved recordings, with pictures and truth')
    .addOption(
      new Option('--level <level>', 'clicks, drags, keys and scrolls; narrations of a subtask; subtasks of a task')
        .choices(QUESTION_LEVELS)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the questions; their pictures go into a folder beside it')
    .option('--truth <file>', 'the truth in a file of its own, not beside the questions')
    .option('--template <file>', 'also write a file of predictions to fill in, a line for each question')
    .option('--prompts <dir>', 'prompt files that replace ours (click.txt, mid-text.txt, …; see docs/metrics.md)')
    .option('--all', 'recordings of every state, not only approved ones')
    .option('--name <name>', "the data set's name; default: the workspace's folder")
    .option('--seed <n>', 'for the order of the options of scroll questions', seed, 1)
    .addOption(
      new Option('--scroll-order <order>', 'shuffled, or always none, down, up')
        .choices(['shuffled', 'table27'])
        .default('shuffled'),
    )
    .addOption(
      new Option(
        '--aid <aid>',
        'help with clicks and drags: som numbers the elements on the picture, ocr lists its texts with their boxes',
      ).choices(AIDS),
    )
    .option('--aids <file>', 'elements for --aid that a detector of yours found (see docs/metrics.md)')
    .addOption(
      new Option(
        '--recordings <which>',
        'of a task with several: one is asked about; every: plans count against the best fitting of them',
      )
        .choices(['one', 'every'])
        .default('one'),
    )
    .option('--frames <n>', 'how many frames show a visual query that is a video, 2 to 64', frames, 8)
    .action(async (options: Options) => {
      if (options.aids !== undefined && options.aid === undefined) {
        throw new StudioError('USAGE', '--aids goes with --aid som or --aid ocr: say what its elements are for.', {});
      }
      await inWorkspace(options.workspace, async (workspace) => {
        const { tasksToAsk } = await import('../../datasets/evaluate/tasks.ts');
        const { loadPrompts } = await import('../../datasets/evaluate/prompt-files.ts');
        const { writeQuestions } = await import('../../datasets/evaluate/write-questions.ts');
        const prompts = loadPrompts(options.prompts ?? null);
        const { tasks, leftOut } = await tasksToAsk(workspace, {
          all: options.all === true,
          recordings: options.recordings,
          onProgress: context.progress,
        });
        const { level, out, seed: chosen, scrollOrder } = options;
        const written = await untilStopped((signal) =>
          writeQuestions(tasks, {
            level,
            out,
            truth: options.truth ?? null,
            template: options.template ?? null,
            prompts,
            seed: chosen,
            scrollOrder,
            signal,
            name: options.name ?? basename(resolve(options.workspace)),
            frames: options.frames,
            aid: options.aid ? { kind: options.aid, file: options.aids ?? null } : null,
            onProgress: (done, total) => context.progress(`${done} of ${plural(total, 'picture')} looked at`),
          }),
        );
        const all = [...leftOut, ...written.leftOut];
        const { dataset } = written.head;
        context.result(
          { ...written, leftOut: all },
          [
            `Wrote ${written.out}: ${Object.entries(written.counts)
              .map(([kind, count]) => `${count} ${kind}`)
              .join(', ')}; ${plural(written.pictures, 'picture')}.`,
            ...(written.truth === null ? [] : [`The truth: ${written.truth}`]),
            ...(written.template === null ? [] : [`Predictions, to be filled in: ${written.template}`]),
            `Data set: ${dataset.name} ${dataset.hash.slice(0, 12)}`,
            ...(written.reach ? [reachText(written.reach, written.head.aid)] : []),
            ...all.slice(0, MOST_TOLD).map(({ item, from, reason }) => `  left out: ${item} (${from}): ${reason}`),
            ...(all.length > MOST_TOLD ? [`  … and ${all.length - MOST_TOLD} more (--json lists all)`] : []),
          ].join('\n'),
        );
      });
    });
  workspaceOption(command);
  examples(command, [
    ['questions --workspace W --level action --out Q.jsonl', 'clicks, drags, keys and scrolls, with their truth'],
    [
      'questions --workspace W --level mid --out Q.jsonl --truth T.jsonl',
      'plans of subtasks; questions that can be given away',
    ],
    [
      'questions --workspace W --level action --out Q.jsonl --template P.jsonl',
      'with a file of predictions, to be filled in',
    ],
    ['questions --workspace W --level high --out Q.jsonl --prompts my-prompts', 'in your own words'],
    ['questions --workspace W --level action --aid som --out S.jsonl', 'with numbered elements on the pictures'],
    ['questions --workspace W --level action --aid ocr --aids T.jsonl --out O.jsonl', 'with texts that your OCR read'],
  ]);
}

function reachText({ reachable, of }: NonNullable<WrittenQuestions['reach']>, aid: UsedAid | null): string {
  return `Aid ${aid?.kind}, elements by ${aid?.source}: the target of ${reachable} of ${of} clicks and drags lies in one.`;
}

const frames = (text: string): number => parseWhole('--frames', text, 2, 64);
const seed = (text: string): number => parseWhole('--seed', text, 0, 2 ** 31 - 1);
