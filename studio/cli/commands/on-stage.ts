import type { Command } from 'commander';
import { type FfmpegInfo, findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { readRecipe, recipeOfTask } from '../../play/recipe.ts';
import type { Workspace } from '../../store/workspace.ts';
import { untilStopped } from '../stop.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** The options that commands which do something on a stage share. */
export type StageOptions = WorkspaceOption & { recipe?: string; patience: string };

/** `patience`: the help text of that option. */
export function stageOptions(command: Command, texts: { recipe: string; patience: string }): Command {
  command.option('--recipe <file>', texts.recipe).option('--patience <seconds>', texts.patience, '6');
  return workspaceOption(command);
}

type OnStage = { ffmpeg: FfmpegInfo; patienceMs: number; signal: AbortSignal };

/** Runs `work` until it is done or stopped; the end of the terminal stops it too, so that no stage is left behind. */
export const untilEnded = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilStopped(work, ['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Does `work` in the workspace, until it is stopped. Throws USAGE. */
export async function onStage(
  { workspace: dir, patience }: StageOptions,
  work: (workspace: Workspace, on: OnStage) => Promise<void>,
): Promise<void> {
  const patienceMs = parseWhole('--patience', patience, 1, 600) * 1000;
  const ffmpeg = await findFfmpeg();
  await untilEnded((signal) => inWorkspace(dir, (workspace) => work(workspace, { ffmpeg, patienceMs, signal })));
}

/** The recipe in `file`, else the task's own; null where it has none. Throws BAD_FILE, FUTURE_VERSION. */
export async function recipeFor(workspace: Workspace, task: string, file: string | undefined): Promise<Recipe | null> {
  return file === undefined ? recipeOfTask(workspace, task) : readRecipe(file);
}

/** The same for commands that need one. Throws USAGE. */
export async function needRecipe(workspace: Workspace, task: string, file: string | undefined): Promise<Recipe> {
  const recipe = await recipeFor(workspace, task, file);
  if (recipe) return recipe;
  throw new StudioError(
    'USAGE',
    `The task ${task} has no recipe. Give one with --recipe FILE, or attach it: \`tasks attach ${task} recipe.json --role recipe\`. \`play --help\` shows one.`,
    { task },
  );
}
