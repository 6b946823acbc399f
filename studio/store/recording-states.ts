import type { RecordingState } from '../../schemas/task-terms.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';

/** How far the work on recordings is, which only the database knows. */

/** `demonstrator`: the id of who demonstrated it; null where nobody was named. */
export type RecordingFacts = { state: RecordingState; demonstrator: string | null };

/** Null for a recording that is not known here. */
export async function recordingFacts(store: Store, recording: string): Promise<RecordingFacts | null> {
  const row = await sqlOf(store)
    .selectFrom('recordings')
    .select(['state', 'person_id as demonstrator'])
    .where('id', '=', recording)
    .executeTakeFirst();
  return row ?? null;
}

/** Null for a recording that is not known here. */
export const recordingState = async (store: Store, recording: string): Promise<RecordingState | null> =>
  (await recordingFacts(store, recording))?.state ?? null;

/** The recordings that are there, of one software or of all, by their ids in order. */
export function listStates(store: Store, software: string | undefined) {
  let query = sqlOf(store)
    .selectFrom('recordings')
    .select(['id', 'task_id', 'software_id', 'state'])
    .where('present', '=', 1);
  if (software !== undefined) query = query.where('software_id', '=', software);
  return query.orderBy('id').execute();
}

/**
 * Takes the recording's row for this transaction: a write, so that others wait their turn. Gives what it says of the work; null
 * for a recording that is not known here.
 */
export async function takeRecording(trx: StoreTransaction, recording: string): Promise<RecordingFacts | null> {
  const row = await sqlOf(trx)
    .updateTable('recordings')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('id', '=', recording)
    .returning(['state', 'person_id as demonstrator'])
    .executeTakeFirst();
  return row ?? null;
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
