import { StudioError } from '../../schemas/errors.ts';
import type { HookEvent, HookLoss } from '../input/hook.ts';
import { libc } from '../memory/libc.ts';
import { startThread } from '../process/start-thread.ts';
import { protocol } from '../process/supervise.ts';
import type { X11InputReport, X11InputSetup } from './input-worker.ts';

/** A server that answers does so at once; a busy machine may need longer to start a thread. */
const READY_MS = 30_000;
const O_NONBLOCK_CLOEXEC = 0o2004000;

export type X11Input = {
  stop(): void;
  /** Resolves when all that the server had done when it was called has been told, however late the thread is. */
  heardAll(): Promise<void>;
};

/**
 * Listens to the X server's input from the time on at which it resolves. Throws NO_DISPLAY, NO_LIBRARY,
 * UNSUPPORTED_PLATFORM.
 */
export async function startX11Input(onEvent: (event: HookEvent | HookLoss) => void): Promise<X11Input> {
  const control = new Int32Array(new SharedArrayBuffer(8));
  const wake = openWake();
  /** By the number of the question. */
  const asked = new Map<number, () => void>();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  const slow = setTimeout(
    () =>
      ready.reject(new StudioError('NO_DISPLAY', 'The display did not say within thirty seconds that it listens.', {})),
    READY_MS,
  );
  const worker = startThread<never, X11InputReport>(new URL('./input-worker.ts', import.meta.url), {
    data: { control, wake: wake.listen } satisfies X11InputSetup,
    accepts: protocol<X11InputReport>({ ready: true, refused: true, events: true, heardAll: true }),
    onMessage(report) {
      if (report.type === 'ready') ready.resolve();
      else if (report.type === 'refused')
        ready.reject(new StudioError(report.error.code, report.error.message, report.error.details));
      else if (report.type === 'events') for (const event of report.events) onEvent(event);
      else for (const [number, answer] of asked) if (number <= report.number) answer();
    },
  });
  void worker.ended.then(({ why, error }) => {
    wake.close();
    for (const answer of asked.values()) answer();
    if (why !== 'threw') return;
    ready.reject(error);
    // Without it the recording goes on, and nobody would hear of what is missing.
    if (isReady) throw error;
  });
  await ready.promise.finally(() => clearTimeout(slow));
  isReady = true;
  return {
    stop() {
      Atomics.store(control, 0, 1);
      wake.call();
    },
    heardAll: () =>
      new Promise((answer) => {
        asked.set(Atomics.add(control, 1, 1) + 1, answer);
        wake.call();
      }),
  };
}

/** A pipe that wakes a thread out of its wait for sockets. Where the system gives none, `listen` is -1 and nobody is woken. */
function openWake(): { listen: number; call(): void; close(): void } {
  const ends = new Int32Array([-1, -1]);
  let isOpen = libc().pipe2(ends, O_NONBLOCK_CLOEXEC) === 0;
  const [listen = -1, call = -1] = ends;
  return {
    listen: isOpen ? listen : -1,
    call: () => void (isOpen && libc().write(call, new Uint8Array(1), 1)),
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const end of ends) libc().close(end);
    },
  };
}
