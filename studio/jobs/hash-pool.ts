import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { FileHash, HashAnswer, HashOrder, ScreenHashes } from './hash-worker.ts';

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

type Wanted = { order: HashOrder; done(value: FileHash | ScreenHashes): void; failed(error: unknown): void };
type Thread = { worker: Worker; at: Map<number, Wanted> };

export function openHashPool(threads = Math.min(MOST_THREADS, availableParallelism())): HashPool {
  const pool: Thread[] = [];
  const waiting: Wanted[] = [];
  let next = 0;
  let n = 0;
  let closed = false;

  function begin(): Thread {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url));
    const thread: Thread = { worker, at: new Map() };
    worker.on('message', (answer: HashAnswer) => {
      const wanted = thread.at.get(answer.n);
      thread.at.delete(answer.n);
      if ('value' in answer) wanted?.done(answer.value);
      else if ('error' in answer) {
        const { code, message, details } = answer.error;
        wanted?.failed(new StudioError(code, message, details));
      } else {
        const file = wanted?.order.file ?? '';
        const what = wanted?.order.kind === 'screen' ? 'is no picture' : 'cannot be read';
        wanted?.failed(new StudioError('BAD_FILE', `${file} ${what}: ${answer.problem}.`, { file }));
      }
      feed();
    });
    const gone = (why: Error): void => {
      const lost = pool.indexOf(thread);
      if (lost >= 0) pool.splice(lost, 1);
      const error = closed ? stopped() : new StudioError('INTERNAL', `A thread that hashes has ended: ${why.message}.`);
      for (const wanted of thread.at.values()) wanted.failed(error);
      thread.at.clear();
      if (!closed) feed();
    };
    worker.on('error', gone);
    worker.on('exit', () => gone(new Error('it was stopped')));
    pool.push(thread);
    return thread;
  }

  /** Gives what waits to threads that have room, new ones first. */
  function feed(): void {
    while (next < waiting.length) {
      const free = pool.find(({ at }) => at.size === 0);
      const thread = free ?? (pool.length < threads ? begin() : pool.find(({ at }) => at.size < AT_ONCE));
      if (!thread) return;
      const wanted = waiting[next++]!;
      thread.at.set(wanted.order.n, wanted);
      thread.worker.postMessage(wanted.order);
    }
    waiting.length = 0;
    next = 0;
  }

  function ask<T extends FileHash | ScreenHashes>(kind: HashOrder['kind'], file: string): Promise<T> {
    return new Promise<FileHash | ScreenHashes>((done, failed) => {
      if (closed) {
        failed(stopped());
        return;
      }
      waiting.push({ order: { n: ++n, kind, file }, done, failed });
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
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
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
