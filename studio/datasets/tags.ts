import { splitSchema, tagSchema } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Store, type StoreTransaction, sqlOf } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

/** Tags of recordings and splits of tasks, given while people choose a data set. */

/** Rows of one statement, well below every database's limit of parameters. */
const ROWS = 1000;

/** Adds and removes tags of many recordings, all or none. Throws UNKNOWN_RECORDING, USAGE for a tag that is none. */
export async function tagRecordings(
  workspace: Workspace,
  wanted: { recordings: readonly string[]; add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const add = wanted.add.map((tag) => parsed(tagSchema, tag, 'tag'));
  const recordings = [...new Set(wanted.recordings)];
  const known = new Set((await workspace.indexedRecordings()).map(({ id }) => id));
  const stranger = recordings.find((id) => !known.has(id));
  if (stranger !== undefined) {
    throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${stranger}" in this workspace.`, {
      id: stranger,
    });
  }
  await workspace.store.transaction(async (trx) => {
    for (const some of chunks(recordings)) {
      if (wanted.remove.length > 0) {
        await sqlOf(trx)
          .deleteFrom('recording_tags')
          .where('recording_id', 'in', some)
          .where('tag', 'in', [...wanted.remove])
          .execute();
      }
      for (const tag of add) {
        await sqlOf(trx)
          .insertInto('recording_tags')
          .values(some.map((recording_id) => ({ recording_id, tag })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    }
  });
}

/** Tags by recording, each list sorted. */
export async function readTags(store: Store): Promise<Map<string, string[]>> {
  const rows = await sqlOf(store).selectFrom('recording_tags').selectAll().orderBy('tag').execute();
  const tags = new Map<string, string[]>();
  for (const { recording_id: id, tag } of rows) {
    const list = tags.get(id);
    if (list) list.push(tag);
    else tags.set(id, [tag]);
  }
  return tags;
}

/** Puts tasks into splits (null: into none), all or none. Throws UNKNOWN_TASK, USAGE for a name that is none. */
export async function assignSplits(
  { store }: Pick<Workspace, 'store'>,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  await store.transaction((trx) => writeSplits(trx, wanted, origin));
}

/** The same inside a transaction of the caller's. */
export async function writeSplits(
  trx: StoreTransaction,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  for (const split of new Set(wanted.map(({ split }) => split)))
    if (split !== null) parsed(splitSchema, split, 'split');
  const known = new Set((await sqlOf(trx).selectFrom('tasks').select('id').execute()).map(({ id }) => id));
  const stranger = wanted.find(({ task }) => !known.has(task));
  if (stranger) {
    throw new StudioError(
      'UNKNOWN_TASK',
      `There is no task "${stranger.task}" in this workspace. \`tasks\` lists them.`,
      { task: stranger.task },
    );
  }
  const assigned_at = new Date().toISOString();
  for (const some of chunks(wanted)) {
    const ids = some.map(({ task }) => task);
    await sqlOf(trx).deleteFrom('task_splits').where('task_id', 'in', ids).execute();
    const rows = some.flatMap(({ task, split }) =>
      split === null ? [] : [{ task_id: task, split, origin, assigned_at }],
    );
    if (rows.length > 0) await sqlOf(trx).insertInto('task_splits').values(rows).execute();
  }
}

/** Splits by task. */
export async function readSplits(store: Store): Promise<Map<string, string>> {
  const rows = await sqlOf(store).selectFrom('task_splits').select(['task_id', 'split']).execute();
  return new Map(rows.map(({ task_id: task, split }) => [task, split]));
}

function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / ROWS) }, (_, at) => list.slice(at * ROWS, (at + 1) * ROWS));
}

function parsed(schema: typeof tagSchema | typeof splitSchema, text: string, what: string): string {
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  const why = result.error.issues[0]?.message ?? 'it does not fit';
  throw new StudioError('USAGE', `"${text.slice(0, 80)}" cannot be a ${what}: ${why}.`, { [what]: text.slice(0, 80) });
}
