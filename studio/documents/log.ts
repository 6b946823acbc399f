import { stepsWith } from '../../core/annotate/by-hand.ts';
import { applyChanges, type Records } from '../../core/annotate/document.ts';
import { removalId } from '../../core/annotate/ids.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { Change, StoredTransaction } from '../../schemas/annotation.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { breathe } from '../store/breathe.ts';
import { type DocumentState, insertTouched, replaceNames, replaceRecords, setDocument } from '../store/documents.ts';
import type { Progress } from '../store/progress.ts';
import type { StoreTransaction } from '../store/store.ts';
import { insertTransactions, type LogLine } from '../store/transactions.ts';
import { actionsTouched } from './check.ts';

/** How a line of a document's log changes what is stored of the document. Who writes does it inside a transaction of the store. */

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
  const { state: _state, ...rest } = line;
  const records = applyChanges(before.records, line.changes);
  const version = before.version + 1;
  await breathe();
  const stored: StoredTransaction = { ...rest, version };
  await insertTransactions(trx, document, [{ ...line, version }]);
  await breathe();
  const ids = new Set(line.changes.map((change) => (change.op === 'change' ? change.before.id : change.record.id)));
  await replaceRecords(trx, document, [...ids], records);
  await breathe();
  const touched = actionsTouched(line.changes);
  // The beginning speaks of steps, but nobody did it.
  if (version > 1)
    await insertTouched(
      trx,
      document,
      [...touched].map((action) => ({ action, version })),
    );
  await writeNames(trx, document, place, line.changes, records);
  await breathe();
  const { steps, done } = progressOf(place.opened, records);
  await setDocument(trx, document, { version, steps, done });
  return { stored, after: { version, records } };
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
  const rows = [...labels].flatMap((id) => {
    const label = after.get(id);
    if (label?.kind !== 'label') return [];
    const place = index.get(label.action) ?? -1;
    return (['element', 'start', 'end'] as const).flatMap((field) => {
      const name = label[NAMES[field]];
      return name ? [{ action: label.action, field, software_id: software, place, name }] : [];
    });
  });
  await replaceNames(trx, document, actions, rows);
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
