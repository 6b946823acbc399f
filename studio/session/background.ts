import { type Caller, openCaller } from '../../native/process/calls.ts';
import { startThread } from '../../native/process/start-thread.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Workspace } from '../store/workspace.ts';
import { type InputOf, type OutputOf, TASKS, type TaskName } from './background-tasks.ts';
import type { BackgroundCalls } from './background-worker.ts';

/**
 * Work that reads a whole data set, in threads: while an export of a thousand recordings is previewed, frozen or searched,
 * the studio answers everybody else. A job has a thread of its own while it runs; requests share one. A thread without work
 * stays for a while, since starting one takes most of a second on a small machine and the next click asks again.
 */
export type Background = {
  /** Throws what the task throws; CANCELLED when it was stopped or the workspace is closed. */
  run<N extends TaskName>(task: N, input: InputOf<N>, options?: BackgroundOptions): Promise<OutputOf<N>>;
  /** Starts the thread of requests with the code of this task, so that the first of them need not wait for it. */
  warm(task: TaskName): void;
  /** Whether something ran since it was asked last: the database then changed by our own doing. */
  hasWorked(): boolean;
  /** How many jobs of one lane may go on at once. */
  atOnce(): number;
  close(): Promise<void>;
};

export type BackgroundOptions = {
  signal?: AbortSignal | undefined;
  report?(share: number, message: string): void;
  /** A thread of its own. */
  alone?: boolean;
};

/** How long a thread is kept without work, ms. */
const IDLE_MS = 60_000;

type Thread = Caller<BackgroundCalls>;
const ENTRY = new URL('./background-worker.ts', import.meta.url);

export function openBackground(dir: string, idleMs = IDLE_MS): Background {
  const threads = new Set<Thread>();
  let shared: Thread | null = null;
  /** The number of jobs that are over. */
  const free = new Set<Thread>();
  const timers = new Map<Thread, NodeJS.Timeout>();
  let worked = false;
  let closed = false;

  function begin(): Thread {
    const thread: Thread = openCaller((wishes) => startThread(ENTRY, { ...wishes, data: { dir } }));
    threads.add(thread);
    void thread.ended.then(() => {
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
      thread.leave();
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
        return (await thread.call('run', { task, input }, options)) as OutputOf<typeof task>;
      } catch (error) {
        if (closed) throw closing();
        throw error;
      } finally {
        worked = true;
        if (alone && threads.has(thread)) free.add(thread);
        endLater(thread);
      }
    },
    warm(task) {
      if (closed) return;
      const thread = take(false);
      // A failure here is told when the task itself is asked for.
      const over = (): void => endLater(thread);
      thread.call('prepare', { task }).then(over, over);
    },
    hasWorked() {
      const answer = worked || [...threads].some((thread) => thread.isBusy());
      worked = false;
      return answer;
    },
    atOnce: () => 1,
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(
        [...threads].map((thread) => {
          thread.stopAll();
          thread.leave();
          return thread.ended;
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
      const stopped = AbortSignal.any([control.signal, ...(signal ? [signal] : [])]);
      // The input is that task's own, and what it gives is what its name says.
      const work = await TASKS[task]();
      return (await work(workspace, input as never, { signal: stopped, report })) as OutputOf<typeof task>;
    },
    warm: () => undefined,
    hasWorked: () => false,
    atOnce: () => 1,
    async close() {
      control.abort(closing());
    },
  };
}

const closing = (): StudioError => new StudioError('CANCELLED', 'The workspace was closed.', {});
