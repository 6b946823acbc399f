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

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What was kept as gestures. Throws when it is not. */
export type QueueCheck = (kept: unknown) => Item[];

const keyOf = (ws: string, recording: string): string => `annotate:queue:${ws}:${recording}`;

/** The check of what this tab kept, loaded only when there is something: the schemas are a third of the page. */
export async function queueCheck(store: Store, ws: string, recording: string): Promise<QueueCheck | null> {
  return store.getItem(keyOf(ws, recording)) === null ? null : (await import('./check-queue.ts')).checkQueue;
}

/** `check` null: nothing was kept. */
export function queueStorage(store: Store, ws: string, recording: string, check: QueueCheck | null): QueueStorage {
  const key = keyOf(ws, recording);
  return {
    load() {
      try {
        const kept = store.getItem(key);
        return kept === null || check === null ? [] : check(JSON.parse(kept));
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
