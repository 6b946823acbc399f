import { breathe } from '../../store/breathe.ts';
import type { Store } from '../../store/store.ts';
import { writersIn } from '../../store/transactions.ts';

/** Documents of one statement: some milliseconds' work, between which the studio answers others. */
const TOGETHER = 20;

/** How far a document's log has been read, and who wrote in it after its beginning. */
type Read = { version: number; createdAt: string; people: Set<string> };
type Version = { id: string; version: number; created_at: string };

/** By workspace: it goes when its database is closed. */
const known = new WeakMap<object, Map<string, Read>>();

/**
 * Who wrote in each of these documents after its beginning, by document id. A log only grows, so each line is read once:
 * afterwards only what was added to the documents that have changed.
 */
export async function writersOf(
  store: Store,
  documents: readonly Version[],
): Promise<ReadonlyMap<string, Set<string>>> {
  const reads = known.get(store) ?? new Map<string, Read>();
  known.set(store, reads);
  const fresh: Version[] = [];
  for (const document of documents) {
    const { id, version, created_at: createdAt } = document;
    const before = reads.get(id);
    // A lower version, or another beginning, is another document of this id: one that came back by an import.
    if (!before || before.version > version || before.createdAt !== createdAt) fresh.push(document);
    else if (before.version < version) {
      await breathe();
      const rows = await writersIn(store, [id], before.version);
      for (const { person } of rows) before.people.add(person);
      before.version = version;
    }
  }
  for (let at = 0; at < fresh.length; at += TOGETHER) {
    await breathe();
    const some = fresh.slice(at, at + TOGETHER);
    const people = new Map(some.map(({ id }) => [id, new Set<string>()]));
    const ids = [...people.keys()];
    for (const { document_id, person } of await writersIn(store, ids, 1)) people.get(document_id)?.add(person);
    for (const { id, version, created_at: createdAt } of some) {
      reads.set(id, { version, createdAt, people: people.get(id) ?? new Set() });
    }
  }
  return new Map(documents.map(({ id }) => [id, reads.get(id)?.people ?? new Set()]));
}
