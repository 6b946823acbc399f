import type { StoredTransaction } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import { type Store, type StoreTransaction, sqlOf } from '../store/store.ts';
import type { TransactionState } from '../store/tables.ts';
import { transactionOfRow } from './log.ts';

/**
 * Undo and redo of one person, out of the log (N4). A person's transactions that are not undone are a stack by version,
 * and those that are undone are on top of it: undo takes the highest `done`, redo the lowest `undone`. An undo and a redo
 * are lines of the log like any other, but `fixed`. Something new makes what is `undone` `fixed` for good.
 */

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
  const row = await query(way, store, document, person).selectAll().executeTakeFirst();
  return row ? transactionOfRow(row) : null;
}

/** Its label alone. */
export async function nextLabel(way: Way, store: Store, document: string, person: string): Promise<string | null> {
  return (await query(way, store, document, person).select('label').executeTakeFirst())?.label ?? null;
}

function query(way: Way, store: Store, document: string, person: string) {
  return sqlOf(store)
    .selectFrom('annotation_transactions')
    .where('document_id', '=', document)
    .where('person', '=', person)
    .where('state', '=', NEXT[way].state)
    .orderBy('version', NEXT[way].order)
    .limit(1);
}

export async function setState(
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

/** A conflict of an undo or redo, said with who was there since. */
export async function undoConflict(
  store: Store,
  document: string,
  way: Way,
  target: StoredTransaction,
  error: unknown,
): Promise<unknown> {
  // USAGE: its changes stand by themselves, but no longer fit the rest (two subtasks would begin at one step).
  if (!(error instanceof StudioError) || (error.code !== 'CONFLICT' && error.code !== 'USAGE')) return error;
  const later = await sqlOf(store)
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
  const who = later ? `${later.person} has changed the same since ("${later.label}")` : 'the same was changed since';
  return new StudioError(
    'CONFLICT',
    `"${target.label}" cannot be ${way === 'undo' ? 'undone' : 'redone'}: ${who}. Change it by hand, or ask for that to be undone first.`,
    { ...error.details, transaction: target.id, by: later?.person ?? null },
    { cause: error },
  );
}
