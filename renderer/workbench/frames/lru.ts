/**
 * Keeps what was used last, up to a total weight (bytes). Whatever leaves is handed to `drop` (a bitmap wants close()).
 * The newest stays even when it alone is heavier than the limit.
 */
export type Lru<V> = {
  get(key: number): V | undefined;
  has(key: number): boolean;
  put(key: number, value: V, weight: number): void;
  clear(): void;
  readonly size: number;
  readonly weight: number;
};

export function makeLru<V>(limit: number, drop: (value: V) => void): Lru<V> {
  // A Map keeps the order of insertion: the first key is the one used longest ago.
  const entries = new Map<number, { value: V; weight: number }>();
  let total = 0;

  function remove(key: number): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    total -= entry.weight;
    drop(entry.value);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    has: (key) => entries.has(key),
    put(key, value, weight) {
      remove(key);
      entries.set(key, { value, weight });
      total += weight;
      for (const old of entries.keys()) {
        if (total <= limit || old === key) break;
        remove(old);
      }
    },
    clear() {
      for (const key of [...entries.keys()]) remove(key);
    },
    get size() {
      return entries.size;
    },
    get weight() {
      return total;
    },
  };
}
