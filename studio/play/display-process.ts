import { endWithDisplay, openHands } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import { endingOnDisplay } from '../../native/process/ending.ts';
import { keepCompiledCode } from '../../native/process/keep-compiled.ts';
import { hearParent, tellParent } from '../../native/process/serve.ts';
import { startProcess } from '../../native/process/start-process.ts';
import { protocol } from '../../native/process/supervise.ts';
import { StudioError } from '../../schemas/errors.ts';

/**
 * Work on a stage's display is done by a process of its own, since a display that goes away stops the thread that used it for
 * ever: both of its sides.
 */

/** The message of a process that could not go on. */
export type FailedOnDisplay = { type: 'failed'; message: string };

/** What the process is told: its order first, then perhaps to stop. */
type ToDisplay<O = unknown> = { type: 'order'; order: O } | { type: 'stop' };
const isTold = protocol<ToDisplay>({ order: true, stop: true });

type DisplayWork<M> = {
  /** The file that the process runs: it calls `serveDisplay`. */
  entry: URL;
  order: object;
  /** Names the display. */
  env: NodeJS.ProcessEnv;
  accepts(message: unknown): message is M | FailedOnDisplay;
  /** A process that says nothing for longer is given up, ms. */
  mostSilentMs: number;
  /** The process is asked to stop; it says itself how it ended. */
  signal: AbortSignal;
  /** The error's message, from the reason. */
  failure(why: string): string;
  onMessage(message: Exclude<M, FailedOnDisplay>): void;
};

/** Resolves with the message of the type `ended`. Throws CAPTURE_FAILED when the process could not go on. */
export async function runOnDisplay<M extends { type: string }>(
  work: DisplayWork<M>,
): Promise<Extract<M, { type: 'ended' }>> {
  const { entry, order, env, accepts, mostSilentMs, signal, failure } = work;
  const { promise, resolve, reject } = Promise.withResolvers<Extract<M, { type: 'ended' }>>();
  const failed = (why: string): void => reject(new StudioError('CAPTURE_FAILED', failure(why), {}));
  const child = startProcess<ToDisplay, M | FailedOnDisplay>(entry, {
    env,
    accepts,
    silentMs: () => mostSilentMs,
    onMessage(message) {
      if (message.type === 'failed') failed((message as FailedOnDisplay).message);
      else if (message.type === 'ended') resolve(message as Extract<M, { type: 'ended' }>);
      else work.onMessage(message as Exclude<M, FailedOnDisplay>);
    },
  });
  void child.ended.then((ending) => failed(endingOnDisplay(ending)));
  const stop = (): void => child.send({ type: 'stop' });
  signal.addEventListener('abort', stop);
  child.send({ type: 'order', order });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    void child.kill();
  }
}

/** Hands for the process's own display, which let go of what they hold however the process ends. Throws what opening them throws. */
export async function openOwnHands(): Promise<Hands> {
  await endWithDisplay();
  const hands = await openHands();
  // After its last word whoever started this ends it.
  keepCompiledCode();
  process.once('exit', () => hands.releaseAll());
  return hands;
}

/** The process's side: does the one order that it is sent, until it is done, told to stop, or left alone. */
export function serveDisplay<O>(perform: (order: O, signal: AbortSignal) => Promise<void>): void {
  const stop = new AbortController();
  process.on('SIGTERM', () => process.exit(1));
  hearParent(isTold, async (message) => {
    if (message.type === 'stop') return stop.abort();
    try {
      await perform(message.order as O, stop.signal); // Of runOnDisplay, which was given this one.
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      await tellParent({ type: 'failed', message: said } satisfies FailedOnDisplay);
    }
    process.exit(0);
  });
}
