import { type Store, sqlOf } from './store.ts';

/** How far the annotation of a recording is: kept steps, and those of them that are confirmed and not flagged. */
export type Progress = { steps: number; done: number };

/** The progress of the main documents that were begun, of one recording or (null) of all, by the recording's id. */
export async function progressOfMain(store: Store, recording: string | null): Promise<Map<string, Progress>> {
  let query = sqlOf(store).selectFrom('documents').select(['id', 'steps', 'done']).where('version', '>', 0);
  query = query.where('person', 'is', null);
  if (recording !== null) query = query.where('id', '=', recording);
  return new Map((await query.execute()).map((row) => [row.id, { steps: row.steps, done: row.done }]));
}

/** The work on these recordings in lists: their state, and the steps that are done. */
export async function workFigures(store: Store, recordings: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sqlOf(store)
    .selectFrom('recordings')
    .leftJoin('documents', 'documents.recording_id', 'recordings.id')
    .select(['recordings.id', 'recordings.state', 'documents.steps', 'documents.done'])
    .where('recordings.id', 'in', recordings)
    .orderBy('documents.id')
    .execute();
  const figures = new Map<string, string>();
  for (const { id, state, steps, done } of rows) {
    figures.set(id, `${figures.get(id) ?? state} ${done ?? 0}/${steps ?? 0}`);
  }
  return figures;
}
