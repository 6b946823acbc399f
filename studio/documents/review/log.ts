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
  lastEvents,
  readLogs,
  readReviewEvents,
  withMentions,
} from '../../store/review-events.ts';
import type { Store, StoreTransaction } from '../../store/store.ts';

/** The log of reviews in the database. Whoever appends does it inside one SQL transaction that holds the recording's row. */

/** Reviews kept in memory: so many events in all, of which 400 take about 200 kB; a review counts as some of them at least. */
const KEPT_EVENTS = 160_000;
const LEAST_EVENTS = 8;
/** Recordings of one statement: some milliseconds' work, between which the studio answers others. */
const TOGETHER = 100;

/** Reads what the log makes of recordings, and keeps it while the log stays as it is. */
export function reviewReader() {
  const kept = new LRUCache<string, { last: string; review: Review }>({
    maxSize: KEPT_EVENTS,
    sizeCalculation: ({ review }) => Math.min(Math.max(review.n, LEAST_EVENTS), KEPT_EVENTS),
  });
  /** Whether a recording's log up to an event names somebody. */
  const mentions = new Map<string, { last: string; names: boolean }>();
  const reader = {
    /**
     * Of many recordings, whose states are known, with a pause for others between them. `last`: the last event of each log
     * (lastEvents). Only logs that have grown are read, a hundred in one statement.
     */
    async loadAll(
      store: Store,
      rows: readonly { id: string; state: RecordingState }[],
      last?: ReadonlyMap<string, string>,
    ): Promise<Map<string, Review>> {
      const ends = last ?? (await lastEvents(store));
      const reviews = new Map<string, Review>();
      const unread: (typeof rows)[number][] = [];
      for (const row of rows) {
        await breathe();
        const end = ends.get(row.id);
        const known = kept.get(row.id);
        if (end !== undefined && known?.last !== end) unread.push(row);
        else reviews.set(row.id, known && end !== undefined ? known.review : startReview(row.state));
      }
      for (let at = 0; at < unread.length; at += TOGETHER) {
        const some = unread.slice(at, at + TOGETHER);
        const logs = await readLogs(
          store,
          some.map(({ id }) => id),
        );
        for (const { id, state } of some) {
          await breathe();
          const events = logs.get(id) ?? [];
          const review = events.length > 0 ? project(events) : startReview(state);
          if (events.length > 0) kept.set(id, { last: events.at(-1)!.id, review });
          reviews.set(id, review);
        }
      }
      return reviews;
    },
    /** Of these recordings those with a comment that may name somebody. Each log is read once, and again when it has grown. */
    async naming(store: Store, last: ReadonlyMap<string, string>, recordings: readonly string[]): Promise<string[]> {
      const unread = recordings.filter((id) => mentions.get(id)?.last !== last.get(id));
      for (let at = 0; at < unread.length; at += TOGETHER) {
        await breathe();
        const some = unread.slice(at, at + TOGETHER);
        const found = await withMentions(store, some);
        for (const id of some) mentions.set(id, { last: last.get(id) ?? '', names: found.has(id) });
      }
      return recordings.filter((id) => mentions.get(id)?.names);
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
