import { LRUCache } from 'lru-cache';
import { project, type Review, startReview } from '../../../core/review/project.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewEvent } from '../../../schemas/review.ts';
import type { RecordingState } from '../../../schemas/task-terms.ts';
import { breathe } from '../../store/breathe.ts';
import { recordingState, setRecordingState } from '../../store/recording-states.ts';
import {
  eventAt,
  insertReviewEvents,
  lastEvent,
  readReviewEvents,
  reviewedRecordings,
} from '../../store/review-events.ts';
import type { Store, StoreTransaction } from '../../store/store.ts';

/** The log of reviews in the database. Whoever appends does it inside one SQL transaction that holds the recording's row. */

/** Reviews kept in memory: one of 200 steps takes about 200 kB. */
const KEPT = 400;

/** Reads what the log makes of recordings, and keeps it while the log stays as it is. */
export function reviewReader() {
  const kept = new LRUCache<string, { last: string; review: Review }>({ max: KEPT });
  const reader = {
    /**
     * Of many recordings, whose states are known, with a pause for others between them. One statement says which of them have a
     * log; the others cost none.
     */
    async loadAll(store: Store, rows: readonly { id: string; state: RecordingState }[]): Promise<Map<string, Review>> {
      const logged = await reviewedRecordings(store);
      const reviews = new Map<string, Review>();
      for (const { id, state } of rows) {
        await breathe();
        reviews.set(id, logged.has(id) ? await reader.load(store, id, state) : startReview(state));
      }
      return reviews;
    },
    /** `state`: the recording's, where it is known already. Throws UNKNOWN_RECORDING. */
    async load(store: Store, recording: string, state?: RecordingState): Promise<Review> {
      const last = await lastEvent(store, recording);
      if (last === null) return startReview(state ?? (await stateOf(store, recording)));
      const known = kept.get(recording);
      if (known?.last === last) return known.review;
      const events = await readReviewEvents(store, recording, known?.review.n ?? 0);
      // The kept state may be of events that were never committed: then the log does not lead on from it, and all is read.
      const goesOn = known !== undefined && (await leadsOn(store, recording, known));
      const review = goesOn ? project(events, known.review) : project(await readReviewEvents(store, recording));
      kept.set(recording, { last, review });
      return review;
    },
  };
  return reader;
}
export type ReviewReader = ReturnType<typeof reviewReader>;

async function leadsOn(store: Store, recording: string, known: { last: string; review: Review }): Promise<boolean> {
  return (await eventAt(store, recording, known.review.n)) === known.last;
}

async function stateOf(store: Store, recording: string): Promise<RecordingState> {
  const state = await recordingState(store, recording);
  if (state !== null) return state;
  throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${recording}".`, { recording });
}

/** An event before the log has given it its place. `to` is given where the rules of the data set decide it. */
type NewEvent = Omit<ReviewEvent, 'n' | 'facts'> & { facts?: Partial<ReviewEvent['facts']> };

/** Appends an event and brings the recording's state along. `review` is what was before it. */
export async function appendEvents(
  trx: StoreTransaction,
  review: Review,
  { facts: given = {}, ...rest }: NewEvent,
): Promise<{ event: ReviewEvent; review: Review }> {
  const facts: ReviewEvent['facts'] = {
    document: null,
    authors: null,
    check: null,
    version: null,
    ...given,
    from: review.state,
    to: given.to ?? null,
  };
  const draft: ReviewEvent = { ...rest, n: review.n + 1, facts };
  const after = project([draft], review);
  const event: ReviewEvent = { ...draft, facts: { ...facts, to: after.state } };
  await insertReviewEvents(trx, [event]);
  if (after.state !== review.state) {
    await setRecordingState(trx, event.recording, after.state);
  }
  return { event, review: after };
}
