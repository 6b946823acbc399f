/** One writer, many readers that each see every value from the moment they subscribed. */
export type Hub<T> = {
  publish(value: T): void;
  /** Ends when `signal` fires, when the hub closes, or when this reader has fallen `most` values behind. */
  subscribe(signal?: AbortSignal): AsyncIterableIterator<T>;
  /** How many read now. */
  readers(): number;
  close(): void;
};

/** A reader that is slower than this many values is cut off: it asks again and starts from the state as it is then. */
const MOST_WAITING = 10_000;

export function createHub<T>(most: number = MOST_WAITING): Hub<T> {
  type Reader = { push(value: T): void; end(): void };
  const readers = new Set<Reader>();
  let closed = false;
  return {
    publish(value) {
      for (const reader of [...readers]) reader.push(value);
    },
    readers: () => readers.size,
    close() {
      closed = true;
      for (const reader of [...readers]) reader.end();
    },
    subscribe(signal) {
      const waiting: T[] = [];
      let ended = closed || (signal?.aborted ?? false);
      let wake: (() => void) | null = null;
      const stir = (): void => {
        wake?.();
        wake = null;
      };
      const reader: Reader = {
        push(value) {
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
