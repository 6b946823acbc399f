import type { RecordingState } from '../../schemas/task-terms.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';

/** How far the work on recordings is, which only the database knows. */

/** Null for a recording that is not known here. */
export async function recordingState(store: Store, recording: string): Promise<RecordingState | null> {
  const row = await sqlOf(store)
    .selectFrom('recordings')
    .select('state')
    .where('id', '=', recording)
    .executeTakeFirst();
  return row?.state ?? null;
}

/** Who demonstrated it; null where nobody was named. */
export async function demonstratorOf(store: Store, recording: string): Promise<string | null> {
  const row = await sqlOf(store)
    .selectFrom('recordings')
    .select('person_id')
    .where('id', '=', recording)
    .executeTakeFirst();
  return row?.person_id ?? null;
}

/** The recordings that are there, of one software or of all, by their ids in order. */
export function listStates(store: Store, software: string | undefined) {
  let query = sqlOf(store)
    .selectFrom('recordings')
    .select(['id', 'task_id', 'software_id', 'state'])
    .where('present', '=', 1);
  if (software !== undefined) query = query.where('software_id', '=', software);
  return query.orderBy('id').execute();
}

/** Takes the recording's row for this transaction: a write, so that others wait their turn. */
export async function takeRecording(trx: StoreTransaction, recording: string): Promise<void> {
  await sqlOf(trx)
    .updateTable('recordings')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('id', '=', recording)
    .execute();
}

export async function setRecordingState(
  trx: StoreTransaction,
  recording: string,
  state: RecordingState,
): Promise<void> {
  await sqlOf(trx).updateTable('recordings').set({ state }).where('id', '=', recording).execute();
}

/** The same of one that has no log of its own: such a log makes its state. */
export async function setStateBeforeReview(store: Store, recording: string, state: RecordingState): Promise<void> {
  await sqlOf(store)
    .updateTable('recordings')
    .set({ state })
    .where('id', '=', recording)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('review_events').select('id').where('recording_id', '=', recording))),
    )
    .execute();
}
