import { parentPort, type Transferable } from 'node:worker_threads';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { log, sendEntriesTo } from '../log/log.ts';
import { type CallAnswer, type CallOrder, type Calls, isOrder } from './call-protocol.ts';

/** The side of the process or thread that was started. */

/** Sends a message to the process that started this one, or this thread; resolves when it is on its way, or when nobody hears it. */
export function tellParent(message: object, transfer: readonly Transferable[] = []): Promise<void> {
  return new Promise((done) => {
    if (parentPort) parentPort.postMessage(message, transfer);
    if (parentPort || !process.connected || !process.send) return done();
    process.send(message, () => done());
  });
}

process.on('uncaughtExceptionMonitor', (error) => log.error('crashed', { error }));
if (parentPort || process.send) {
  sendEntriesTo(
    (entry) => void tellParent(entry),
    () => parentPort !== null || process.connected,
  );
}

/** Hears messages of the protocol from whoever started this; others are none. A process ends, with its group, when that one is gone. */
export function hearParent<In>(accepts: (message: unknown) => message is In, listener: (message: In) => void): void {
  const hear = (message: unknown): void => {
    if (accepts(message)) listener(message);
  };
  if (parentPort) {
    parentPort.on('message', hear);
    return;
  }
  process.on('message', hear);
  // Where a terminal reaches it (Windows), Ctrl+C is heard by whoever started this, too, which then says what is to be done.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => {
    // Registered last: whoever lets go of something at the exit has done so before.
    process.once('exit', endGroup);
    process.exit(1);
  });
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // It leads none.
  }
}

/** Progress is told at most this often, ms. */
const REPORT_MS = 100;

/** Runs what openCaller asks for, until it lets go. `onLeave` closes what is open. */
export function serveCalls(calls: Calls, onLeave: () => unknown = () => undefined): void {
  const running = new Map<number, AbortController>();
  const answer = (message: CallAnswer, transfer: readonly Transferable[] = []): void =>
    void tellParent(message, transfer);

  async function run({ n, name, input }: Extract<CallOrder, { type: 'call' }>): Promise<void> {
    const control = new AbortController();
    running.set(n, control);
    let toldAt = Number.NEGATIVE_INFINITY;
    const report = (share: number, message: string): void => {
      if (performance.now() - toldAt < REPORT_MS) return;
      toldAt = performance.now();
      answer({ type: 'progress', n, share, message });
    };
    try {
      const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
      if (!call) throw new StudioError('INTERNAL', `There is no call ${name} here.`);
      const value = await call(input, { signal: control.signal, report });
      // Bytes go over as they are; anything else is copied.
      answer({ type: 'done', n, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
    } catch (error) {
      const body = errorBody(error);
      if (body.code === 'INTERNAL') log.warn('call failed', { name, error });
      answer({ type: 'failed', n, error: body });
    } finally {
      running.delete(n);
    }
  }

  async function leave(): Promise<void> {
    await onLeave();
    if (parentPort) parentPort.close();
    else process.exit(0);
  }

  hearParent(isOrder, (order) => {
    if (order.type === 'call') void run(order);
    else if (order.type === 'leave') void leave();
    else running.get(order.n)?.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
  });
}
