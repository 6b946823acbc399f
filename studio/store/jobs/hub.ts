/** One writer, many readers that each see every value from the moment they subscribed, and with `recent` from before. */
export type Hub<T> = {
  publish(value: T): void;
  /**
   * Ends when `signal` fires, when the hub closes, or when this reader has fallen `most` values behind. `wants`: which
   * values this reader is given; all of them without it.
   */
  subscribe(signal?: AbortSignal, wants?: (value: T) => boolean): AsyncIterableIterator<T>;
  /** How many read now. */
  readers(): number;
  close(): void;
};

/** A reader that is slower than this many values is cut off: it asks again and starts from the state as it is then. */
const MOST_WAITING = 10_000;

/** Which values a new reader sees first: of those published in the last `ms` the latest of each key. */
export type Recent<T> = { ms: number; keyOf(value: T): string };

export function createHub<T>(most: number = MOST_WAITING, recent?: Recent<T>): Hub<T> {
  type Reader = { push(value: T): void; end(): void };
  const readers = new Set<Reader>();
  const published = new Map<string, { value: T; at: number }>();
  let closed = false;
  const recentValues = (): T[] =>
    [...published.values()].filter(({ at }) => performance.now() - at <= (recent?.ms ?? 0)).map(({ value }) => value);
  return {
    publish(value) {
      if (recent) published.set(recent.keyOf(value), { value, at: performance.now() });
      for (const reader of [...readers]) reader.push(value);
    },
    readers: () => readers.size,
    close() {
      closed = true;
      for (const reader of [...readers]) reader.end();
    },
    subscribe(signal, wants = () => true) {
      const waiting: T[] = recentValues().filter(wants);
      let ended = closed || (signal?.aborted ?? false);
      let wake: (() => void) | null = null;
      const stir = (): void => {
        wake?.();
        wake = null;
      };
      const reader: Reader = {
        push(value) {
          if (!wants(value)) return;
          // Told once is enough where it is the same word again (a recording's id).
          if (typeof value === 'string' && waiting.at(-1) === value) return;
          waiting.push(value);
          if (waiting.length > most) this.end();
          stir();
        },
        end() {
          ended = true;
          readers.delete(reader);
          signal?.removeEventListener('abort', reader.end);
          stir();
        },
      };
      if (!ended) {
        readers.add(reader);
        signal?.addEventListener('abort', reader.end, { once: true });
      }
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        async next() {
          while (waiting.length === 0 && !ended) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          const value = ended ? undefined : waiting.shift();
          return value === undefined ? { done: true, value: undefined } : { done: false, value };
        },
        async return() {
          reader.end();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
