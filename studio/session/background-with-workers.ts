import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { log, passedOver } from '../../native/log/log.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { PieceState, WorkQueue } from '../store/work.ts';
import type { Background, BackgroundOptions } from './background.ts';
import type { InputOf, OutputOf, TaskName } from './background-tasks.ts';

/** What may be done by another process: all of its input can be noted in the database, where no secret may be. */
export const WORKED_TASKS = [
  'export',
  'writeSkill',
  'validate',
  'freeze',
  'duplicates',
  'count',
  'archive',
  'importOne',
  'takeArchive',
  'takeArrived',
  'finish',
  'keep',
  'questions',
  'takeQuestions',
  'score',
] as const satisfies readonly TaskName[];
const WORKED: ReadonlySet<TaskName> = new Set<TaskName>(WORKED_TASKS);

/** How often it is looked how far pieces of work are, ms. */
const LOOK_MS = 250;
/** How long a count of workers holds, ms. */
const COUNT_MS = 2000;
/** Work that was asked to stop and says nothing for so long has ended, ms. */
const STOPPED_MS = 20_000;

type Waiting = {
  done(result: unknown): void;
  failed(error: unknown): void;
  own(): void;
  report: BackgroundOptions['report'];
};

/** Hands jobs to workers as long as there are any; requests, and everything while there is none, are done by `own`. */
export function backgroundWithWorkers(own: Background, work: WorkQueue): Background {
  const waiting = new Map<string, Waiting>();
  let counted = { at: Number.NEGATIVE_INFINITY, workers: 0 };
  let counting: Promise<number> | null = null;
  let looking = false;
  let closed = false;

  function workers(): Promise<number> {
    if (performance.now() - counted.at < COUNT_MS) return Promise.resolve(counted.workers);
    counting ??= work
      .workers()
      .catch((error: unknown) => {
        log.warn('workers not counted', { error });
        return 0;
      })
      .then((count) => {
        counted = { at: performance.now(), workers: count };
        counting = null;
        return count;
      });
    return counting;
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      while (waiting.size > 0 && !closed) {
        try {
          // Others may come while the answer is on its way: it says nothing of them.
          const asked = [...waiting.keys()];
          const found = await work.look(asked);
          const isAlone = (await workers()) === 0;
          for (const id of asked) await settle(id, found.get(id), isAlone);
        } catch (error) {
          // A database that is away for a moment holds the answer up, and loses nothing.
          log.warn('work not looked at', { error });
        }
        await sleep(LOOK_MS, undefined, { ref: false });
      }
    } finally {
      looking = false;
    }
  }

  async function settle(id: string, found: PieceState | undefined, isAlone: boolean): Promise<void> {
    const one = waiting.get(id);
    if (!one) return;
    if (!found) {
      waiting.delete(id);
      one.failed(new StudioError('INTERRUPTED', 'It is no longer known to the database. Begin it again.', {}));
    } else if (found.state === 'done' || found.state === 'failed') {
      waiting.delete(id);
      work.forget(id).catch(passedOver('work not forgotten'));
      if (found.state === 'done') one.done(found.result);
      else one.failed(new StudioError(found.error.code, found.error.message, found.error.details));
    } else if (found.state === 'running') one.report?.(found.share, found.message ?? '');
    else if (isAlone && (await work.takeBack(id))) {
      waiting.delete(id);
      one.own();
    }
  }

  async function byWorker<N extends TaskName>(
    task: N,
    input: InputOf<N>,
    options: BackgroundOptions,
  ): Promise<OutputOf<N>> {
    const { signal, report } = options;
    signal?.throwIfAborted();
    const id = randomUUID();
    await work.put({ id, task, input });
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const here = (): void => resolve(own.run(task, input, { ...options, alone: true }));
    waiting.set(id, { done: resolve, failed: reject, own: here, report });
    void look();
    const stop = (): void => {
      void stopOne(id).then(
        () => reject(stoppedBy(signal)),
        (error: unknown) => {
          log.warn('work not stopped', { error });
          reject(stoppedBy(signal));
        },
      );
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      // The type follows from the task's name; the table knows no types.
      return (await promise) as OutputOf<N>;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Resolves once nobody is at it any more. */
  async function stopOne(id: string): Promise<void> {
    if (await work.takeBack(id)) {
      waiting.delete(id);
      return;
    }
    await work.stop(id);
    const until = performance.now() + STOPPED_MS;
    while (waiting.has(id) && performance.now() < until) await sleep(LOOK_MS, undefined, { ref: false });
    if (waiting.delete(id)) await work.forget(id);
  }

  return {
    ...own,
    async run<N extends TaskName>(task: N, input: InputOf<N>, options: BackgroundOptions = {}): Promise<OutputOf<N>> {
      const mayBeWorked = options.alone === true && WORKED.has(task) && !closed;
      if (!mayBeWorked || (await workers()) === 0) return own.run(task, input, options);
      return byWorker(task, input, options);
    },
    atOnce() {
      void workers();
      return Math.max(own.atOnce(), counted.workers);
    },
    async close() {
      closed = true;
      const left = [...waiting.keys()];
      for (const [id, one] of waiting) {
        waiting.delete(id);
        one.failed(new StudioError('CANCELLED', 'The workspace was closed.', {}));
      }
      for (const id of left) await work.stop(id).catch(passedOver('work not stopped'));
      await own.close();
    },
  };
}

const stoppedBy = (signal: AbortSignal | undefined): unknown =>
  signal?.reason instanceof StudioError ? signal.reason : new StudioError('CANCELLED', 'It was stopped.', {});
