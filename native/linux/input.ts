import { Worker } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import type { HookEvent } from '../input/hook.ts';
import type { X11InputReport, X11InputSetup } from './input-worker.ts';

/** A server that answers does so at once; a busy machine may need longer to start a thread. */
const READY_MS = 30_000;

/**
 * Listens to the X server's input from the time on at which it resolves, with what ends it. Throws NO_DISPLAY, NO_LIBRARY,
 * UNSUPPORTED_PLATFORM.
 */
export async function startX11Input(onEvent: (event: HookEvent) => void): Promise<() => void> {
  const control = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./input-worker.ts', import.meta.url), {
    workerData: { control } satisfies X11InputSetup,
  });
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const slow = setTimeout(
    () =>
      ready.reject(new StudioError('NO_DISPLAY', 'The display did not say within thirty seconds that it listens.', {})),
    READY_MS,
  );
  worker.on('message', (report: X11InputReport) => {
    if (report.type === 'ready') ready.resolve();
    else if (report.type === 'refused')
      ready.reject(new StudioError(report.error.code, report.error.message, report.error.details));
    else for (const event of report.events) onEvent(event);
  });
  worker.on('error', (error) => {
    ready.reject(error);
    // Without it the recording goes on, and nobody would hear of what is missing.
    if (isReady) throw error;
  });
  await ready.promise.finally(() => clearTimeout(slow));
  isReady = true;
  return () => void Atomics.store(control, 0, 1);
}
