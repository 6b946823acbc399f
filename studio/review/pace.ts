import type { Db } from '../annotate/log.ts';

/** A longer time between two steps is a pause of the person, ms. */
const PAUSE_MS = 120_000;

/**
 * Median seconds a step by person: from the first gesture on a step to the first one on the next, as gestures of one step
 * follow each other in the log. Imports, undo and gestures on several steps tell nothing of it.
 */
export async function stepSeconds(db: Db, recordings: ReadonlySet<string>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('annotation_transactions as line')
    .innerJoin('annotation_touched as touched', (join) =>
      join.onRef('touched.document_id', '=', 'line.document_id').onRef('touched.version', '=', 'line.version'),
    )
    .innerJoin('documents', 'documents.id', 'line.document_id')
    .select(['line.document_id', 'documents.recording_id', 'line.version', 'line.person', 'line.at', 'touched.action'])
    .where('line.undoes', 'is', null)
    .where('line.redoes', 'is', null)
    .orderBy('line.document_id')
    .orderBy('line.version')
    .execute();
  const times = new Map<string, number[]>();
  const now = new Map<string, { action: string; at: number }>();
  for (const [at, row] of rows.entries()) {
    if (!recordings.has(row.recording_id)) continue;
    const sameGesture = (other: (typeof rows)[number] | undefined): boolean =>
      other?.document_id === row.document_id && other.version === row.version;
    if (sameGesture(rows[at - 1]) || sameGesture(rows[at + 1])) continue;
    const key = `${row.document_id} ${row.person}`;
    const before = now.get(key);
    if (before?.action === row.action) continue;
    const moment = Date.parse(row.at);
    now.set(key, { action: row.action, at: moment });
    const took = before ? moment - before.at : -1;
    if (took < 0 || took > PAUSE_MS) continue;
    const known = times.get(row.person);
    if (known) known.push(took);
    else times.set(row.person, [took]);
  }
  return new Map([...times].map(([person, list]) => [person, median(list) / 1000]));
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
