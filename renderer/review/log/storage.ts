import { z } from 'zod';
import { reviewActSchema } from '../../../schemas/review.ts';

/** An act that waits to be sent. `ready`: its document version is known; until then it waits for the annotation's gestures. */
const itemSchema = z.object({
  id: z.uuid(),
  act: reviewActSchema,
  at: z.iso.datetime(),
  ready: z.boolean(),
});
export type QueuedAct = z.infer<typeof itemSchema>;

/** What waits, kept over a reload of the page, for each tab, recording and person apart (see annotate/document/storage.ts). */
export type ActStorage = {
  load(): QueuedAct[];
  /** False when the browser had no room. */
  save(queue: readonly QueuedAct[]): boolean;
};

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function actStorage(store: Store, ws: string, recording: string, person: string): ActStorage {
  const key = `review:queue:${ws}:${recording}:${person}`;
  return {
    load() {
      try {
        const kept = store.getItem(key);
        return kept === null ? [] : z.array(itemSchema).parse(JSON.parse(kept));
      } catch {
        return [];
      }
    },
    save(queue) {
      try {
        if (queue.length === 0) store.removeItem(key);
        else store.setItem(key, JSON.stringify(queue));
        return true;
      } catch {
        return false;
      }
    },
  };
}
