import type { Command } from 'commander';
import { askedLines } from '../../../core/play/asked.ts';
import { type FfmpegInfo, findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type Recipe, USUAL_PATIENCE_S } from '../../../schemas/play.ts';
import type { Asker } from '../../play/agreed.ts';
import { type AskedKind, agreeTo, askedOf, notAgreed } from '../../play/consent.ts';
import { readRecipe, recipeOfTask } from '../../play/recipe.ts';
import { userHome } from '../../session/home.ts';
import type { Workspace } from '../../store/workspace.ts';
import { askYes, canAsk } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { parseWhole } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** The options that commands which do something on a stage share. */
export type StageOptions = WorkspaceOption & TrustOption & { recipe?: string; patience: string; withoutCage?: true };

/** `patience`: the help text of that option. */
export function stageOptions(command: Command, texts: { recipe: string; patience: string }): Command {
  command
    .option('--recipe <file>', texts.recipe)
    .option('--patience <seconds>', texts.patience, String(USUAL_PATIENCE_S));
  return workspaceOption(withoutCage(trustOption(command)));
}

/** The option of commands that set a stage up. */
export const withoutCage = (command: Command): Command =>
  command.option(
    '--without-cage',
    "where this system allows no cage (`doctor` says so): let the recipe's programs read and change everything that you can",
  );

type OnStage = { ffmpeg: FfmpegInfo; patienceMs: number; withoutCage: boolean; signal: AbortSignal };

/** Runs `work` until it is done or stopped; the end of the terminal stops it too, so that no stage is left behind. */
export const untilEnded = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  untilStopped(work, ['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Does `work` in the workspace, until it is stopped. Throws USAGE. */
export async function onStage(
  { workspace: dir, patience, ...options }: StageOptions,
  work: (workspace: Workspace, on: OnStage) => Promise<void>,
): Promise<void> {
  const patienceMs = parseWhole('--patience', patience, 1, 600) * 1000;
  const common = { ffmpeg: await findFfmpeg(), patienceMs, withoutCage: options.withoutCage === true };
  await untilEnded((signal) => inWorkspace(dir, (workspace) => work(workspace, { ...common, signal })));
}

/** The recipe in `file`, else the task's own; null where it has none. Throws BAD_FILE, FUTURE_VERSION. */
export async function recipeFor(workspace: Workspace, task: string, file: string | undefined): Promise<Recipe | null> {
  return file === undefined ? recipeOfTask(workspace, task) : readRecipe(file);
}

/** A stage for commands that need one; null: the command takes no file of one. Throws USAGE. */
export async function needRecipe(workspace: Workspace, task: string, file: string | null | undefined): Promise<Recipe> {
  const recipe = await recipeFor(workspace, task, file ?? undefined);
  if (recipe) return recipe;
  const how = file === null ? 'Attach one' : 'Give one with --recipe FILE, or attach it';
  throw new StudioError(
    'USAGE',
    `The task ${task} has no recipe. ${how}: \`tasks attach ${task} recipe.json --role recipe\`. \`play --help\` shows one.`,
    { task },
  );
}

export type TrustOption = { trust?: string[] };

/** Commands that run what somebody else made: the hashes that are agreed to with the command itself. */
export const trustOption = (command: Command): Command =>
  command.option(
    '--trust <hash>',
    "agree to the task's recipe or checks of this hash, which somebody else made; may be given twice",
    (hash: string, before: string[] = []) => [...before, hash],
  );

/** The account whose command it is. */
export const ownAsker = (): Asker => ({ config: userHome().config, person: null, isLocal: true });

/**
 * Asks about what somebody else made of a task, once. Where nobody can answer, throws NOT_AGREED with what it is and how to agree;
 * CANCELLED when the answer is no.
 */
export async function askFirst(
  workspace: Workspace,
  task: string,
  { trust = [] }: TrustOption,
  context: CliContext,
  kinds?: readonly AskedKind[],
): Promise<void> {
  if (trust.length > 0) await agreeTo(workspace, task, ownAsker(), trust);
  const asked = await askedOf(workspace, task, ownAsker(), kinds);
  if (asked.length === 0) return;
  if (context.json() || !canAsk()) throw notAgreed(task, asked);
  context.progress('You did not write this, or it was changed since you agreed to it:');
  for (const line of asked.flatMap(askedLines)) context.progress(line);
  if (!(await askYes('Run it, and remember the answer until it changes?')))
    throw new StudioError('CANCELLED', 'Nothing was run.', { task });
  await agreeTo(
    workspace,
    task,
    ownAsker(),
    asked.map(({ hash }) => hash),
  );
}

/** What of a task runs: not its recipe where another one was given by hand. */
export const kindsWith = (recipe: string | undefined): readonly AskedKind[] =>
  recipe === undefined ? ['recipe', 'checks'] : ['checks'];
