import type { NamedServices } from '../../core/compositions/laws.ts';
import type { TaskContent } from '../../core/compositions/places.ts';
import type { Checks } from '../../schemas/checks.ts';
import type { Recipe } from '../../schemas/play.ts';
import { answerOf, findStoredTask } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';

/** Files of a task: null where it has none, undefined where it cannot be read. */
type TaskFiles = { goal: string; recipe: Recipe | null | undefined; checks: Checks | null | undefined };

/** Reads the files of those of these tasks that are in this workspace. */
export async function readTasks(workspace: Workspace, tasks: readonly string[]): Promise<Map<string, TaskFiles>> {
  const read = new Map<string, TaskFiles>();
  for (const task of new Set(tasks)) {
    // By its id: a workspace may have a hundred thousand others.
    const goal = (await findStoredTask(workspace.store, task))?.goal;
    if (goal === undefined) continue;
    // CP14 and whoever uses the files say what is wrong.
    const recipe = await recipeOfTask(workspace, task).catch(() => undefined);
    const checks = await checksOfTask(workspace, task).catch(() => undefined);
    read.set(task, { goal, recipe, checks });
  }
  return read;
}

/** The ids of each task's checks; null: it has none that can be read. */
export const checksIn = (read: ReadonlyMap<string, TaskFiles>): Map<string, ReadonlySet<string> | null> =>
  new Map([...read].map(([task, { checks }]) => [task, checks ? new Set(checks.checks.map(({ id }) => id)) : null]));

/** Services of the recipes, with their changes; none for a task without a recipe, null for one that cannot be read. */
export const servicesIn = (read: ReadonlyMap<string, TaskFiles>): Map<string, NamedServices | null> =>
  new Map([...read].map(([task, { recipe }]) => [task, recipe === undefined ? null : servicesOf(recipe)]));

const servicesOf = (recipe: Recipe | null): NamedServices =>
  (recipe?.services ?? []).map(({ name, changes }) => ({ name, changes: changes.map((change) => change.name) }));

/** The content of these tasks where values of a composition may stand. A task that is not here, or cannot be read, is left out. */
export async function contentsOfTasks(
  workspace: Workspace,
  tasks: readonly string[],
  read?: ReadonlyMap<string, TaskFiles>,
): Promise<Map<string, TaskContent>> {
  const files = read ?? (await readTasks(workspace, tasks));
  const contents = new Map<string, TaskContent>();
  for (const task of tasks) {
    const { goal, recipe, checks } = files.get(task) ?? {};
    if (goal === undefined || recipe === undefined || checks === undefined) continue;
    contents.set(task, { goal, answer: await answerOf(workspace.store, task), recipe, checks });
  }
  return contents;
}
