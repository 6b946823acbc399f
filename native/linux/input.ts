import { StudioError } from '../../schemas/errors.ts';
import type { HookEvent, HookLoss } from '../input/hook.ts';
import { startThread } from '../process/start-thread.ts';
import { protocol } from '../process/supervise.ts';
import type { X11InputReport, X11InputSetup } from './input-worker.ts';

/** A server that answers does so at once; a busy machine may need longer to start a thread. */
const READY_MS = 30_000;

/**
 * Listens to the X server's input from the time on at which it resolves, with what ends it. Throws NO_DISPLAY, NO_LIBRARY,
 * UNSUPPORTED_PLATFORM.
 */
export async function startX11Input(onEvent: (event: HookEvent | HookLoss) => void): Promise<() => void> {
  const control = new Int32Array(new SharedArrayBuffer(4));
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const slow = setTimeout(
    () =>
      ready.reject(new StudioError('NO_DISPLAY', 'The display did not say within thirty seconds that it listens.', {})),
    READY_MS,
  );
  const worker = startThread<never, X11InputReport>(new URL('./input-worker.ts', import.meta.url), {
    data: { control } satisfies X11InputSetup,
    accepts: protocol<X11InputReport>({ ready: true, refused: true, events: true }),
    onMessage(report) {
      if (report.type === 'ready') ready.resolve();
      else if (report.type === 'refused')
        ready.reject(new StudioError(report.error.code, report.error.message, report.error.details));
      else for (const event of report.events) onEvent(event);
    },
  });
  void worker.ended.then(({ why, error }) => {
    if (why !== 'threw') return;
    ready.reject(error);
    // Without it the recording goes on, and nobody would hear of what is missing.
    if (isReady) throw error;
  });
  await ready.promise.finally(() => clearTimeout(slow));
  isReady = true;
  return () => void Atomics.store(control, 0, 1);
}
