import { LRUCache } from 'lru-cache';
import { project, type Review, startReview } from '../../core/review/project.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ReviewAct, ReviewEvent } from '../../schemas/review.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { breathe } from '../store/breathe.ts';
import { type Store, type StoreTransaction, sqlOf } from '../store/store.ts';
import type { ReviewEventsTable } from '../store/tables.ts';

/** The log of reviews in the database. Whoever appends does it inside one SQL transaction that holds the recording's row. */

/** Reviews kept in memory: one of 200 steps takes about 200 kB. */
const KEPT = 400;

export function eventOfRow(row: ReviewEventsTable): ReviewEvent {
  const { id, n, recording_id, person, at } = row;
  // Each was checked by its schema before it was written.
  const act = JSON.parse(row.act) as ReviewAct;
  return { id, n, recording: recording_id, person, at, act, facts: JSON.parse(row.facts) as ReviewEvent['facts'] };
}

/** A recording's events after `n`, in order. */
export async function readReviewEvents(store: Store, recording: string, n = 0): Promise<ReviewEvent[]> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .selectAll()
    .where('recording_id', '=', recording)
    .where('n', '>', n)
    .orderBy('n')
    .execute();
  return rows.map(eventOfRow);
}

/** How many events of a recording's log are by this person, up to the `until`th. */
export async function countEvents(
  store: Store,
  recording: string,
  person: string,
  until = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const { count } = await sqlOf(store)
    .selectFrom('review_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('recording_id', '=', recording)
    .where('person', '=', person)
    .where('n', '<=', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The event of this id, of whatever recording. */
export async function findEvent(store: Store, id: string): Promise<ReviewEvent | null> {
  const row = await sqlOf(store).selectFrom('review_events').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? eventOfRow(row) : null;
}

/** Reads what the log makes of recordings, and keeps it while the log stays as it is. */
export function reviewReader() {
  const kept = new LRUCache<string, { last: string; review: Review }>({ max: KEPT });
  const reader = {
    /**
     * Of many recordings, whose states are known, with a pause for others between them. One statement says which of them have a
     * log; the others cost none.
     */
    async loadAll(store: Store, rows: readonly { id: string; state: RecordingState }[]): Promise<Map<string, Review>> {
      const logs = await sqlOf(store).selectFrom('review_events').select('recording_id').distinct().execute();
      const logged = new Set(logs.map(({ recording_id }) => recording_id));
      const reviews = new Map<string, Review>();
      for (const { id, state } of rows) {
        await breathe();
        reviews.set(id, logged.has(id) ? await reader.load(store, id) : startReview(state));
      }
      return reviews;
    },
    /** Throws UNKNOWN_RECORDING. */
    async load(store: Store, recording: string): Promise<Review> {
      const last = await sqlOf(store)
        .selectFrom('review_events')
        .select('id')
        .where('recording_id', '=', recording)
        .orderBy('n', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!last) return startReview(await stateOf(store, recording));
      const known = kept.get(recording);
      if (known?.last === last.id) return known.review;
      const events = await readReviewEvents(store, recording, known?.review.n ?? 0);
      // The kept state may be of events that were never committed: then the log does not lead on from it, and all is read.
      const goesOn = known !== undefined && (await leadsOn(store, recording, known));
      const review = goesOn ? project(events, known.review) : project(await readReviewEvents(store, recording));
      kept.set(recording, { last: last.id, review });
      return review;
    },
  };
  return reader;
}
export type ReviewReader = ReturnType<typeof reviewReader>;

async function leadsOn(store: Store, recording: string, known: { last: string; review: Review }): Promise<boolean> {
  const row = await sqlOf(store)
    .selectFrom('review_events')
    .select('id')
    .where('recording_id', '=', recording)
    .where('n', '=', known.review.n)
    .executeTakeFirst();
  return row?.id === known.last;
}

async function stateOf(store: Store, recording: string): Promise<RecordingState> {
  const row = await sqlOf(store)
    .selectFrom('recordings')
    .select('state')
    .where('id', '=', recording)
    .executeTakeFirst();
  if (row) return row.state;
  throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${recording}".`, { recording });
}

/** Takes the recording's row for this SQL transaction: a write, so that others wait their turn. */
export async function takeRecording(trx: StoreTransaction, recording: string): Promise<void> {
  await sqlOf(trx)
    .updateTable('recordings')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('id', '=', recording)
    .execute();
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
  const { id, n, recording, person, at, act } = event;
  await sqlOf(trx)
    .insertInto('review_events')
    .values({
      id,
      recording_id: recording,
      n,
      person,
      at,
      type: act.type,
      act: JSON.stringify(act),
      facts: JSON.stringify(event.facts),
    })
    .execute();
  if (after.state !== review.state) {
    await sqlOf(trx).updateTable('recordings').set({ state: after.state }).where('id', '=', recording).execute();
  }
  return { event, review: after };
}
