import { LRUCache } from 'lru-cache';
import type { Touches } from '../../../core/review/decisions.ts';
import { keysTouched } from '../../../core/review/items.ts';
import type { Store } from '../../store/store.ts';
import { findLine, linesSince } from '../../store/transactions.ts';

/** Documents whose touches are kept in memory: one of 500 gestures takes about 100 kB. */
const KEPT = 100;

/** `last`: the transaction of that version; null before the first. */
type Kept = { version: number; last: string | null; touches: Map<string, { version: number; person: string }[]> };
const NOTHING: Kept = { version: 0, last: null, touches: new Map() };

/** Who touched what of a document when (core/review/items.ts), kept and carried on from the log. */
export function touchReader() {
  const kept = new LRUCache<string, Kept>({ max: KEPT });
  return {
    /** Up to `version`, which the document must have reached. */
    async read(store: Store, document: string, version: number): Promise<Touches> {
      const known = kept.get(document);
      // It may be of a transaction that was rolled back, and the version another's now: then all is read anew.
      const isThere = known !== undefined && known.version <= version && (await leadsOn(store, document, known));
      const from = isThere ? known : NOTHING;
      if (from.version === version) return from.touches;
      let { last } = from;
      const touches = new Map(from.touches);
      for (const line of await linesSince(store, document, from.version)) {
        if (line.version > version) break;
        last = line.id;
        for (const key of keysTouched(line.changes)) {
          touches.set(key, [...(touches.get(key) ?? []), { version: line.version, person: line.person }]);
        }
      }
      kept.set(document, { version, last, touches });
      return touches;
    },
  };
}

async function leadsOn(store: Store, document: string, { version, last }: Kept): Promise<boolean> {
  if (last === null) return version === 0;
  const stored = await findLine(store, last);
  return stored?.document === document && stored.stored.version === version;
}
