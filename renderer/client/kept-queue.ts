/**
 * The queue that waits to be sent, kept over a reload of the page. sessionStorage: written before the gesture's own event
 * ends, one for each tab, so two tabs never send each other's.
 */
export type KeptQueue<T> = {
  load(): T[];
  /** False when the browser had no room: the page then warns before it is left. */
  save(queue: readonly T[]): boolean;
};

export type TabStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** `check` gives what was kept as a queue, or throws: anything may stand in a browser's storage. Null: nothing was kept. */
export function keptQueue<T>(store: TabStore, key: string, check: ((kept: unknown) => T[]) | null): KeptQueue<T> {
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
