import { basename } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { type Started, supervise, tailOf, type Wishes } from './supervise.ts';
import { WITH_BUILT_PACKAGES } from './with-built-packages.ts';

type ThreadWishes<Out> = Wishes<Out> & {
  /** Its `workerData`, and what of it goes over to the thread. */
  data?: unknown;
  transfer?: readonly Transferable[];
  /** What it prints is of no use to anybody; the end of it is in `RunEnding`. */
  isQuiet?: boolean;
};

/** Starts a thread. `entry` speaks through its `parentPort`, or through serve.ts. */
export function startThread<In, Out>(entry: URL, wishes: ThreadWishes<Out>): Started<In> {
  const { data, transfer = [], isQuiet = false } = wishes;
  const worker = new Worker(entry, {
    execArgv: [...WITH_BUILT_PACKAGES],
    workerData: data,
    transferList: [...transfer],
    stdout: isQuiet,
    stderr: isQuiet,
  });
  const tail = tailOf();
  if (isQuiet) {
    worker.stdout.resume();
    worker.stderr.on('data', tail.add);
  }
  let error: unknown;
  const run = supervise(basename(entry.pathname, '.ts'), wishes, {
    kill: () => void worker.terminate(),
    last: tail.text,
  });
  worker.on('message', run.received);
  worker.on('messageerror', () => run.stop({ why: 'senseless' }));
  worker.on('error', (thrown) => {
    error = thrown;
  });
  worker.on('exit', (status) => {
    const how = { status, signal: null };
    run.gone(error === undefined ? { why: 'ended', ...how } : { why: 'threw', error, ...how });
  });
  return {
    pid: undefined,
    ended: run.ended,
    send: (message) => worker.postMessage(message),
    hold(isHeld) {
      if (isHeld) worker.ref();
      else worker.unref();
    },
    kill: run.kill,
  };
}
