import { type Store, sqlOf } from './store.ts';

/** When somebody last annotated or reviewed a recording, ISO time in UTC; null where nobody has. */
export async function lastWorkOn(store: Store, recording: string): Promise<string | null> {
  const line = await sqlOf(store)
    .selectFrom('annotation_transactions')
    .innerJoin('documents', 'documents.id', 'annotation_transactions.document_id')
    .where('documents.recording_id', '=', recording)
    .select((eb) => eb.fn.max('annotation_transactions.at').as('at'))
    .executeTakeFirst();
  const event = await sqlOf(store)
    .selectFrom('review_events')
    .where('recording_id', '=', recording)
    .select((eb) => eb.fn.max('at').as('at'))
    .executeTakeFirst();
  const times = [line?.at, event?.at].filter((at) => typeof at === 'string');
  return times.sort().at(-1) ?? null;
}
