import { expressionBuilder, PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { ReviewAct, ReviewEvent } from '../../schemas/review.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';
import type { ReviewEventsTable, Tables } from './tables.ts';

/** The log of reviews. Who appends does it inside a transaction that has taken the recording (recording-states.ts). */

function eventOfRow(row: ReviewEventsTable): ReviewEvent {
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

/** A recording's events of one kind, in order. */
export async function eventsOfKind(store: Store, recording: string, kind: ReviewAct['type']): Promise<ReviewEvent[]> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .selectAll()
    .where('recording_id', '=', recording)
    .where('type', '=', kind)
    .orderBy('n')
    .execute();
  return rows.map(eventOfRow);
}

/** The events of these kinds of all recordings, each recording's in order. They are read one by one, so that others are let in. */
export async function eventsOfKinds(
  store: Store,
  kinds: readonly ReviewAct['type'][],
): Promise<{ recording: string; text: string; read(): ReviewEvent }[]> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .selectAll()
    .where('type', 'in', kinds)
    .orderBy('recording_id')
    .orderBy('n')
    .execute();
  return rows.map((row) => ({ recording: row.recording_id, text: row.act, read: () => eventOfRow(row) }));
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

/** How long a recording's log is. */
export async function lengthOfReview(store: Store, recording: string): Promise<number> {
  const { count } = await sqlOf(store)
    .selectFrom('review_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('recording_id', '=', recording)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many events of a kind each recording's log holds; those without any are missing. */
export async function countByRecording(store: Store, kind: ReviewAct['type']): Promise<Map<string, number>> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select((eb) => ['recording_id', eb.fn.countAll<number>().as('count')])
    .where('type', '=', kind)
    .groupBy('recording_id')
    .execute();
  return new Map(rows.map(({ recording_id, count }) => [recording_id, Number(count)]));
}

/** How many hidden checks and pieces of work somebody has begun. */
export async function countBegun(store: Store, person: string): Promise<number> {
  const { begun } = await sqlOf(store)
    .selectFrom('review_events')
    .select((eb) => eb.fn.countAll<number>().as('begun'))
    .where('person', '=', person)
    .where('type', '=', 'begin')
    .executeTakeFirstOrThrow();
  return Number(begun);
}

/** Approved recordings that this person has had nothing to do with: one of them may be a hidden check of theirs. */
export async function unseenApproved(store: Store, person: string): Promise<string[]> {
  // What they planned or assigned of it while it was their check leaves it one: or it would turn into what it is.
  const acted = sqlOf(store)
    .selectFrom('review_events')
    .select('recording_id')
    .where('person', '=', person)
    .where((eb) => eb.or([eb('type', 'not in', ['plan', 'assign']), eb('facts', 'not like', '%"check":true%')]));
  const rows = await sqlOf(store)
    .selectFrom('recordings')
    .innerJoin('documents', 'documents.id', 'recordings.id')
    .select('recordings.id')
    .where('state', '=', 'approved')
    .where('present', '=', 1)
    .where((eb) => eb.or([eb('person_id', 'is', null), eb('person_id', '!=', person)]))
    .where('recordings.id', 'not in', acted)
    // Of each recording by the index of its documents' lines: what everybody ever wrote is a hundred times as much.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('documents as own')
            .innerJoin('annotation_transactions as line', 'line.document_id', 'own.id')
            .select('line.version')
            .whereRef('own.recording_id', '=', 'recordings.id')
            .where('line.person', '=', person),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Recordings that this person began as a hidden check. */
export async function begunAsChecks(store: Store, person: string): Promise<string[]> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .innerJoin('recordings', 'recordings.id', 'review_events.recording_id')
    .select('recordings.id')
    .where('review_events.person', '=', person)
    .where('type', '=', 'begin')
    // The form in which `insertReviewEvents` writes it.
    .where('facts', 'like', '%"check":true%')
    .where('recordings.present', '=', 1)
    .execute();
  return rows.map(({ id }) => id);
}

const recordingsAtHand = (store: Store) =>
  sqlOf(store)
    .selectFrom('recordings')
    .where('present', '=', 1)
    .where('phase', '=', 'closed')
    // A damaged one cannot be exported, so it is no work for anybody.
    .where('verdict', 'in', ['complete', 'recovered']);

const workRows = (store: Store) =>
  recordingsAtHand(store).select(['id', 'task_id', 'software_id', 'goal', 'person_id', 'started_at', 'state']);

/** Somebody, and the recording that may be a hidden check of theirs. */
type WorkOf = { person: string; check: string | null };

/** Recordings that may be work for somebody: not approved, or `check`, or their own. */
function mayBeWork(store: Store, { person, check }: WorkOf) {
  const eb = expressionBuilder<Tables, 'recordings'>();
  const own = sqlOf(store).selectFrom('documents').select('recording_id').where('person', '=', person);
  return eb.or([eb('state', '!=', 'approved'), eb('recordings.id', '=', check ?? ''), eb('recordings.id', 'in', own)]);
}

export const workFor = (store: Store, of: WorkOf) => workRows(store).where(mayBeWork(store, of)).execute();

/** Of the documents of these recordings each recording's main one and this person's. */
export const documentsForWork = (store: Store, of: WorkOf) =>
  recordingsAtHand(store)
    .innerJoin('documents', 'documents.recording_id', 'recordings.id')
    .select(['documents.id', 'recording_id', 'version', 'steps', 'done', 'documents.created_at'])
    .where(mayBeWork(store, of))
    .where((eb) => eb.or([eb('documents.person', 'is', null), eb('documents.person', '=', of.person)]))
    .execute();

/** The same facts of these recordings. */
export const workOn = (store: Store, recordings: readonly string[]) =>
  workRows(store).where('id', 'in', recordings).execute();

/** Of these recordings those with a comment that may name somebody. */
export async function withMentions(store: Store, recordings: readonly string[]): Promise<Set<string>> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select('recording_id')
    .distinct()
    .where('recording_id', 'in', recordings)
    .where('type', 'in', ['comment', 'decide'])
    // In the form in which `insertReviewEvents` writes them.
    .where('act', 'like', '%@%')
    .execute();
  return new Set(rows.map(({ recording_id }) => recording_id));
}

/** The event of this id, of whatever recording. */
export async function findEvent(store: Store, id: string): Promise<ReviewEvent | null> {
  const row = await sqlOf(store).selectFrom('review_events').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? eventOfRow(row) : null;
}

/** One of these events that is stored here, of whatever recording. */
export const findAnyEvent = (store: Store, ids: readonly string[]) =>
  sqlOf(store).selectFrom('review_events').select(['id', 'recording_id']).where('id', 'in', ids).executeTakeFirst();

/** How many of these events are stored here as a recording's. */
export async function countEventsOf(store: Store, recording: string, ids: readonly string[]): Promise<number> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .select('id')
    .where('recording_id', '=', recording)
    .where('id', 'in', ids)
    .execute();
  return rows.length;
}

