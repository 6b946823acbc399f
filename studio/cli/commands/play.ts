import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { PACES, type Pace, type PlayReport, type StageKind, stageKindSchema } from '../../../schemas/play.ts';
import { play } from '../../play/play.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';
import { askFirst, kindsWith, onStage, recipeFor, type StageOptions, stageOptions } from './on-stage.ts';

type Options = StageOptions & { stage: StageKind; pace: Pace; times: string };

const RECIPE = `
A recipe says how the stage of a task is set up (docs/play.md):
  {
    "schema": "trajectory-studio/recipe", "version": 1,
    "screen": { "width": 1280, "height": 800 },
    "files": [{ "attachment": "landscape.png", "to": "landscape.png" }],
    "programs": [{ "command": "gimp", "args": ["--no-splash", "~/landscape.png"], "window": "landscape",
                   "place": { "x": 0, "y": 0, "width": 1278, "height": 772 } }]
  }`;

/** `play ID`: performs a demonstration again and compares each step with it. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('play')
    .argument('<id>', "the recording's id or its beginning")
    .description('perform a demonstration again, and report step by step whether the result is the same')
    .addOption(
      new Option('--stage <kind>', 'virtual: a new display, set up by the recipe; display: the present one')
        .choices(stageKindSchema.options)
        .default('virtual'),
    )
    .addOption(
      new Option('--pace <pace>', 'recorded: as the person did it; ready: as soon as the screen is')
        .choices(PACES)
        .default('recorded'),
    )
    .option('--times <n>', 'play it this many times, each on a stage of its own', '1')
    .addHelpText('after', RECIPE)
    .action((id: string, options: Options) => playAll(id, options, context));
  stageOptions(command, {
    recipe: "how the stage is set up; the task's own recipe when left out",
    patience: 'how late the screen may be before the play stops',
  });
  examples(command, [
    ['play 2026 --workspace W', 'on a new virtual display, at the pace of the person'],
    ['play 2026 --workspace W --pace ready --times 10', 'ten times, each step as soon as the screen is ready'],
    ['play 2026 --workspace W --stage display', 'on this display, where the programs are open as they were'],
  ]);
}

async function playAll(id: string, options: Options, context: CliContext): Promise<void> {
  const times = parseWhole('--times', options.times, 1, 1000);
  const { stage, pace } = options;
  await onStage(options, async (workspace, on) => {
    const recording = await workspace.resolveRecording(id);
    // On the present display no program of the recipe is started.
    const kinds = stage === 'display' ? (['checks'] as const) : kindsWith(options.recipe);
    await askFirst(workspace, recording.task, options, context, kinds);
    const recipe = await recipeFor(workspace, recording.task, options.recipe);
    const { version, progress } = context;
    const reports: PlayReport[] = [];
    for (let n = 0; n < times && !on.signal.aborted; n++) {
      if (times > 1) context.progress(`play ${n + 1} of ${times}`);
      reports.push(await play({ workspace, recording, recipe, stage, pace, version, progress, ...on }));
    }
    const good = reports.filter(isGood).length;
    if (good < times) context.setStatus(1);
    context.result(times === 1 ? reports[0] : { plays: reports, agreed: good, of: times }, text(reports, times));
  });
}

/** It went as in the demonstration, and its checks, if there are any, passed. */
const isGood = ({ agreed, of, passed }: PlayReport): boolean => agreed === of && passed !== false;

function text(reports: readonly PlayReport[], times: number): string {
  const lines = reports.map((report) => {
    const end = report.stopped === null ? 'to the end' : `stopped at step ${stoppedAt(report)}: ${report.why}`;
    const pace =
      report.took > 0 && report.stopped === null
        ? `, ${(report.demonstrated / report.took).toFixed(1)} times as fast as the person`
        : '';
    const checks =
      report.passed === null ? '' : report.passed ? ', its checks passed' : `, its checks failed: ${failed(report)}`;
    return `${report.played}: ${report.agreed} of ${plural(report.of, 'step')} agreed, ${end}${pace}${checks}`;
  });
  if (times > 1) lines.push(`${reports.filter(isGood).length} of ${plural(times, 'play')} agreed step by step`);
  return lines.join('\n');
}

/** One that was stopped by hand has no verdict on the step that it was at. */
const stoppedAt = ({ steps, stopped }: PlayReport): number =>
  steps.at(-1)?.step === stopped ? steps.length : steps.length + 1;

const failed = ({ checks }: PlayReport): string =>
  checks
    .filter(({ score }) => score < 1)
    .map(({ id, why }) => `${id} (${why})`)
    .join('; ');
