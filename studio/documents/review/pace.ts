import { median } from '../../../core/lists.ts';
import { breathe } from '../../store/breathe.ts';
import { listDocuments } from '../../store/documents.ts';
import type { Store } from '../../store/store.ts';
import { touchesBetween } from '../../store/transactions.ts';

/** A longer time between two steps is a pause of the person, ms. */
const PAUSE_MS = 120_000;
/** Lines of the log that are read in one piece: some milliseconds' work, between which the studio answers others. */
const LINES = 2000;

/** How far one document's log has been read, and what it told. The log only grows, so nothing is read twice. */
type Read = {
  /** The version of the last line that was read. */
  version: number;
  /** The step at which each person is, since when (ms since 1970). */
  at: Map<string, { action: string; since: number }>;
  /** ms from a step to the next, by person. */
  times: Map<string, number[]>;
};

/** By workspace: it goes when its database is closed. */
const known = new WeakMap<object, Map<string, Read>>();

/**
 * Median seconds a step by person: from the first gesture on a step to the first one on the next, as gestures of one step
 * follow each other in the log. Imports, undo and gestures on several steps tell nothing of it.
 */
export async function stepSeconds(store: Store, recordings: ReadonlySet<string>): Promise<Map<string, number>> {
  const reads = known.get(store) ?? new Map<string, Read>();
  known.set(store, reads);
  const documents = await listDocuments(store);
  const times = new Map<string, number[]>();
  for (const { id, recording_id: recording, version } of documents) {
    if (!recordings.has(recording)) continue;
    await breathe();
    let read = reads.get(id);
    // A lower version is another document of this id: one that came back by an import.
    if (!read || read.version > version) {
      read = { version: 0, at: new Map(), times: new Map() };
      reads.set(id, read);
    }
    while (read.version < version) {
      await readOn(store, id, read, Math.min(version, read.version + LINES));
      await breathe();
    }
    for (const [person, list] of read.times) {
      const all = times.get(person);
      if (all) for (const took of list) all.push(took);
      else times.set(person, [...list]);
    }
  }
  const seconds = new Map<string, number>();
  for (const [person, list] of times) {
    await breathe();
    seconds.set(person, median(list) / 1000);
  }
  return seconds;
}

/** Reads a document's lines after `read.version` up to `upTo`. */
async function readOn(store: Store, document: string, read: Read, upTo: number): Promise<void> {
  const rows = await touchesBetween(store, document, read.version, upTo);
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.version === row.version || rows[index + 1]?.version === row.version) continue;
    const before = read.at.get(row.person);
    if (before?.action === row.action) continue;
    const since = Date.parse(row.at);
    read.at.set(row.person, { action: row.action, since });
    const took = before ? since - before.since : -1;
    if (took < 0 || took > PAUSE_MS) continue;
    const list = read.times.get(row.person);
    if (list) list.push(took);
    else read.times.set(row.person, [took]);
  }
  read.version = upTo;
}