/** The id of the last event of each log, by its recording. */
export async function lastEvents(store: Store): Promise<Map<string, string>> {
  const rows = await (sqlOf(store).getExecutor().adapter instanceof PostgresAdapter
    ? fromLogToLog(store)
    : besideRecordings(store)
  ).execute();
  return new Map(rows.flatMap(({ recording_id, last }) => (last === null ? [] : [[recording_id, last] as const])));
}

/** SQLite: a look into the index for each recording, which takes it a microsecond or two. */
const besideRecordings = (store: Store) =>
  sqlOf(store)
    .selectFrom('recordings')
    .select((eb) => [
      'recordings.id as recording_id',
      eb
        .selectFrom('review_events')
        .select('review_events.id')
        .whereRef('review_events.recording_id', '=', 'recordings.id')
        .orderBy('review_events.n', 'desc')
        .limit(1)
        .as('last'),
    ]);

/** PostgreSQL: such a look takes it five to ten, so it goes along the index from one log's end to the next one's. */
const fromLogToLog = (store: Store) =>
  sqlOf(store)
    .withRecursive('logs', (db) =>
      db
        .selectFrom(endOf(db.selectFrom('review_events')).as('first'))
        .select(['first.recording_id', 'first.last'])
        .unionAll(
          db
            .selectFrom('logs')
            .innerJoinLateral(
              (eb) =>
                endOf(
                  eb.selectFrom('review_events').whereRef('review_events.recording_id', '<', 'logs.recording_id'),
                ).as('before'),
              (join) => join.onTrue(),
            )
            .select(['before.recording_id', 'before.last']),
        ),
    )
    .selectFrom('logs')
    .select(['recording_id', 'last']);

/** The end of the last log of these events, by the order of the index. */
const endOf = <DB extends Pick<Tables, 'review_events'>>(events: SelectQueryBuilder<DB, 'review_events', object>) =>
  events.select(['recording_id', 'id as last']).orderBy('recording_id', 'desc').orderBy('n', 'desc').limit(1);

/** The logs of these recordings, each in order. */
export async function readLogs(store: Store, recordings: readonly string[]): Promise<Map<string, ReviewEvent[]>> {
  const rows = await sqlOf(store)
    .selectFrom('review_events')
    .selectAll()
    .where('recording_id', 'in', recordings)
    .orderBy('recording_id')
    .orderBy('n')
    .execute();
  return Map.groupBy(rows.map(eventOfRow), ({ recording }) => recording);
}

export async function hasReview(store: Store, recording: string): Promise<boolean> {
  const event = await sqlOf(store)
    .selectFrom('review_events')
    .select('id')
    .where('recording_id', '=', recording)
    .executeTakeFirst();
  return event !== undefined;
}

/** The id of a recording's last event; null when it has none. */
export async function lastEvent(store: Store, recording: string): Promise<string | null> {
  const last = await sqlOf(store)
    .selectFrom('review_events')
    .select('id')
    .where('recording_id', '=', recording)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.id ?? null;
}

/** The id of a recording's `n`th event; null when there is none. */
export async function eventAt(store: Store, recording: string, n: number): Promise<string | null> {
  const row = await sqlOf(store)
    .selectFrom('review_events')
    .select('id')
    .where('recording_id', '=', recording)
    .where('n', '=', n)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertReviewEvents(trx: StoreTransaction, events: readonly ReviewEvent[]): Promise<void> {
  const rows = events.map(({ id, n, recording, person, at, act, facts }) => ({
    id,
    recording_id: recording,
    n,
    person,
    at,
    type: act.type,
    act: JSON.stringify(act),
    facts: JSON.stringify(facts),
  }));
  await sqlOf(trx).insertInto('review_events').values(rows).execute();
}

export async function removeReview(trx: StoreTransaction, recording: string): Promise<void> {
  await sqlOf(trx).deleteFrom('review_events').where('recording_id', '=', recording).execute();
}
