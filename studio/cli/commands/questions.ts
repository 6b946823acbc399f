import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { QUESTION_LEVELS, type QuestionLevel } from '../../../schemas/questions.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption & {
  level: QuestionLevel;
  out: string;
  truth?: string;
  prompts?: string;
  all?: boolean;
  name?: string;
  seed: number;
  scrollOrder: 'shuffled' | 'table27';
};

const MOST_TOLD = 20;

/** `questions`: what a model is asked about the approved recordings, with pictures. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('questions')
    .description('write what a model is to be asked about the approved recordings, with pictures and truth')
    .addOption(
      new Option('--level <level>', 'clicks, drags, keys and scrolls; narrations of a subtask; subtasks of a task')
        .choices(QUESTION_LEVELS)
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the questions; their pictures go into a folder beside it')
    .option('--truth <file>', 'the truth in a file of its own, not beside the questions')
    .option('--prompts <dir>', 'prompt files that replace ours (click.txt, mid-text.txt, …; see docs/metrics.md)')
    .option('--all', 'recordings of every state, not only approved ones')
    .option('--name <name>', "the data set's name; default: the workspace's folder")
    .option('--seed <n>', 'of the order of the options of scroll questions', seed, 1)
    .addOption(
      new Option('--scroll-order <order>', 'shuffled, or always none, down, up')
        .choices(['shuffled', 'table27'])
        .default('shuffled'),
    )
    .action(async (options: Options) => {
      const workspace = openWorkspace(options.workspace, { create: false });
      try {
        const { tasksToAsk } = await import('../../evaluate/tasks.ts');
        const { loadPrompts } = await import('../../evaluate/prompt-files.ts');
        const { writeQuestions } = await import('../../evaluate/write-questions.ts');
        const prompts = loadPrompts(options.prompts ?? null);
        const { tasks, leftOut } = await tasksToAsk(workspace, {
          all: options.all === true,
          onProgress: context.progress,
        });
        const { level, out, seed: chosen, scrollOrder } = options;
        const written = writeQuestions(tasks, {
          ...{ level, out, truth: options.truth ?? null, prompts, seed: chosen, scrollOrder },
          name: options.name ?? basename(resolve(options.workspace)),
        });
        const all = [...leftOut, ...written.leftOut];
        const { dataset } = written.head;
        context.result(
          { ...written, leftOut: all },
          [
            `Wrote ${written.out}: ${Object.entries(written.counts)
              .map(([kind, count]) => `${count} ${kind}`)
              .join(', ')}; ${written.pictures} pictures.`,
            ...(written.truth === null ? [] : [`The truth: ${written.truth}`]),
            `Data set: ${dataset.name} ${dataset.hash.slice(0, 12)}`,
            ...all.slice(0, MOST_TOLD).map(({ item, from, reason }) => `  left out: ${item} (${from}): ${reason}`),
            ...(all.length > MOST_TOLD ? [`  … and ${all.length - MOST_TOLD} more (--json lists all)`] : []),
          ].join('\n'),
        );
      } finally {
        workspace.close();
      }
    });
  workspaceOption(command);
  examples(command, [
    ['questions --workspace W --level action --out Q.jsonl', 'clicks, drags, keys and scrolls, with their truth'],
    [
      'questions --workspace W --level mid --out Q.jsonl --truth T.jsonl',
      'plans of subtasks; questions that can be given away',
    ],
    ['questions --workspace W --level high --out Q.jsonl --prompts my-prompts', 'in your own words'],
  ]);
}

const seed = (text: string): number => parseWhole('--seed', text, 0, 2 ** 31 - 1);
