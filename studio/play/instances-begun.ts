import { z } from 'zod';
import { plural } from '../../core/words.ts';
import { compositionHeads } from '../documents/joined/composition-heads.ts';
import { detach, listAttachments } from '../store/attachments.ts';
import { dropMeta, listMeta, writeMeta } from '../store/meta.ts';
import type { Software } from '../store/software.ts';
import type { Store } from '../store/store.ts';
import { removeTask } from '../store/task-rows.ts';
import { ensureTask, fillAnswer, findStoredTask, wasRecorded } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * Instances that are being made. Their tasks are noted in the same whole in which they come into the database, until the composition
 * that names them is there: so what a kill in between leaves is known, and is taken back before more are made.
 */

const KEY = 'instance-begun:';
const begunSchema = z.object({
  template: z.string(),
  seed: z.int(),
  tasks: z.array(z.object({ id: z.string(), goal: z.string() })),
});
type NewTask = { software: Software; goal: string; answer: string };
type Begun = z.infer<typeof begunSchema> & { id: string };

/** Makes the tasks of an instance, all or none, and gives their ids in the same order. */
export async function beginInstance(
  store: Store,
  { id, template, seed }: Omit<Begun, 'tasks'>,
  wanted: readonly NewTask[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  return store.transaction(async (trx) => {
    const tasks: Begun['tasks'] = [];
    for (const { software, goal, answer } of wanted) {
      const { id: task } = await ensureTask(trx, { software, goal });
      if (answer !== '') await fillAnswer(trx, task, answer);
      tasks.push({ id: task, goal });
    }
    await writeMeta(trx, `${KEY}${id}`, { template, seed, tasks });
    return tasks.map((one) => one.id);
  });
}

/** Its composition is there. */
export const endInstance = (store: Store, id: string): Promise<void> => dropMeta(store, `${KEY}${id}`);

/** Those whose making was broken off, or goes on now. */
export async function begunInstances(store: Store): Promise<Begun[]> {
  return [...(await listMeta(store, KEY))].map(([id, note]) => ({ id, ...begunSchema.parse(note) }));
}

/**
 * Removes the tasks of instances whose making was broken off, with their files; called by who holds the lock under which they are
 * made. A task that a composition names, that was recorded or worded anew since is somebody's by now, and stays. Gives in words what
 * was done.
 */
export async function takeBackBegun(workspace: Workspace): Promise<string[]> {
  const begun = await begunInstances(workspace.store);
  if (begun.length === 0) return [];
  const compositions = await compositionHeads(workspace);
  const torn = compositions.find(({ why }) => why !== null);
  if (torn) {
    const ids = begun.map(({ id }) => id).join(', ');
    return [
      `${ids} was broken off while it was made; its tasks stay as long as “${torn.id}”, which may name them, cannot be read`,
    ];
  }
  const named = new Set(compositions.flatMap(({ tasks }) => tasks));
  const notes: string[] = [];
  for (const { id, tasks } of begun) {
    const left = tasks.filter((task) => !named.has(task.id));
    const [gone, stayed]: [string[], string[]] = [[], []];
    for (const task of left) {
      const was = await takeBack(workspace, task);
      if (was !== 'gone before') (was === 'gone' ? gone : stayed).push(task.id);
    }
    await endInstance(workspace.store, id);
    if (gone.length > 0)
      notes.push(
        `${id} was broken off while it was made: ${plural(gone.length, 'task')} of it (${gone.join(', ')}) are taken back`,
      );
    for (const task of stayed)
      notes.push(`${task} was made for ${id}, which was broken off; it was recorded or changed since, and stays`);
  }
  return notes;
}

async function takeBack(
  workspace: Workspace,
  { id, goal }: Begun['tasks'][number],
): Promise<'gone' | 'gone before' | 'stays'> {
  const { store } = workspace;
  const there = await findStoredTask(store, id);
  if (!there) return 'gone before';
  if (there.goal !== goal || (await wasRecorded(store, id))) return 'stays';
  for (const file of await listAttachments(store, id)) await detach(workspace, file.id);
  await removeTask(store, id);
  return 'gone';
}
