import { type Store, type StoreTransaction, sqlOf } from './store.ts';

/** Tags of recordings, splits of tasks, and what searches in the whole data set found last. */

/** Rows of one statement, well below every database's limit of parameters. */
const ROWS = 1000;

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

/** The tags of one recording, sorted. */
export async function tagsOf(store: Store, recording: string): Promise<string[]> {
  const rows = await sqlOf(store)
    .selectFrom('recording_tags')
    .select('tag')
    .where('recording_id', '=', recording)
    .orderBy('tag')
    .execute();
  return rows.map(({ tag }) => tag);
}

/** Adds and removes tags of recordings. */
export async function changeTags(
  trx: StoreTransaction,
  recordings: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  for (const some of piecesOf(recordings)) {
    if (remove.length > 0) {
      await sqlOf(trx)
        .deleteFrom('recording_tags')
        .where('recording_id', 'in', some)
        .where('tag', 'in', remove)
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
}

/** Splits by task. */
export async function readSplits(store: Store): Promise<Map<string, string>> {
  const rows = await sqlOf(store).selectFrom('task_splits').select(['task_id', 'split']).execute();
  return new Map(rows.map(({ task_id: task, split }) => [task, split]));
}

/** Null for a task that is in none. */
export async function splitOfTask(store: Store, task: string): Promise<string | null> {
  const row = await sqlOf(store)
    .selectFrom('task_splits')
    .select('split')
    .where('task_id', '=', task)
    .executeTakeFirst();
  return row?.split ?? null;
}

/** The split of a recording's task. */
export async function splitOfRecording(store: Store, recording: string): Promise<string | null> {
  const row = await sqlOf(store)
    .selectFrom('task_splits')
    .innerJoin('recordings', 'recordings.task_id', 'task_splits.task_id')
    .select('task_splits.split')
    .where('recordings.id', '=', recording)
    .executeTakeFirst();
  return row?.split ?? null;
}

/** Puts tasks into splits; null: into none. */
export async function replaceSplits(
  trx: StoreTransaction,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  const assigned_at = new Date().toISOString();
  for (const some of piecesOf(wanted)) {
    const ids = some.map(({ task }) => task);
    await sqlOf(trx).deleteFrom('task_splits').where('task_id', 'in', ids).execute();
    const rows = some.flatMap(({ task, split }) =>
      split === null ? [] : [{ task_id: task, split, origin, assigned_at }],
    );
    if (rows.length > 0) await sqlOf(trx).insertInto('task_splits').values(rows).execute();
  }
}

/** What a search found last, as JSON; null when it never ran. */
export async function readFinding(store: Store, key: string): Promise<unknown> {
  const row = await sqlOf(store).selectFrom('curation').select('value').where('key', '=', key).executeTakeFirst();
  return row ? JSON.parse(row.value) : null;
}

export async function keepFinding(store: Store, key: string, found: object): Promise<void> {
  const value = JSON.stringify(found);
  await sqlOf(store)
    .insertInto('curation')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Groups that people said are none. */
export type DismissedGroup = { id: string; kind: string; members: Set<string> };

export async function dismissedGroups(store: Store): Promise<DismissedGroup[]> {
  const rows = await sqlOf(store).selectFrom('dismissed_groups').selectAll().execute();
  return rows.map(({ id, kind, members }) => ({ id, kind, members: new Set(JSON.parse(members) as string[]) })); // Written below.
}

export async function addDismissed(
  trx: StoreTransaction,
  { id, kind, members }: { id: string; kind: string; members: readonly string[] },
): Promise<void> {
  await sqlOf(trx)
    .insertInto('dismissed_groups')
    .values({ id, kind, members: JSON.stringify(members) })
    .execute();
}

export async function removeDismissed(trx: StoreTransaction, id: string): Promise<void> {
  await sqlOf(trx).deleteFrom('dismissed_groups').where('id', '=', id).execute();
}

const piecesOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS));
