import { stepsWith } from '../../core/annotate/by-hand.ts';
import { applyChanges, type Records, toRecords } from '../../core/annotate/document.ts';
import { removalId } from '../../core/annotate/ids.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { AnnotationRecord, Change, StoredTransaction } from '../../schemas/annotation.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { breathe } from '../store/breathe.ts';
import type { Progress } from '../store/progress.ts';
import { type Store, type StoreTransaction, sqlOf } from '../store/store.ts';
import type { AnnotationTransactionsTable, Tables, TransactionState } from '../store/tables.ts';
import { actionsTouched } from './check.ts';

/** A document's log and state in the database. Whoever writes does it inside one SQL transaction. */

/**
 * Rows of one statement: few enough that others are let in between two of them, also while one gesture confirms every step of
 * two hours. The transaction keeps its turn of the database meanwhile.
 */
const ROWS = 200;

/** A document as it is at `version`. */
export type DocumentState = { version: number; records: Records };

/** A new line of the log, with what it does to the state. */
export type LogLine = Omit<StoredTransaction, 'version'> & { state: TransactionState };

/** The version of a document, 0 when it was not begun. */
export async function readDocumentVersion(store: Store, document: string): Promise<number> {
  const row = await sqlOf(store)
    .selectFrom('documents')
    .select('version')
    .where('id', '=', document)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** A document's records; null when it was not begun. */
export async function readDocumentLog(store: Store, document: string): Promise<DocumentState | null> {
  const version = await readDocumentVersion(store, document);
  if (version === 0) return null;
  const rows = await sqlOf(store)
    .selectFrom('annotation_records')
    .select('value')
    .where('document_id', '=', document)
    .execute();
  // Each was checked by its schema before it was written.
  return { version, records: toRecords(rows.map(({ value }) => JSON.parse(value) as AnnotationRecord)) };
}

/**
 * Appends a line and brings records, names and progress along. `state` is the document before it.
 * Throws CONFLICT as applyChanges does.
 */
export async function writeLine(
  trx: StoreTransaction,
  document: string,
  place: { opened: ClosedRecording; software: string },
  before: DocumentState,
  line: LogLine,
): Promise<{ stored: StoredTransaction; after: DocumentState }> {
  const { state, ...rest } = line;
  const records = applyChanges(before.records, line.changes);
  const version = before.version + 1;
  await breathe();
  const stored: StoredTransaction = { ...rest, version };
  await sqlOf(trx)
    .insertInto('annotation_transactions')
    .values({ ...rest, document_id: document, version, changes: JSON.stringify(line.changes), state })
    .execute();
  await breathe();
  await writeRecords(trx, document, line.changes, records);
  await breathe();
  const touched = actionsTouched(line.changes);
  // The beginning speaks of steps, but nobody did it.
  if (version > 1)
    await insertAll(
      trx,
      'annotation_touched',
      [...touched].map((action) => ({ document_id: document, action, version })),
    );
  await writeNames(trx, document, place, line.changes, records);
  await breathe();
  const { steps, done } = progressOf(place.opened, records);
  await sqlOf(trx).updateTable('documents').set({ version, steps, done }).where('id', '=', document).execute();
  return { stored, after: { version, records } };
}

async function writeRecords(trx: StoreTransaction, document: string, changes: readonly Change[], after: Records) {
  const ids = new Set(changes.map((change) => (change.op === 'change' ? change.before.id : change.record.id)));
  await deleteAll(trx, 'annotation_records', document, 'id', [...ids]);
  const rows = [...ids].flatMap((id) => {
    const record = after.get(id);
    if (!record) return [];
    const action = 'action' in record ? record.action : null;
    return [{ document_id: document, id, kind: record.kind, action, value: JSON.stringify(record) }];
  });
  await insertAll(trx, 'annotation_records', rows);
}

const NAMES = { element: 'element', start: 'startName', end: 'endName' } as const;

export async function writeNames(
  trx: StoreTransaction,
  document: string,
  { opened, software }: { opened: ClosedRecording; software: string },
  changes: readonly Change[],
  after: Records,
): Promise<void> {
  const index = stepIndex(opened.page.steps);
  const labels = new Set(
    changes
      .map((change) => (change.op === 'change' ? change.after : change.record))
      .filter((record) => record.kind === 'label')
      .map(({ id }) => id),
  );
  if (labels.size === 0) return;
  const actions = [...labels].map((id) => id.slice('label:'.length));
  await deleteAll(trx, 'annotation_names', document, 'action', actions);
  const rows = [...labels].flatMap((id) => {
    const label = after.get(id);
    if (label?.kind !== 'label') return [];
    const place = index.get(label.action) ?? -1;
    return (['element', 'start', 'end'] as const).flatMap((field) => {
      const name = label[NAMES[field]];
      return name ? [{ document_id: document, action: label.action, field, software_id: software, place, name }] : [];
    });
  });
  await insertAll(trx, 'annotation_names', rows);
}

/** Kept steps, and those that are confirmed and not flagged. */
export function progressOf({ page }: ClosedRecording, records: Records): Progress {
  let removed = 0;
  let done = 0;
  const steps = stepsWith(page, records);
  const index = stepIndex(steps);
  for (const record of records.values()) {
    if (record.kind === 'removal' && index.has(record.action)) removed++;
    if (record.kind !== 'label' || !record.confirmed || record.flagged) continue;
    if (index.has(record.action) && !records.has(removalId(record.action))) done++;
  }
  return { steps: steps.length - removed, done };
}

type Row = AnnotationTransactionsTable;

export function transactionOfRow(row: Row): StoredTransaction {
  const { version, id, person, at, label, undoes, redoes } = row;
  return { version, id, person, at, label, undoes, redoes, changes: JSON.parse(row.changes) as Change[] }; // Checked before it was written.
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

export async function insertAll<T extends 'annotation_records' | 'annotation_names' | 'annotation_touched'>(
  trx: StoreTransaction,
  table: T,
  rows: Tables[T][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS) {
    await breathe();
    // None of these tables has a generated column, so a row is what is inserted; kysely's type of it cannot tell for T.
    await sqlOf(trx)
      .insertInto(table)
      .values(rows.slice(at, at + ROWS) as never)
      .execute();
  }
}

async function deleteAll(
  trx: StoreTransaction,
  table: 'annotation_records' | 'annotation_names',
  document: string,
  column: 'id' | 'action',
  values: readonly string[],
): Promise<void> {
  for (let at = 0; at < values.length; at += ROWS) {
    await breathe();
    const part = values.slice(at, at + ROWS);
    if (table === 'annotation_records') {
      await sqlOf(trx).deleteFrom(table).where('document_id', '=', document).where('id', 'in', part).execute();
    } else if (column === 'action') {
      await sqlOf(trx).deleteFrom(table).where('document_id', '=', document).where('action', 'in', part).execute();
    }
  }
}
