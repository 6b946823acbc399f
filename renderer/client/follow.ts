import { placesForStreams, takeTurn } from './turns.ts';

/**
 * The means by which a page and the studio stay together over a line that may break: streams that are opened again, and
 * later tries.
 */

const WAITS_MS = [250, 500, 1_000, 2_000, 5_000];

/** How long to wait after so many failures in a row (from 0), ms. */
const waitAfter = (failures: number): number => WAITS_MS[Math.min(failures, WAITS_MS.length - 1)]!;

export type Followed<T> = {
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>;
  onItem: (item: T) => void;
  /**
   * For a stream that says nothing at first: that it was opened is the sign that the studio answers. Otherwise its first
   * item is.
   */
  onOpen?: () => void;
  /** It ended (undefined) or broke, and is opened again after a while. */
  onLost: (error: unknown) => void;
  /** False: begins with nothing open. */
  shown?: boolean;
};

type Follower = {
  /** A hidden tab keeps no stream open (a browser has six connections to a server for all tabs); shown, it catches up. */
  show(shown: boolean): void;
  /** Tries now rather than when the wait is over. */
  wake(): void;
  /** Nothing is called after this. */
  close(): void;
};

/** Keeps a stream of the API open: opened again, with a growing wait, when it ends or breaks. */
export function follow<T>({ open, onItem, onOpen, onLost, shown: following = true }: Followed<T>): Follower {
  const places = placesForStreams();
  let closed = false;
  let stream = new AbortController();
  let wake = (): void => {};

  async function run(): Promise<void> {
    for (let failures = 0; !closed; ) {
      if (!following) {
        await pause(null);
        continue;
      }
      stream = new AbortController();
      const own = stream;
      const { signal } = own;
      let why: unknown;
      let endTurn = (): void => {};
      try {
        if (places) endTurn = await takeTurn(places, signal, () => own.abort());
        const items = await open(signal);
        if (onOpen && !signal.aborted) {
          failures = 0;
          onOpen();
        }
        for await (const item of items) {
          if (signal.aborted) break;
          failures = 0;
          onItem(item);
        }
      } catch (error) {
        why = error;
      } finally {
        endTurn();
      }
      if (signal.aborted) continue;
      onLost(why);
      await pause(waitAfter(failures++));
    }
  }

  /** Until woken, or `ms` have passed. */
  function pause(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  void run();
  return {
    show(shown) {
      if (shown === following) return;
      following = shown;
      if (shown) wake();
      else stream.abort();
    },
    wake: () => wake(),
    close() {
      closed = true;
      stream.abort();
      wake();
    },
  };
}

type Retry = {
  waiting(): boolean;
  /** Does the work after a while, longer each time since the last `reset`. */
  later(): void;
  /** Drops the wait that is under way; the next one is short again. */
  reset(): void;
};

/** Tries of one piece of work, each after a longer wait. */
export function retrying(work: () => void): Retry {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let tries = 0;
  return {
    waiting: () => timer !== null,
    later() {
      timer ??= setTimeout(() => {
        timer = null;
        work();
      }, waitAfter(tries++));
    },
    reset() {
      tries = 0;
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}
