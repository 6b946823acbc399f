import { type Records, toRecords } from '../../core/annotate/document.ts';
import type { AnnotationRecord } from '../../schemas/annotation.ts';
import { breathe } from './breathe.ts';
import { type Store, type StoreTransaction, sqlOf } from './store.ts';
import type { Tables } from './tables.ts';

/** Documents as they are now: their versions and progress, their records, and the names that labels give. */

/** A document as it is at `version`. */
export type DocumentState = { version: number; records: Records };

/**
 * Rows of one statement: few enough that others are let in between two of them, also while one gesture confirms every step of
 * two hours. The transaction keeps its turn of the database meanwhile.
 */
const ROWS = 200;

/** The version of a document, 0 when it was not begun. */
export async function readDocumentVersion(store: Store, document: string): Promise<number> {
  const row = await sqlOf(store)
    .selectFrom('documents')
    .select('version')
    .where('id', '=', document)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The versions of these documents; one that was not begun is missing. */
export async function documentVersions(store: Store, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await sqlOf(store).selectFrom('documents').select(['id', 'version']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** A document's records; null when it was not begun. `at`: its version, where that is known already. */
export async function readDocumentLog(store: Store, document: string, at?: number): Promise<DocumentState | null> {
  const version = at ?? (await readDocumentVersion(store, document));
  if (version === 0) return null;
  const rows = await sqlOf(store)
    .selectFrom('annotation_records')
    .select('value')
    .where('document_id', '=', document)
    // As SQLite reads them anyway: what is exported has the same order from every database.
    .orderBy('id')
    .execute();
  // Each was checked by its schema before it was written.
  return { version, records: toRecords(rows.map(({ value }) => JSON.parse(value) as AnnotationRecord)) };
}

/** Documents with what they are of, these or (null) all. */
export function listDocuments(store: Store, ids: readonly string[] | null = null) {
  let query = sqlOf(store)
    .selectFrom('documents')
    .select(['id', 'recording_id', 'version', 'steps', 'done', 'created_at']);
  if (ids !== null) query = query.where('id', 'in', ids);
  return query.execute();
}

/** The documents of one recording, by their ids in order. */
export const documentsOf = (store: Store, recording: string) =>
  sqlOf(store).selectFrom('documents').selectAll().where('recording_id', '=', recording).orderBy('id').execute();

/** Recordings that somebody has a document of their own of. */
export async function recordingsWithOwn(store: Store): Promise<Set<string>> {
  const rows = await sqlOf(store)
    .selectFrom('documents')
    .select('recording_id')
    .where('person', 'is not', null)
    .execute();
  return new Set(rows.map(({ recording_id }) => recording_id));
}

/**
 * Takes the document's row for this transaction, and makes it when it is not there; gives its version, 0 when it was not begun.
 * A write, so that it waits its turn.
 */
export async function takeDocument(
  trx: StoreTransaction,
  { document, recording, person }: { document: string; recording: string; person: string | null },
): Promise<number> {
  const facts = { recording_id: recording, person, version: 0, steps: 0, done: 0 };
  const { version } = await sqlOf(trx)
    .insertInto('documents')
    .values({ id: document, ...facts, created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ recording_id: recording }))
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Adds a document that came from elsewhere. */
export async function insertDocument(
  trx: StoreTransaction,
  { id, recording, person, createdAt }: { id: string; recording: string; person: string | null; createdAt: string },
): Promise<void> {
  await sqlOf(trx)
    .insertInto('documents')
    .values({ id, recording_id: recording, person, version: 0, steps: 0, done: 0, created_at: createdAt })
    .execute();
}

export async function setDocument(
  trx: StoreTransaction,
  document: string,
  now: { version: number; steps: number; done: number },
): Promise<void> {
  await sqlOf(trx).updateTable('documents').set(now).where('id', '=', document).execute();
}

/** Removes documents with their logs. */
export async function removeDocuments(trx: StoreTransaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (const table of [
      'annotation_touched',
      'annotation_records',
      'annotation_names',
      'annotation_transactions',
    ] as const) {
      await sqlOf(trx).deleteFrom(table).where('document_id', '=', id).execute();
    }
    await sqlOf(trx).deleteFrom('documents').where('id', '=', id).execute();
  }
}

export async function insertRecords(
  trx: StoreTransaction,
  document: string,
  records: readonly AnnotationRecord[],
): Promise<void> {
  await insertAll(trx, 'annotation_records', recordRows(document, records));
}

const recordRows = (document: string, records: readonly AnnotationRecord[]) =>
  records.map((record) => {
    const action = 'action' in record ? record.action : null;
    return { document_id: document, id: record.id, kind: record.kind, action, value: JSON.stringify(record) };
  });

/** Brings the records of these ids to what they are `after`; those that are not there any more go. */
export async function replaceRecords(
  trx: StoreTransaction,
  document: string,
  ids: readonly string[],
  after: Records,
): Promise<void> {
  const gone = ids.filter((id) => !after.has(id));
  for (const part of piecesOf(gone)) {
    await breathe();
    await sqlOf(trx)
      .deleteFrom('annotation_records')
      .where('document_id', '=', document)
      .where('id', 'in', part)
      .execute();
  }
  const there = ids.flatMap((id) => after.get(id) ?? []);
  for (const part of piecesOf(recordRows(document, there))) {
    await breathe();
    await sqlOf(trx)
      .insertInto('annotation_records')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['document_id', 'id']).doUpdateSet((eb) => ({
          kind: eb.ref('excluded.kind'),
          action: eb.ref('excluded.action'),
          value: eb.ref('excluded.value'),
        })),
      )
      .execute();
  }
}

type NameRow = Omit<Tables['annotation_names'], 'document_id'>;

/** The names that these actions are given now, in the place of those that they were given. */
export async function replaceNames(
  trx: StoreTransaction,
  document: string,
  actions: readonly string[],
  names: readonly NameRow[],
): Promise<void> {
  for (const part of piecesOf(actions)) {
    await breathe();
    await sqlOf(trx)
      .deleteFrom('annotation_names')
      .where('document_id', '=', document)
      .where('action', 'in', part)
      .execute();
  }
  await insertAll(
    trx,
    'annotation_names',
    names.map((name) => ({ document_id: document, ...name })),
  );
}

/** Notes which actions transactions speak of. */
export async function insertTouched(
  trx: StoreTransaction,
  document: string,
  touched: readonly { action: string; version: number }[],
): Promise<void> {
  await insertAll(
    trx,
    'annotation_touched',
    touched.map((one) => ({ document_id: document, ...one })),
  );
}

async function insertAll<T extends 'annotation_records' | 'annotation_names' | 'annotation_touched'>(
  trx: StoreTransaction,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  for (const part of piecesOf(rows)) {
    await breathe();
    // None of these tables has a generated column, so a row is what is inserted; kysely's type of it cannot tell for T.
    await sqlOf(trx)
      .insertInto(table)
      .values(part as never)
      .execute();
  }
}

const piecesOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS));
