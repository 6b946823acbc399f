import type { Change, StoredTransaction } from '../../schemas/annotation.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';
import type { AnnotationTransactionsTable, TransactionState } from './tables.ts';

/** The log of documents. Who writes does it inside a transaction of the store. */

/** A new line of the log, with what it does to the state. */
export type LogLine = Omit<StoredTransaction, 'version'> & { state: TransactionState };

function transactionOfRow(row: AnnotationTransactionsTable): StoredTransaction {
  const { version, id, person, at, label, undoes, redoes } = row;
  return { version, id, person, at, label, undoes, redoes, changes: JSON.parse(row.changes) as Change[] }; // Checked before it was written.
}

export async function insertTransactions(
  trx: StoreTransaction,
  document: string,
  lines: readonly (LogLine & { version: number })[],
): Promise<void> {
  const rows = lines.map(({ id, version, person, at, label, undoes, redoes, state, changes }) => {
    const row = { id, version, person, at, label, undoes, redoes, state };
    return { ...row, document_id: document, changes: JSON.stringify(changes) };
  });
  await sqlOf(trx).insertInto('annotation_transactions').values(rows).execute();
}

/** The stored transaction of this id, of whatever document. */
export async function findLine(
  store: Store,
  id: string,
): Promise<{ document: string; stored: StoredTransaction } | null> {
  const row = await sqlOf(store)
    .selectFrom('annotation_transactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { document: row.document_id, stored: transactionOfRow(row) } : null;
}

/** One of these transactions that is stored here, of whatever document. */
export const findAnyLine = (store: Store, ids: readonly string[]) =>
  sqlOf(store)
    .selectFrom('annotation_transactions')
    .select(['id', 'document_id'])
    .where('id', 'in', ids)
    .executeTakeFirst();

/** How many of these transactions are stored here as a recording's. */
export async function countLinesOf(store: Store, recording: string, ids: readonly string[]): Promise<number> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_transactions')
    .innerJoin('documents', 'documents.id', 'annotation_transactions.document_id')
    .select('annotation_transactions.id')
    .where('documents.recording_id', '=', recording)
    .where('annotation_transactions.id', 'in', ids)
    .execute();
  return rows.length;
}

/** Every transaction after `version`, in order. */
export async function linesSince(store: Store, document: string, version: number): Promise<StoredTransaction[]> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_transactions')
    .selectAll()
    .where('document_id', '=', document)
    .where('version', '>', version)
    .orderBy('version')
    .execute();
  return rows.map(transactionOfRow);
}

/** The whole log of a document with the state of each line. */
export async function wholeLog(
  store: Store,
  document: string,
): Promise<(StoredTransaction & { state: TransactionState })[]> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_transactions')
    .selectAll()
    .where('document_id', '=', document)
    .orderBy('version')
    .execute();
  return rows.map((row) => ({ ...transactionOfRow(row), state: row.state }));
}

/** The logs of all documents of a recording, one after another. */
export async function logsOf(
  store: Store,
  recording: string,
): Promise<{ document: string; stored: StoredTransaction }[]> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_transactions as line')
    .innerJoin('documents', 'documents.id', 'line.document_id')
    .selectAll('line')
    .where('documents.recording_id', '=', recording)
    .orderBy('line.document_id')
    .orderBy('line.version')
    .execute();
  return rows.map((row) => ({ document: row.document_id, stored: transactionOfRow(row) }));
}

/** The newest first; of one action when named. */
export async function readHistory(
  store: Store,
  document: string,
  { action, limit }: { action?: string | undefined; limit: number },
): Promise<StoredTransaction[]> {
  let query = sqlOf(store)
    .selectFrom('annotation_transactions as line')
    .selectAll('line')
    .where('line.document_id', '=', document)
    .orderBy('line.version', 'desc')
    .limit(limit);
  if (action !== undefined) {
    query = query
      .innerJoin('annotation_touched as touched', (join) =>
        join.onRef('touched.document_id', '=', 'line.document_id').onRef('touched.version', '=', 'line.version'),
      )
      .where('touched.action', '=', action);
  }
  return (await query.execute()).map(transactionOfRow);
}

/** Who touched which action when, after a version up to another; what undoes and redoes is left out. */
export const touchesBetween = (store: Store, document: string, after: number, upTo: number) =>
  sqlOf(store)
    .selectFrom('annotation_transactions as line')
    .innerJoin('annotation_touched as touched', (join) =>
      join.onRef('touched.document_id', '=', 'line.document_id').onRef('touched.version', '=', 'line.version'),
    )
    .select(['line.version', 'line.person', 'line.at', 'touched.action'])
    .where('line.document_id', '=', document)
    .where('touched.document_id', '=', document)
    .where('touched.version', '>', after)
    .where('touched.version', '<=', upTo)
    .where('line.undoes', 'is', null)
    .where('line.redoes', 'is', null)
    .orderBy('line.version')
    .execute();

