import { StudioError } from '../../schemas/errors.ts';

/** Runs `work` with a signal that Ctrl+C and SIGTERM (or `signals`) fire, so that what is half done is cleared away. */
export async function untilStopped<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<T> {
  const control = new AbortController();
  const stop = (): void => control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(control.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Resolves at the first signal that asks this process to end; the second ends it at once. */
export function untilTold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let told = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Closing may wait for a recording that is being closed; who asks twice does not want to wait.
      if (told) endAtOnce(signal);
      told = true;
      resolve();
    });
  }
  return promise;
}

/**
 * By the signal itself: `process.exit` waits for the threads, and one that is just loading a native library (a database, a
 * picture) aborts the process then, with a dump in place of an end.
 */
function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
