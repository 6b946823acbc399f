import { applyInPlace, type Records } from '../../core/annotate/document.ts';
import { type Renaming, renameDocument, renameEvent } from '../../core/import/history.ts';
import { project } from '../../core/review/project.ts';
import { NOBODY } from '../../core/review/rules.ts';
import type { AnnotationRecord, Change } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { HistoryEvent, HistoryHead, HistoryTransaction, Traveller } from '../../schemas/history.ts';
import { isRecordingState } from '../../schemas/task-terms.ts';
import {
  type DocumentState,
  documentsOf,
  insertDocument,
  insertRecords,
  insertTouched,
  removeDocuments,
  setDocument,
} from '../store/documents.ts';
import { findPerson, insertPerson, listPeople } from '../store/people.ts';
import { setRecordingState } from '../store/recording-states.ts';
import { findAnyEvent, hasReview, insertReviewEvents, lengthOfReview, removeReview } from '../store/review-events.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import { findAnyLine, insertTransactions } from '../store/transactions.ts';
import { actionsTouched, checkChanges } from './check.ts';
import type { Context } from './contexts.ts';
import { progressOf, writeNames } from './log.ts';

/** A history that was checked as it came in (core/import/history.ts). */
export type ArrivingHistory = {
  head: HistoryHead;
  items: AsyncIterable<{ transaction: HistoryTransaction } | { event: HistoryEvent }>;
};

/** Transactions of one statement. */
const BATCH = 500;

/**
 * Makes a history this workspace's, as if the work had been done here: one SQL transaction, all of it or nothing. People
 * are those of the same id or name here, others are added. Gives the main document as it is then, null when there is none.
 * Throws CONFLICT when the recording has a history of its own here, or a line's id is another recording's; as checkChanges
 * when what is said does not fit the recording's steps.
 */
export async function landHistory(
  store: Store,
  context: Omit<Context, 'document' | 'owner'>,
  { head, items }: ArrivingHistory,
  /** It goes on where the history here ends, which has these lines (those of the review under ''): it takes its place. */
  continues?: ReadonlyMap<string, number>,
): Promise<DocumentState | null> {
  const { id: recording } = context;
  return store.transaction(async (trx) => {
    await (continues ? clearKnown(trx, recording, continues) : clearBegun(trx, recording));
    const rename = await takePeople(trx, head.people);
    let main: DocumentState | null = null;
    let writing: Writing | null = null;
    const events: HistoryEvent[] = [];
    const finish = async (): Promise<void> => {
      const done = await writing?.finish();
      if (done && writing?.id === recording) main = done;
    };
    for await (const item of items) {
      if ('event' in item) {
        events.push(renameEvent(item.event, rename));
        continue;
      }
      const { transaction } = item;
      const id = renameDocument(recording, transaction.document, rename);
      if (writing?.id !== id) {
        await finish();
        const about = head.documents.find((one) => one.id === transaction.document);
        const person = about?.person == null ? null : rename(about.person);
        writing = await writeDocument(trx, context, { id, person, createdAt: about?.createdAt ?? transaction.at });
      }
      await writing.add({ ...transaction, person: rename(transaction.person) });
    }
    await finish();
    await writeEvents(trx, events);
    await setState(trx, recording, head.state, events);
    return main;
  });
}

/**
 * A document that was only begun here (a page looked at it first) makes way. Throws CONFLICT when somebody has done
 * something.
 */
async function clearBegun(trx: StoreTransaction, recording: string): Promise<void> {
  const documents = await documentsOf(trx, recording);
  if ((await hasReview(trx, recording)) || documents.some(({ version }) => version > 1)) {
    throw new StudioError('CONFLICT', `the work on recording ${recording} has a history of its own here, which stays`, {
      recording,
    });
  }
  await removeDocuments(
    trx,
    documents.map(({ id }) => id),
  );
}

/** The lines that were compared make way for the same ones with more behind them. Throws CONFLICT when there are others by now. */
async function clearKnown(trx: StoreTransaction, recording: string, found: ReadonlyMap<string, number>): Promise<void> {
  const documents = await documentsOf(trx, recording);
  const same = documents.every(({ id, version }) => (found.get(id) ?? 0) === version);
  if (!same || (await lengthOfReview(trx, recording)) !== (found.get('') ?? 0)) {
    throw new StudioError('CONFLICT', `somebody worked on recording ${recording} meanwhile: import it again`, {
      recording,
    });
  }
  await removeReview(trx, recording);
  await removeDocuments(
    trx,
    documents.map(({ id }) => id),
  );
}

