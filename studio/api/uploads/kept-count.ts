/** A count that takes seconds, of what changes while it is asked for again and again. */
export type KeptCount<T> = {
  /** Counted anew where the last count is older than `COUNTED_MS`, or `changed` was called since. */
  get(): Promise<T>;
  /** Something large came or went. */
  changed(): void;
};

/** Counting ten thousand recordings takes seconds, and somebody sends a thousand of them one after another. */
const COUNTED_MS = 60_000;

export function keptCount<T>(count: () => Promise<T>, now: () => number = () => performance.now()): KeptCount<T> {
  let last: { at: number; counted: Promise<T> } | null = null;
  return {
    get() {
      if (last && now() - last.at < COUNTED_MS) return last.counted;
      const mine = { at: now(), counted: count() };
      last = mine;
      mine.counted.catch(() => {
        if (last === mine) last = null;
      });
      return mine.counted;
    },
    changed() {
      last = null;
    },
  };
}
