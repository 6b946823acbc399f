import type { Recording } from '../../schemas/recording.ts';
import { TASK_ID } from '../../schemas/task-terms.ts';
import { noteTask } from '../store/made-task.ts';
import { otherTask, otherTaskWords } from '../store/other-task.ts';
import { writeRecording } from '../store/recording-folder.ts';
import { listSoftware, type Software } from '../store/software.ts';
import type { Store } from '../store/store.ts';
import { ensureTask } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { taskNoteOf } from './leftovers.ts';
import { type ImportWishes, softwareOf } from './wishes.ts';

/** Which task a recording of ours comes to that brings one along: ids are given in each workspace, goals are what is meant. */

/**
 * Gives a recording that is about to land the software, task, goal and person that were asked for, and another task than one
 * of its id that is not the same. Only the copy in `folder` changes. Gives what is to be said. Throws USAGE for a task of another
 * form or software.
 */
export async function placeOwn(
  workspace: Workspace,
  folder: string,
  recording: Recording,
  wishes: Pick<ImportWishes, 'app' | 'goal' | 'task' | 'person'>,
): Promise<string[]> {
  const { store } = workspace;
  const warnings: string[] = [];
  const changed: Recording = structuredClone(recording);
  const software =
    wishes.app === undefined
      ? await knownSoftware(store, recording.app)
      : await softwareOf(workspace, wishes.app.trim());
  if (wishes.app !== undefined && software) changed.app = { id: software.id, name: software.name };
  const goal = wishes.goal?.trim() || recording.task.goal;
  changed.task.goal = goal;
  if (wishes.person !== undefined) changed.person = wishes.person;
  const createdAt = await noteTask(store, taskNoteOf(folder), { id: wishes.task, goal });
  if (wishes.task !== undefined) {
    const owner = software ?? (await softwareOf(workspace, recording.app.name));
    const task = await ensureTask(store, { id: wishes.task, software: owner, goal, createdAt });
    if (task.goal !== goal && task.goal !== '') {
      warnings.push(`task ${task.id} has the goal "${task.goal.slice(0, 80)}" here, which stays`);
    }
    changed.task.id = task.id;
  } else if (software) {
    const prefix = TASK_ID.exec(recording.task.id)?.[1];
    if (wishes.app !== undefined && software.id !== recording.app.id && prefix !== software.prefix) {
      // Its own id names another software.
      changed.task.id = (await ensureTask(store, { software, goal, createdAt })).id;
    } else {
      const other = await otherTask(store, recording.task.id, { software, goal, createdAt });
      if (other) {
        changed.task.id = other.id;
        warnings.push(otherTaskWords(recording.task.id, other));
      }
    }
  }
  if (JSON.stringify(changed) !== JSON.stringify(recording)) writeRecording(folder, changed);
  return warnings;
}

/** The id in the index; null for one that is to be added. */
async function knownSoftware(store: Store, app: Recording['app']): Promise<Software | null> {
  const all = await listSoftware(store);
  return all.find(({ id }) => id === app.id) ?? all.find(({ name }) => name === app.name) ?? null;
}
