import { Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { Workspace } from '../store/workspace.ts';
import type { InputOf, OutputOf, TaskName } from './background-tasks.ts';
import type { Order, WorkerReport } from './background-worker.ts';

/**
 * Work that reads a whole data set, in threads: while an export of a thousand recordings is previewed, frozen or searched,
 * the studio answers everybody else. A job has a thread of its own while it runs; requests share one. A thread without work
 * stays for a while, since starting one takes most of a second on a small machine and the next click asks again.
 */
export type Background = {
  /** Throws what the task throws; CANCELLED when it was stopped or the workspace is closed. */
  run<N extends TaskName>(task: N, input: InputOf<N>, options?: RunOptions): Promise<OutputOf<N>>;
  /** Starts the thread of requests, so that the first of them need not wait for it. */
  warm(): void;
  /** Whether something ran since it was asked last: the database then changed by our own doing. */
  hasWorked(): boolean;
  close(): Promise<void>;
};

type RunOptions = {
  signal?: AbortSignal | undefined;
  report?(share: number, message: string): void;
  /** A thread of its own. */
  alone?: boolean;
};

/** How long a thread is kept without work, ms. */
const IDLE_MS = 60_000;

export function openBackground(dir: string, idleMs = IDLE_MS): Background {
  const threads = new Set<Thread>();
  let shared: Thread | null = null;
  /** The number of jobs that are over. */
  const free = new Set<Thread>();
  const timers = new Map<Thread, NodeJS.Timeout>();
  let worked = false;
  let closed = false;

  function begin(): Thread {
    const thread = startThread(dir);
    threads.add(thread);
    void thread.gone.then(() => {
      threads.delete(thread);
      free.delete(thread);
      clearTimeout(timers.get(thread));
      timers.delete(thread);
      if (shared === thread) shared = null;
    });
    return thread;
  }

  function take(alone: boolean): Thread {
    if (!alone) {
      shared ??= begin();
      return shared;
    }
    const [thread = begin()] = free;
    free.delete(thread);
    return thread;
  }

  function endLater(thread: Thread): void {
    clearTimeout(timers.get(thread));
    const timer = setTimeout(() => {
      if (thread.isBusy()) return;
      free.delete(thread);
      if (shared === thread) shared = null;
      thread.end();
    }, idleMs);
    timer.unref();
    timers.set(thread, timer);
  }

  return {
    async run(task, input, { alone = false, ...options } = {}) {
      if (closed) throw closing();
      worked = true;
      const thread = take(alone);
      try {
        // The type follows from the task's name; the thread's messages know no types.
        return (await thread.run(task, input, options)) as OutputOf<typeof task>;
      } catch (error) {
        if (closed) throw closing();
        throw error;
      } finally {
        worked = true;
        if (alone && threads.has(thread)) free.add(thread);
        endLater(thread);
      }
    },
    warm() {
      if (!closed) endLater(take(false));
    },
    hasWorked() {
      const answer = worked || [...threads].some((thread) => thread.isBusy());
      worked = false;
      return answer;
    },
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(
        [...threads].map((thread) => {
          thread.stop();
          thread.end();
          return thread.gone;
        }),
      );
    },
  };
}

/** The same in this thread: for a session that is closed after one piece of work. */
export function backgroundHere(workspace: Workspace): Background {
  const control = new AbortController();
  return {
    async run(task, input, { signal, report = () => undefined } = {}) {
      const { TASKS } = await import('./background-tasks.ts');
      const stopped = AbortSignal.any([control.signal, ...(signal ? [signal] : [])]);
      // The input is that task's own, and what it gives is what its name says.
      return (await TASKS[task](workspace, input as never, { signal: stopped, report })) as OutputOf<typeof task>;
    },
    warm: () => undefined,
    hasWorked: () => false,
    async close() {
      control.abort(closing());
    },
  };
}

const closing = (): StudioError => new StudioError('CANCELLED', 'The workspace was closed.', {});

type Thread = {
  run(task: TaskName, input: unknown, options: RunOptions): Promise<unknown>;
  isBusy(): boolean;
  /** Stops what it works on. */
  stop(): void;
  /** Lets it go once what it works on is over. */
  end(): void;
  gone: Promise<void>;
};

type Asked = { done(value: unknown): void; failed(error: unknown): void; report: RunOptions['report'] };

function startThread(dir: string): Thread {
  const worker = new Worker(new URL('./background-worker.ts', import.meta.url), { workerData: { dir } });
  const asked = new Map<number, Asked>();
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  let n = 0;
  let ending = false;
  const send = (order: Order): void => worker.postMessage(order);
  const settled = (id: number): Asked | undefined => {
    const one = asked.get(id);
    asked.delete(id);
    if (asked.size === 0) {
      // A thread without work keeps no process alive, one with work does.
      worker.unref();
      if (ending) send({ type: 'end' });
    }
    return one;
  };
  const failAll = (error: unknown): void => {
    for (const id of [...asked.keys()]) settled(id)?.failed(error);
  };
  worker.unref();
  worker.on('message', (report: WorkerReport) => {
    if (report.type === 'progress') asked.get(report.n)?.report?.(report.share, report.message);
    else if (report.type === 'done') settled(report.n)?.done(report.value);
    else {
      const { code, message, details } = report.error;
      settled(report.n)?.failed(new StudioError(code, message, details));
    }
  });
  worker.on('error', (error) => failAll(threadError(error)));
  worker.on('exit', () => {
    failAll(threadError(new Error('the thread has ended')));
    leave();
  });
  return {
    gone,
    isBusy: () => asked.size > 0,
    stop() {
      for (const id of asked.keys()) send({ type: 'stop', n: id });
    },
    end() {
      if (ending) return;
      ending = true;
      if (asked.size === 0) {
        worker.ref();
        send({ type: 'end' });
      }
    },
    run: (task, input, { signal, report }) =>
      new Promise((done, failed) => {
        const id = ++n;
        const stop = (): void => send({ type: 'stop', n: id });
        const forget = (): void => signal?.removeEventListener('abort', stop);
        asked.set(id, {
          report,
          done(value) {
            forget();
            done(value);
          },
          failed(error) {
            forget();
            failed(error);
          },
        });
        worker.ref();
        send({ type: 'begin', n: id, task, input });
        signal?.addEventListener('abort', stop, { once: true });
        if (signal?.aborted) stop();
      }),
  };
}

function threadError(error: unknown): StudioError {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const why = error instanceof Error ? error.message : String(error);
  return isMemory
    ? new StudioError(
        'OUT_OF_MEMORY',
        'There was not enough memory for it. Close other programs, or take fewer recordings.',
      )
    : new StudioError('INTERNAL', `The thread that worked on it has ended: ${why}.`);
}
