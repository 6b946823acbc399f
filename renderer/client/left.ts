/**
 * Words that were typed and not kept by the studio yet, in the browser's storage: they outlive a tab that crashes or is closed, and are
 * the newest of all tabs.
 */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Null where there is nothing, or something else: anything may stand in a browser's storage. */
export function readLeft<T>(key: string, check: (value: unknown) => value is T, store: Store = localStorage): T | null {
  try {
    const kept: unknown = JSON.parse(store.getItem(key) ?? 'null');
    return check(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Null removes it. False when the browser had no room. */
export function writeLeft(key: string, value: unknown, store: Store = localStorage): boolean {
  try {
    if (value === null) store.removeItem(key);
    else store.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
