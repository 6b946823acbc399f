import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** How far the annotation of a recording is: kept steps, and those of them that are confirmed and not flagged. */
export type Progress = { steps: number; done: number };

/** The progress of the main documents that were begun, of one recording or (null) of all, by the recording's id. */
export async function progressOfMain(db: Kysely<Tables>, recording: string | null): Promise<Map<string, Progress>> {
  let query = db.selectFrom('documents').select(['id', 'steps', 'done']).where('version', '>', 0);
  query = query.where('person', 'is', null);
  if (recording !== null) query = query.where('id', '=', recording);
  return new Map((await query.execute()).map((row) => [row.id, { steps: row.steps, done: row.done }]));
}
