import type { TaskContent } from '../../core/compositions/places.ts';
import { answerOf, listTasks } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { checksOfTask } from './checks/checks-file.ts';
import { recipeOfTask } from './recipe.ts';

/** The content of these tasks where values of a composition may stand. A task that is not here, or cannot be read, is left out. */
export async function contentsOfTasks(
  workspace: Workspace,
  tasks: readonly string[],
): Promise<Map<string, TaskContent>> {
  const goals = new Map((await listTasks(workspace.store)).map(({ id, goal }) => [id, goal]));
  const contents = new Map<string, TaskContent>();
  for (const task of new Set(tasks)) {
    const goal = goals.get(task);
    if (goal === undefined) continue;
    try {
      const [recipe, checks] = [await recipeOfTask(workspace, task), await checksOfTask(workspace, task)];
      contents.set(task, { goal, answer: await answerOf(workspace.store, task), recipe, checks });
    } catch {} // CP14 and whoever uses its files say what is wrong.
  }
  return contents;
}
