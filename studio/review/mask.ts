import type { RecordingRow } from '../../schemas/api/models.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import type { Db } from '../documents/log.ts';
import { checkFor, type SituationFrame } from './situation.ts';

/**
 * Lists as one person is to see them. A hidden check passes for a recording that waits to be annotated (RV12): its state,
 * and how much of it is done, are those of such a one wherever recordings are listed or counted.
 */
export type Masked = { state: RecordingState; steps: number; done: number };
/** By recording. */
export type Mask = ReadonlyMap<string, Masked>;

export const NOTHING_MASKED: Mask = new Map();

export const maskedRows = (rows: readonly RecordingRow[], mask: Mask): RecordingRow[] =>
  rows.map((row) => ({ ...row, ...mask.get(row.id) }));

/** Recordings that may be a check of this person's: the one that would be given now, and those that they began as one. */
export async function possibleChecks(db: Db, { policy, person }: SituationFrame): Promise<string[]> {
  const next = await checkFor(db, policy, person);
  const begun = await db
    .selectFrom('review_events')
    .innerJoin('recordings', 'recordings.id', 'review_events.recording_id')
    .select('recordings.id')
    .where('review_events.person', '=', person.id)
    .where('type', '=', 'begin')
    // The form in which `append` writes it (log.ts).
    .where('facts', 'like', '%"check":true%')
    .where('recordings.present', '=', 1)
    .execute();
  return [...new Set([...(next === null ? [] : [next]), ...begun.map(({ id }) => id)])];
}
