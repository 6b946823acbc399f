import type { StoredTransaction } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Store } from '../store/store.ts';
import { touchedSince, type Way } from '../store/transactions.ts';

/**
 * Undo and redo of one person, out of the log (N4). A person's transactions that are not undone are a stack by version,
 * and those that are undone are on top of it: undo takes the highest `done`, redo the lowest `undone`. An undo and a redo
 * are lines of the log like any other, but `fixed`. Something new makes what is `undone` `fixed` for good.
 */

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
  const later = await touchedSince(store, document, target);
  const who = later ? `${later.person} has changed the same since ("${later.label}")` : 'the same was changed since';
  return new StudioError(
    'CONFLICT',
    `"${target.label}" cannot be ${way === 'undo' ? 'undone' : 'redone'}: ${who}. Change it by hand, or ask for that to be undone first.`,
    { ...error.details, transaction: target.id, by: later?.person ?? null },
    { cause: error },
  );
}
