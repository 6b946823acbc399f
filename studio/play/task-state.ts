import { wholeTask } from '../../core/tasks/task-state.ts';
import type { TaskSetup } from '../../schemas/api/setup.ts';
import type { WholeTask } from '../../schemas/api/task-state.ts';
import { errorBody, isPassing } from '../../schemas/errors.ts';
import { verdictKept } from '../recordings/verdict-kept.ts';
import { attachedFiles } from '../store/attachments.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { taskById } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { programsMissing } from './stage/set-stage.ts';

/** Whether a task is complete, sound and proven, with what is missing. Throws UNKNOWN_TASK. */
export async function stateOfTask(
  workspace: Workspace,
  task: string,
  setup: Pick<TaskSetup, 'recipe' | 'recipeError' | 'checks' | 'checksError'>,
): Promise<WholeTask> {
  const { id, goal } = await taskById(workspace.store, task);
  const { recipe, recipeError, checks, checksError } = setup;
  const files = [...(await attachedFiles(workspace.store, id)).keys()];
  const found = (await workspace.indexedRecordings()).filter((one) => one.task === id && one.phase === 'closed');
  const demonstrations = [];
  for (const entry of found) demonstrations.push({ id: entry.id, verdict: await verdictOf(workspace, entry) });
  const missing = recipe === null ? [] : programsMissing(recipe);
  const facts = { id, goal, recipe, recipeError, checks, checksError, files, demonstrations, programsMissing: missing };
  return wholeTask(facts);
}

/** Of one that cannot be read nothing is proven; opening the recording says why. */
async function verdictOf(workspace: Workspace, entry: RecordingEntry): ReturnType<typeof verdictKept> {
  try {
    return await verdictKept(workspace, entry);
  } catch (error) {
    if (isPassing(errorBody(error).code)) throw error;
    return null;
  }
}
