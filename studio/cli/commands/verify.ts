import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { PACES, type Pace } from '../../../schemas/play.ts';
import type { VerifyReport } from '../../../schemas/verify.ts';
import { verify } from '../../play/verify.ts';
import { verifierName } from '../../store/people.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';
import { askFirst, kindsWith, onStage, recipeFor, type StageOptions, stageOptions } from './on-stage.ts';

type Options = StageOptions & { times: string; pace: Pace };

/** `verify ID`: proves that a demonstration works again, and that its checks would notice if it did not. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('verify')
    .argument('<id>', "the recording's id or its beginning")
    .description('prove a demonstration: play it, check it, and see its checks fail when a step is left out')
    .option('--times <n>', 'play it this many times, each on a stage of its own', '3')
    .addOption(
      new Option('--pace <pace>', 'recorded: as the person did it; ready: as soon as the screen is')
        .choices(PACES)
        .default('ready'),
    )
    .action((id: string, options: Options) => run(id, options, context));
  stageOptions(command, {
    recipe: "how the stage is set up; the task's own recipe when left out",
    patience: 'how late the screen may be before a play stops',
  });
  examples(command, [
    ['verify 2026 --workspace W', 'three plays, and one without a decisive step'],
    ['verify 2026 --workspace W --times 10 --json', 'ten plays; the verdict as JSON'],
  ]);
}

async function run(id: string, options: Options, context: CliContext): Promise<void> {
  const times = parseWhole('--times', options.times, 1, 100);
  await onStage(options, async (workspace, on) => {
    const recording = await workspace.resolveRecording(id);
    await askFirst(workspace, recording.task, options, context, kindsWith(options.recipe));
    const recipe = await recipeFor(workspace, recording.task, options.recipe);
    const { version, progress } = context;
    const by = await verifierName(workspace.store);
    const report = await verify({
      workspace,
      recording,
      recipe,
      by,
      times,
      pace: options.pace,
      version,
      progress,
      ...on,
    });
    if (!report.proven) context.setStatus(1);
    context.result(report, textOf(report));
  });
}

function textOf({ recording, proven, problems, weak, plays, without }: VerifyReport): string {
  const good = plays.filter(({ agreed, of, passed }) => agreed === of && passed).length;
  const lines = [
    `${recording}: ${proven ? 'proven' : 'not proven'}`,
    `  ${good} of ${plural(plays.length, 'play')} good`,
  ];
  for (const { number, passed } of without)
    lines.push(`  without step ${number} the checks ${passed ? 'pass all the same' : 'fail, as they should'}`);
  for (const problem of problems) lines.push(`  ${problem}`);
  for (const { id, why } of weak) lines.push(`  weak check ${id}: ${why}`);
  return lines.join('\n');
}
