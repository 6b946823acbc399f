import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { PerformReport } from '../../../schemas/perform.ts';
import { type CoordinateScale, SCALES } from '../../../schemas/scales.ts';
import { performScript } from '../../play/perform-script.ts';
import { findStage, type VirtualStage } from '../../play/stage/stage.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { parseList, parseWhole } from '../values.ts';
import { askFirst, kindsWith, needRecipe, onStage, type StageOptions, stageOptions } from './on-stage.ts';

type Options = StageOptions & {
  task: string;
  stage?: string;
  answer?: string;
  checkAfter?: number[];
  coordinates?: CoordinateScale;
};

const SCRIPT = `
A script is a file .jsonl, an action a line with the fields that \`actions\` shows:
  {"kind": "click", "start": {"x": 400, "y": 200}}
  {"kind": "type", "text": "Shopping: milk"}
  {"kind": "press", "keys": ["ctrl", "s"]}
or (any other ending) a model's answer: calls of tools as Anthropic, OpenAI, Gemini, UI-TARS, Qwen and others write them, or
PyAutoGUI code, which is read and never run. Where the form does not say what its places count, --coordinates does.`;

/** `perform SCRIPT`: does actions or predicted code on a stage, and records it. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('perform')
    .argument('<script>', 'a file of actions (.jsonl), or of predicted code')
    .description('perform actions or predicted PyAutoGUI code on a stage of a task, record it, and check the outcome')
    .requiredOption('--task <id>', 'the task whose recipe sets the stage up')
    .addOption(
      new Option('--coordinates <unit>', 'what the places of calls count, where their form does not say').choices(
        SCALES,
      ),
    )
    .option('--stage <id>', 'on this stage (`stage new`), which goes on afterwards as the script leaves it')
    .option('--answer <text>', 'what is answered at the end, for checks of an answer; the script may do nothing then')
    .option('--check-after <steps>', 'look at the checks after these steps too, such as 2,5', parseSteps)
    .addHelpText('after', SCRIPT)
    .action((script: string, options: Options) => run(script, options, context));
  stageOptions(command, {
    recipe: "another recipe than the task's own",
    patience: 'how long to wait for the screen after a step',
  });
  examples(command, [
    ['perform answer.py --task GIMP_1 --workspace W', 'what a model predicted, on a new stage'],
    ['perform actions.jsonl --task GIMP_2 --stage 3f --workspace W', 'on a stage that is there, for the next task'],
    ['perform actions.jsonl --task GIMP_1 --workspace W --json', 'actions, one a line; the report as JSON'],
    ['perform nothing.jsonl --task GIMP_3 --answer FAIL --workspace W', 'an empty script: the answer alone is checked'],
  ]);
}

async function run(file: string, options: Options, context: CliContext): Promise<void> {
  await onStage(options, async (workspace, on) => {
    const { id: task } = await taskById(workspace.store, options.task);
    await askFirst(workspace, task, options, context, kindsWith(options.recipe));
    const to =
      options.stage === undefined
        ? { recipe: await needRecipe(workspace, task, options.recipe) }
        : stageOf(options, workspace);
    const { version, progress } = context;
    const { answer = null, coordinates = null } = options;
    const points = options.checkAfter ?? [];
    const wishes = { workspace, task, file, on: to, version, progress, coordinates, points, answer, ...on };
    const report = await performScript(wishes);
    if (report.stopped !== null || report.error !== null || report.passed === false) context.setStatus(1);
    context.result(report, textOf(report));
  });
}

const parseSteps = (text: string): number[] =>
  parseList(text).map((one) => parseWhole('--check-after', one, 1, 100_000));

/** Throws UNKNOWN_DISPLAY, USAGE. */
function stageOf({ stage, recipe }: Options, { dir }: Workspace): { stage: VirtualStage } {
  if (recipe === undefined) return { stage: findStage(stage ?? '', dir) };
  throw new StudioError('USAGE', 'Give --stage or --recipe, not both: a stage that is there is not set up again.', {});
}

function textOf(report: PerformReport): string {
  const { recording, steps, of, ignored, temporary, error, points = [], checks, passed, weak } = report;
  const lines = [`${recording}: ${steps.length} of ${plural(of, 'step')} done`];
  if (ignored.length > 0) lines.push(`  keys that PyAutoGUI does not know and ignores: ${ignored.join(', ')}`);
  if (temporary.length > 0)
    lines.push(`  the stage's layout has no key for ${temporary.join(' ')}: typed by a temporary key`);
  if (error !== null) lines.push(`  the program would end with ${error}`);
  for (const point of points) {
    lines.push(`  after step ${point.step} the checks ${point.passed ? 'passed' : 'failed'}`);
    for (const { id, score, why } of point.checks) lines.push(`    ${score.toFixed(2)}  ${id}: ${why}`);
  }
  if (passed !== null) lines.push(`  its checks ${passed ? 'passed' : 'failed'}`);
  for (const { id, score, why } of checks) lines.push(`    ${score.toFixed(2)}  ${id}: ${why}`);
  if (weak !== null) lines.push(`  weak: ${weak}`);
  return lines.join('\n');
}
