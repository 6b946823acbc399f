import { fork } from 'node:child_process';
import { openHands } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import { StudioError } from '../../schemas/errors.ts';
import { tellParent } from '../files/tell-parent.ts';

/**
 * Work on a stage's display is done by a process of its own, since a display that goes away stops the thread that used it for
 * ever: both of its sides.
 */

/** The message of a process that could not go on. */
export type FailedOnDisplay = { type: 'failed'; message: string };

type DisplayWork<M> = {
  /** The file that the process runs: it calls `serveDisplay`. */
  entry: URL;
  order: object;
  /** Names the display. */
  env: NodeJS.ProcessEnv;
  /** A process that says nothing for longer is given up, ms. */
  mostSilentMs: number;
  /** The process is asked to stop; it says itself how it ended. */
  signal: AbortSignal;
  /** The error's message, from the reason. */
  failure(why: string): string;
  onMessage(message: M): void;
};

/** Resolves with the message of the type `ended`. Throws CAPTURE_FAILED when the process could not go on. */
export function runOnDisplay<M extends { type: string }>(
  work: DisplayWork<Exclude<M, FailedOnDisplay>>,
): Promise<Extract<M, { type: 'ended' }>> {
  const { entry, order, env, mostSilentMs, signal } = work;
  return new Promise((done, fail) => {
    const child = fork(entry, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(-2000);
    });
    let heard = performance.now();
    // A display that went away stops the process without a word.
    const watch = setInterval(() => {
      if (performance.now() - heard > mostSilentMs) gone('it says nothing any more; its display is probably gone');
    }, 500);
    const stop = (): void => void (child.connected && child.send({ type: 'stop' }, () => undefined));
    const end = (act: () => void): void => {
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      child.removeAllListeners();
      child.on('error', () => undefined); // It is over either way.
      child.kill('SIGKILL');
      act();
    };
    const gone = (why: string): void => end(() => fail(new StudioError('CAPTURE_FAILED', work.failure(why), {})));
    signal.addEventListener('abort', stop);
    child.on('message', (message: M) => {
      heard = performance.now();
      if (message.type === 'failed') gone((message as unknown as FailedOnDisplay).message);
      else if (message.type === 'ended') end(() => done(message as Extract<M, { type: 'ended' }>));
      else work.onMessage(message as Exclude<M, FailedOnDisplay>);
    });
    child.once('exit', (status) => gone(`it ended with status ${status}. ${said.trim()}`));
    child.once('error', (error) => gone(error.message));
    child.send(order, () => undefined);
  });
}

/** Hands for the process's own display, which let go of what they hold however the process ends. Throws what opening them throws. */
export async function openOwnHands(): Promise<Hands> {
  const hands = await openHands();
  process.once('exit', () => hands.releaseAll());
  return hands;
}

/** The process's side: does the one order that it is sent, until it is done, told to stop, or left alone. */
export function serveDisplay<O>(perform: (order: O, signal: AbortSignal) => Promise<void>): void {
  const stop = new AbortController();
  process.once('disconnect', () => process.exit(1));
  // Ctrl+C in a terminal reaches every process there; the one that started this one hears it too, and tells it to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => process.exit(1));
  process.once('message', async (order: O) => {
    process.on('message', () => stop.abort());
    try {
      await perform(order, stop.signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await tellParent({ type: 'failed', message } satisfies FailedOnDisplay);
    }
    process.exit(0);
  });
}
