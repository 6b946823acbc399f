import { z } from 'zod';
import { transactionSchema } from '../../../schemas/annotation.ts';
import type { Item } from './pending.ts';

/**
 * Gestures that wait, kept over a reload of the page. sessionStorage: written before the gesture's own event ends, one for
 * each tab, so two tabs never send each other's.
 */
export type QueueStorage = {
  load(): Item[];
  /** False when the browser had no room: the page then warns before it is left. */
  save(queue: readonly Item[]): boolean;
};

const itemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tx'), tx: transactionSchema, acked: z.int().nullable() }),
  z.object({ kind: z.literal('undo'), id: z.string(), since: z.int().nullable() }),
  z.object({ kind: z.literal('redo'), id: z.string(), since: z.int().nullable() }),
]);

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function queueStorage(store: Store, ws: string, recording: string): QueueStorage {
  const key = `annotate:queue:${ws}:${recording}`;
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