/** What people are called here, as `takePeople` finds it, without adding anybody. */
export async function renamingOf(store: Store, people: readonly Traveller[]): Promise<Renaming> {
  const here = new Map<string, string>();
  for (const { id, name } of people) {
    const known = (await findPerson(store, id)) ?? (await findPerson(store, name));
    here.set(id, known?.id ?? id);
  }
  return renamingBy(store, here);
}

/** Adds those who are not here. Throws CONFLICT when two of them are one person here. */
export async function takePeople(store: Store, people: readonly Traveller[]): Promise<Renaming> {
  const here = new Map<string, string>();
  for (const { id, name } of people) {
    const known = (await findPerson(store, id)) ?? (await findPerson(store, name));
    if (!known) await insertPerson(store, { id, name, email: null });
    here.set(id, known?.id ?? id);
  }
  if (new Set(here.values()).size < here.size) {
    throw new StudioError('CONFLICT', 'two of the people in it are one person here', {});
  }
  return renamingBy(store, here);
}

async function renamingBy(store: Store, here: ReadonlyMap<string, string>): Promise<Renaming> {
  // Scripts go by names that nobody had there; somebody here may (RV3: a name and its id are one).
  const names = new Map((await listPeople(store)).map(({ id, name }) => [name.toLowerCase(), id]));
  return (person) => here.get(person) ?? (NOBODY.has(person) ? person : (names.get(person.toLowerCase()) ?? person));
}

type Writing = {
  id: string;
  add(transaction: HistoryTransaction): Promise<void>;
  finish(): Promise<DocumentState>;
};

async function writeDocument(
  trx: StoreTransaction,
  { id: recording, opened, entry }: Omit<Context, 'document' | 'owner'>,
  { id, person, createdAt }: { id: string; person: string | null; createdAt: string },
): Promise<Writing> {
  const records = new Map<string, AnnotationRecord>();
  let waiting: HistoryTransaction[] = [];
  let version = 0;
  await insertDocument(trx, { id, recording, person, createdAt });
  const write = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await refuseKnown(trx, waiting);
    await insertTransactions(trx, id, waiting);
    // The beginning speaks of steps, but nobody did it.
    const touched = waiting.flatMap((line) =>
      line.version === 1 ? [] : [...actionsTouched(line.changes)].map((action) => ({ action, version: line.version })),
    );
    await insertTouched(trx, id, touched);
    waiting = [];
  };
  return {
    id,
    async add(transaction) {
      applyInPlace(records, transaction.changes);
      version = transaction.version;
      waiting.push(transaction);
      if (waiting.length >= BATCH) await write();
    },
    async finish() {
      await write();
      const all = [...records.values()];
      const changes = all.map((record): Change => ({ op: 'add', record }));
      checkChanges(opened, records, changes);
      await insertRecords(trx, id, all);
      await writeNames(trx, id, { opened, software: entry.app }, changes, records);
      const { steps, done } = progressOf(opened, records);
      await setDocument(trx, id, { version, steps, done });
      return { version, records: records satisfies Records };
    },
  };
}

async function refuseKnown(trx: StoreTransaction, lines: readonly HistoryTransaction[]): Promise<void> {
  const known = await findAnyLine(
    trx,
    lines.map(({ id }) => id),
  );
  if (known) throw others(known.id, known.document_id);
}

const others = (id: string, recording: string): StudioError =>
  new StudioError('CONFLICT', `its line ${id} is another recording's here (${recording})`, { id, recording });

async function writeEvents(trx: StoreTransaction, events: readonly HistoryEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += BATCH) {
    const some = events.slice(at, at + BATCH);
    const known = await findAnyEvent(
      trx,
      some.map(({ id }) => id),
    );
    if (known) throw others(known.id, known.recording_id);
    await insertReviewEvents(trx, some);
  }
}

/** The log is the state (RV1); before the log it is what it was elsewhere, where nobody here holds a review (RV2). */
async function setState(
  trx: StoreTransaction,
  recording: string,
  said: string,
  events: readonly HistoryEvent[],
): Promise<void> {
  const before = said === 'in-review' ? 'annotated' : said;
  const wanted = events.length > 0 ? project(events).state : before;
  const state = isRecordingState(wanted) ? wanted : null;
  if (state) await setRecordingState(trx, recording, state);
}
