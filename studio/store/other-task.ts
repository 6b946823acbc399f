import type { Software } from './software.ts';
import { type Store, sqlOf } from './store.ts';
import { ensureTask } from './tasks.ts';

/** Which task something comes to that brings one along: ids are given in each workspace, goals are what is meant. */

/**
 * Whether a task that is here is the one that comes under its id. A goal that was worded anew since is no other task: some
 * recording of it still has the old words.
 */
async function isSameTask(
  store: Store,
  here: { id: string; software_id: string; goal: string },
  coming: { software: string; goal: string },
): Promise<boolean> {
  if (here.software_id !== coming.software) return false;
  if (here.goal === '' || coming.goal === '' || here.goal === coming.goal) return true;
  const worded = await sqlOf(store)
    .selectFrom('recordings')
    .select('id')
    .where('task_id', '=', here.id)
    .where('goal', '=', coming.goal)
    .executeTakeFirst();
  return worded !== undefined;
}

/**
 * The task here for one that comes under an id which stands for another goal here: one of the same software and goal, so that
 * doing it again is as doing it once; else a new one. `null`: the id is free, or means the same. `taken`: tasks here to which others
 * come that are not this one, though they may have the same goal.
 */
export async function otherTask(
  store: Store,
  id: string,
  coming: { software: Software; goal: string; createdAt?: string },
  taken: ReadonlySet<string> = NONE,
): Promise<{ id: string; isNew: boolean; standsFor: string } | null> {
  const here = await sqlOf(store).selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  const { software, goal } = coming;
  if (!here || (!taken.has(id) && (await isSameTask(store, here, { software: software.id, goal })))) return null;
  const standsFor = here.goal || `a task of ${here.software_id}`;
  const same = (await tasksOfGoal(store, software, goal)).find((one) => !taken.has(one));
  if (same !== undefined && goal !== '') return { id: same, isNew: false, standsFor };
  return { id: (await ensureTask(store, coming)).id, isNew: true, standsFor };
}

/** Ids of the tasks of this software and goal, the lowest number first. */
export async function tasksOfGoal(store: Store, software: Software, goal: string): Promise<string[]> {
  const rows = await sqlOf(store)
    .selectFrom('tasks')
    .select('id')
    .where('software_id', '=', software.id)
    .where('goal', '=', goal)
    .orderBy('number')
    .execute();
  return rows.map(({ id }) => id);
}

const NONE: ReadonlySet<string> = new Set();

export const otherTaskWords = (
  from: string,
  { id, isNew, standsFor }: { id: string; isNew: boolean; standsFor: string },
) =>
  `${from} stands for another task here ("${standsFor.slice(0, 80)}"): what came under it belongs to ${id}${isNew ? ', which is new' : ', which has the same goal'}`;
