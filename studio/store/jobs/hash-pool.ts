import { availableParallelism } from 'node:os';
import { type Caller, openCaller } from '../../../native/process/calls.ts';
import { startThread } from '../../../native/process/start-thread.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { FileHash, HashCalls, ScreenHashes } from './hash-worker.ts';

/**
 * Hashes on all cores: a thread a core, begun when there is something to hash, so that work whose hashes are all kept starts
 * none. `close` ends them, whatever they are at.
 */
export type HashPool = {
  /** sha256 and size. Throws BAD_FILE when it cannot be read, DISK_FAILED, OUT_OF_MEMORY; CANCELLED once the pool is closed. */
  file(path: string): Promise<FileHash>;
  /** The hash of a picture (core/curate/screen-hash.ts). Throws BAD_FILE for one that cannot be read. */
  screen(path: string): Promise<ScreenHashes>;
  close(): Promise<void>;
};

/** More threads than this would wait for the disk. */
const MOST_THREADS = 16;
/** Orders that a thread has at once: the next file is named before the last one is done. */
const AT_ONCE = 2;

type Wanted = {
  kind: keyof HashCalls;
  file: string;
  done(value: FileHash | ScreenHashes): void;
  failed(error: unknown): void;
};
type Thread = { caller: Caller<HashCalls>; at: number };

export function openHashPool(threads = Math.min(MOST_THREADS, availableParallelism())): HashPool {
  const pool: Thread[] = [];
  const waiting: Wanted[] = [];
  let next = 0;
  let closed = false;

  function begin(): Thread {
    const entry = new URL('./hash-worker.ts', import.meta.url);
    const thread: Thread = { caller: openCaller((wishes) => startThread(entry, wishes)), at: 0 };
    pool.push(thread);
    void thread.caller.ended.then(() => {
      pool.splice(pool.indexOf(thread), 1);
      feed();
    });
    return thread;
  }

  async function give(thread: Thread, { kind, file, done, failed }: Wanted): Promise<void> {
    thread.at++;
    await thread.caller.call(kind, file).then(done, failed);
    thread.at--;
    feed();
  }

  /** Gives what waits to threads that have room, new ones first. */
  function feed(): void {
    while (!closed && next < waiting.length) {
      const free = pool.find(({ at }) => at === 0);
      const thread = free ?? (pool.length < threads ? begin() : pool.find(({ at }) => at < AT_ONCE));
      if (!thread) return;
      void give(thread, waiting[next++]!);
    }
    waiting.length = 0;
    next = 0;
  }

  function ask<T extends FileHash | ScreenHashes>(kind: keyof HashCalls, file: string): Promise<T> {
    return new Promise<FileHash | ScreenHashes>((done, failed) => {
      if (closed) {
        failed(stopped());
        return;
      }
      waiting.push({ kind, file, done, failed });
      feed();
    }) as Promise<T>; // A thread answers each kind with its own.
  }

  return {
    file: (path) => ask<FileHash>('file', path),
    screen: (path) => ask<ScreenHashes>('screen', path),
    async close() {
      closed = true;
      for (const { failed } of waiting.slice(next)) failed(stopped());
      waiting.length = 0;
      next = 0;
      await Promise.all(pool.map(({ caller }) => caller.kill()));
    },
  };
}

const stopped = (): StudioError => new StudioError('CANCELLED', 'It was stopped.', {});

/** A pool for one piece of work; a signal ends it at once. */
export async function withHashPool<T>(
  signal: AbortSignal | undefined,
  work: (pool: HashPool) => Promise<T>,
): Promise<T> {
  const pool = openHashPool();
  const stop = (): void => void pool.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(pool);
  } finally {
    signal?.removeEventListener('abort', stop);
    await pool.close();
  }
}

/**
 * `work` of each, some at once, the results in order: the first is awaited while the next ones are under way. Throws what the
 * first that failed threw, once what is under way then has ended.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  together: number,
  work: (item: T, at: number) => Promise<R>,
): AsyncGenerator<R> {
  const under: Promise<R>[] = [];
  let begun = 0;
  try {
    for (let at = 0; at < items.length; at++) {
      while (begun < items.length && begun < at + together) {
        const promise = work(items[begun]!, begun);
        // Awaited in its turn; until then its failure is nobody's.
        promise.catch(() => undefined);
        under[begun++] = promise;
      }
      yield await under[at]!;
      delete under[at];
    }
  } finally {
    await Promise.allSettled(under.filter((one) => one !== undefined));
  }
}
