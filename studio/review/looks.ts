import { LRUCache } from 'lru-cache';
import type { Touches } from '../../core/review/decisions.ts';
import { keysTouched } from '../../core/review/items.ts';
import { type Db, linesSince } from '../documents/log.ts';

/** Documents whose touches are kept in memory: one of 500 gestures takes about 100 kB. */
const KEPT = 100;

type Kept = { version: number; touches: Map<string, { version: number; person: string }[]> };

/** Who touched what of a document when (core/review/items.ts), kept and carried on from the log. */
export function touchReader() {
  const kept = new LRUCache<string, Kept>({ max: KEPT });
  return {
    /** Up to `version`, which the document must have reached. */
    async read(db: Db, document: string, version: number): Promise<Touches> {
      const known = kept.get(document);
      if (known?.version === version) return known.touches;
      // One that was rolled back may have been read: then all is read anew.
      const from: Kept = known && known.version < version ? known : { version: 0, touches: new Map() };
      const touches = new Map(from.touches);
      for (const line of await linesSince(db, document, from.version)) {
        if (line.version > version) break;
        for (const key of keysTouched(line.changes)) {
          touches.set(key, [...(touches.get(key) ?? []), { version: line.version, person: line.person }]);
        }
      }
      kept.set(document, { version, touches });
      return touches;
    },
  };
}
