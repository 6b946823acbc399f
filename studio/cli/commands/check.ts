import type { Command } from 'commander';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { CheckReport } from '../../../schemas/checks.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { checksOfTask, readChecks } from '../../play/checks/checks-file.ts';
import { evaluateChecks } from '../../play/checks/evaluate.ts';
import { outcomeOf } from '../../play/checks/outcome.ts';
import type { CheckPlace } from '../../play/checks/read.ts';
import { pathsOfTask } from '../../play/recipe.ts';
import { findStage, keptStages } from '../../play/stage/stage.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspace } from '../within.ts';
import { askFirst, type TrustOption, trustOption } from './on-stage.ts';
import { folderThere, type WorkspaceOption, workspaceOption } from './options.ts';

type Options = WorkspaceOption &
  TrustOption & {
    stage?: string;
    recording?: string;
    home?: string;
    checks?: string;
    answer?: string;
  };

const CHECKS = `
Checks say when a task counts as done (docs/play.md). They are kept with it:
  npm run studio -- tasks attach GIMP_1 checks.json --role checks --workspace W
  {
    "schema": "trajectory-studio/checks", "version": 1, "combine": "all",
    "checks": [
      { "id": "saved", "kind": "text", "path": "notes/note.txt", "contains": ["milk"] },
      { "id": "total", "kind": "cell", "path": "sums.xlsx", "cell": "B3", "equals": 12 }
    ]
  }`;

/** `check TASK`: evaluates the checks of a task on its stage, on a recording's outcome, or in a folder. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('check')
    .argument('<task>', "the task's id")
    .description('check whether a task was done, by its checks of files, values, windows and the screen')
    .option('--stage <id>', 'check this stage, if several are set up for the task')
    .option('--recording <id>', 'check the files that a play left, and the last screen of any recording')
    .option('--home <dir>', 'check this folder, and the present display')
    .option('--checks <file>', "other checks than the task's own")
    .option('--answer <text>', 'the given answer, for checks of an answer')
    .addHelpText('after', CHECKS)
    .action((task: string, options: Options) =>
      inWorkspace(options.workspace, async (workspace) => {
        const { id } = await taskById(workspace.store, task);
        const checks = options.checks === undefined ? await checksOfTask(workspace, id) : readChecks(options.checks);
        if (!checks) {
          throw new StudioError(
            'USAGE',
            `The task ${id} has no checks. Give them with --checks FILE, or attach them: \`tasks attach ${id} checks.json --role checks\`. \`check --help\` shows some.`,
            { task: id },
          );
        }
        if (options.checks === undefined) await askFirst(workspace, id, options, context, ['checks']);
        const { place, env } = await placeFor(workspace, id, options);
        const report = await evaluateChecks(checks, place, env);
        if (!report.passed) context.setStatus(1);
        context.result({ task: id, ...report }, textOf(report));
      }),
    );
  workspaceOption(trustOption(command));
  examples(command, [
    ['check GIMP_1 --workspace W', 'on the stage that `stage new --task GIMP_1` set up'],
    [
      'check GIMP_1 --workspace W --recording 20261125-224351-u10c695u --json',
      'what a play left, by the id that it printed',
    ],
    ['check GIMP_1 --workspace W --home ~/work --answer 42', 'in a folder, with an answer'],
  ]);
}

async function placeFor(
  workspace: Workspace,
  task: string,
  { stage: wanted, recording, home, answer: given }: Options,
): Promise<{ place: CheckPlace; env: NodeJS.ProcessEnv | null }> {
  const files = await pathsOfTask(workspace.store, workspace.dir, task);
  const answer = given ?? null;
  const live = { still: null, titles: null, files, answer };
  if ([wanted, recording, home].filter((one) => one !== undefined).length > 1)
    throw new StudioError('USAGE', 'Give one of --stage, --recording and --home, not several.', {});
  if (recording !== undefined) {
    const { folder } = await workspace.resolveRecording(recording);
    return { place: { ...(await outcomeOf(folder, await findFfmpeg())), files, answer }, env: null };
  }
  if (home !== undefined) return { place: { ...live, home: folderThere('--home', home) }, env: process.env };
  const [stage, more] = wanted === undefined ? keptStages(workspace.dir, task) : [findStage(wanted, workspace.dir)];
  if (stage && !more) return { place: { ...live, home: stage.home }, env: stage.env };
  throw new StudioError(
    'USAGE',
    `${more ? 'More than one stage is' : 'No stage is'} set up for ${task}. Set one up (\`stage new --task ${task}\`) or name one (--stage; \`stage list\` shows them); or look at a recording (--recording) or a folder (--home).`,
    { task },
  );
}

function textOf({ checks, score, passed, weak }: CheckReport): string {
  const lines = checks.map(
    ({ id, score: one, why, able }) => `  ${one.toFixed(2)}  ${id}: ${why}${able ? '' : ' (not tried)'}`,
  );
  lines.unshift(`${passed ? 'Passed' : 'Not passed'}: ${score.toFixed(2)}`);
  if (weak !== null) lines.push(`weak: ${weak}`);
  return lines.join('\n');
}