/** Who wrote in these documents after that version, each person of a document once. */
export const writersIn = (store: Store, documents: readonly string[], after: number) =>
  sqlOf(store)
    .selectFrom('annotation_transactions')
    .select(['document_id', 'person'])
    .distinct()
    .where('document_id', 'in', documents)
    .where('version', '>', after)
    .execute();

/** Whether somebody wrote in a document, after its beginning, at a version of none of the spans (`to` null: up to now). */
export async function wroteOutside(
  store: Store,
  document: string,
  person: string,
  spans: readonly { from: number; to: number | null }[],
): Promise<boolean> {
  let query = sqlOf(store)
    .selectFrom('annotation_transactions')
    .select('version')
    .where('document_id', '=', document)
    .where('person', '=', person)
    .where('version', '>', 1);
  for (const { from, to } of spans) {
    query = query.where((eb) => eb.or([eb('version', '<=', from), ...(to === null ? [] : [eb('version', '>', to)])]));
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** The people who changed a document, by their names where they have one here; none of `nobody`. */
export async function namesOfWriters(store: Store, document: string, nobody: readonly string[]): Promise<Set<string>> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_transactions as line')
    .leftJoin('people', 'people.id', 'line.person')
    .select(['line.person', 'people.name'])
    .distinct()
    .where('line.document_id', '=', document)
    .where('line.person', 'not in', nobody)
    .execute();
  return new Set(rows.map(({ person, name }) => name ?? person));
}

/** Which of a person's transactions is next, by state: undo takes the newest done one, redo the oldest undone one. */
const NEXT = { undo: { state: 'done', order: 'desc' }, redo: { state: 'undone', order: 'asc' } } as const;
export type Way = keyof typeof NEXT;

/** The next act of undo or redo; null: there is none. */
export async function nextOf(
  way: Way,
  store: Store,
  document: string,
  person: string,
): Promise<StoredTransaction | null> {
  const row = await nextQuery(way, store, document, person).selectAll().executeTakeFirst();
  return row ? transactionOfRow(row) : null;
}

/** Its label alone. */
export async function nextLabel(way: Way, store: Store, document: string, person: string): Promise<string | null> {
  return (await nextQuery(way, store, document, person).select('label').executeTakeFirst())?.label ?? null;
}

const nextQuery = (way: Way, store: Store, document: string, person: string) =>
  sqlOf(store)
    .selectFrom('annotation_transactions')
    .where('document_id', '=', document)
    .where('person', '=', person)
    .where('state', '=', NEXT[way].state)
    .orderBy('version', NEXT[way].order)
    .limit(1);

export async function setLineState(
  trx: StoreTransaction,
  document: string,
  version: number,
  state: TransactionState,
): Promise<void> {
  await sqlOf(trx)
    .updateTable('annotation_transactions')
    .set({ state })
    .where('document_id', '=', document)
    .where('version', '=', version)
    .execute();
}

/** Something new was done: what this person has undone cannot be redone any more. */
export async function clearRedo(trx: StoreTransaction, document: string, person: string): Promise<void> {
  await sqlOf(trx)
    .updateTable('annotation_transactions')
    .set({ state: 'fixed' })
    .where('document_id', '=', document)
    .where('person', '=', person)
    .where('state', '=', 'undone')
    .execute();
}

/** The newest transaction by somebody else that speaks of what `target` speaks of. */
export const touchedSince = (store: Store, document: string, target: Pick<StoredTransaction, 'version' | 'person'>) =>
  sqlOf(store)
    .selectFrom('annotation_transactions as line')
    .innerJoin('annotation_touched as touched', (join) =>
      join.onRef('touched.document_id', '=', 'line.document_id').onRef('touched.version', '=', 'line.version'),
    )
    .select(['line.person', 'line.label'])
    .where('line.document_id', '=', document)
    .where('line.version', '>', target.version)
    .where('line.person', '!=', target.person)
    .where('touched.action', 'in', (query) =>
      query
        .selectFrom('annotation_touched')
        .select('action')
        .where('document_id', '=', document)
        .where('version', '=', target.version),
    )
    .orderBy('line.version', 'desc')
    .limit(1)
    .executeTakeFirst();
