import { dropMeta, listMeta, readMeta, writeMeta } from './meta.ts';
import type { Store } from './store.ts';

/**
 * The people who are to record a task, and the team's server that a task was taken from. Both are notes beside the task, by its id: a database
 * of an older program has none of them, and needs no migration.
 */

const RECORDERS = 'recorders:';
const FROM_SERVER = 'from-server:';

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The ids of the people who are to record it; empty: anybody may. */
export const recordersOf = async (store: Store, task: string): Promise<string[]> =>
  textsIn(await readMeta(store, RECORDERS + task));

/** The recorders of every task that has some. */
export async function listRecorders(store: Store): Promise<Map<string, string[]>> {
  const all = await listMeta(store, RECORDERS);
  return new Map([...all].map(([task, value]) => [task, textsIn(value)]));
}

export async function setRecorders(store: Store, task: string, people: readonly string[]): Promise<void> {
  const some = [...new Set(people)];
  await (some.length > 0 ? writeMeta(store, RECORDERS + task, some) : dropMeta(store, RECORDERS + task));
}

/** The tasks of this workspace that were taken from a server, with its origin. */
export async function tasksFromServers(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [task, value] of await listMeta(store, FROM_SERVER)) {
    const origin: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'origin') : null;
    if (typeof origin === 'string') found.set(task, origin);
  }
  return found;
}

/** `files`: the ids of the files that the server has of it now. */
export const noteFromServer = (store: Store, task: string, origin: string, files: readonly string[]): Promise<void> =>
  writeMeta(store, FROM_SERVER + task, { origin, files });

/** The ids of the files that the server had of a task when it was taken last. */
export async function filesFromServer(store: Store, task: string): Promise<string[]> {
  const value = await readMeta(store, FROM_SERVER + task);
  return textsIn(typeof value === 'object' && value !== null ? Reflect.get(value, 'files') : null);
}

/** The notes of a task that is removed. */
export async function forgetTaskNotes(store: Store, task: string): Promise<void> {
  for (const kind of [RECORDERS, FROM_SERVER]) await dropMeta(store, kind + task);
}
