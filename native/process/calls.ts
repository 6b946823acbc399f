import { StudioError } from '../../schemas/errors.ts';
import { type CallAnswer, type CallOrder, type Calls, isAnswer } from './call-protocol.ts';
import { endingInWords, type RunEnding } from './ending.ts';
import type { Started, Wishes } from './supervise.ts';

export type CallOptions = {
  /** Asks the call to stop; it says itself how it ended. */
  signal?: AbortSignal | undefined;
  report?(share: number, message: string): void;
  /** Without an answer for longer, ms, what works on it is ended. */
  limitMs?: number;
};

/** Functions in a process or a thread, called as if they were here. */
export type Caller<C extends Calls> = {
  /** Throws what the function throws, and what `lost` made of the end when it came before the answer. */
  call<N extends keyof C & string>(
    name: N,
    input: Parameters<C[N]>[0],
    options?: CallOptions,
  ): Promise<Awaited<ReturnType<C[N]>>>;
  isBusy(): boolean;
  /** Asks everything that it is at to stop. */
  stopAll(): void;
  /** Lets it end by itself, once what it is at is over. */
  leave(): void;
  kill(): Promise<RunEnding>;
  ended: Promise<RunEnding>;
};

type Asked = { done(value: unknown): void; failed(error: unknown): void; report: CallOptions['report'] };

/**
 * Calls to what `start` starts (startThread or startProcess), which keeps this process from ending only while it has work. `lost`
 * makes the error of calls that got no answer.
 */
export function openCaller<C extends Calls>(
  start: (wishes: Pick<Wishes<CallAnswer>, 'accepts' | 'onMessage'>) => Started<CallOrder>,
  lost: (ending: RunEnding) => unknown = lostCall,
): Caller<C> {
  const asked = new Map<number, Asked>();
  let n = 0;
  let isLeaving = false;
  let ending: RunEnding | null = null;
  const started = start({
    accepts: isAnswer,
    onMessage(answer) {
      if (answer.type === 'progress') asked.get(answer.n)?.report?.(answer.share, answer.message);
      else if (answer.type === 'done') settled(answer.n)?.done(answer.value);
      else {
        const { code, message, details } = answer.error;
        settled(answer.n)?.failed(new StudioError(code, message, details));
      }
    },
  });
  started.hold(false);
  void started.ended.then((how) => {
    ending = how;
    for (const id of [...asked.keys()]) settled(id)?.failed(lost(how));
  });

  function settled(id: number): Asked | undefined {
    const one = asked.get(id);
    asked.delete(id);
    if (asked.size === 0 && ending === null) {
      started.hold(false);
      if (isLeaving) started.send({ type: 'leave' });
    }
    return one;
  }

  return {
    ended: started.ended,
    isBusy: () => asked.size > 0,
    stopAll() {
      for (const id of asked.keys()) started.send({ type: 'stop', n: id });
    },
    leave() {
      if (isLeaving) return;
      isLeaving = true;
      started.hold(true);
      if (asked.size === 0) started.send({ type: 'leave' });
    },
    kill: () => started.kill(),
    call: (name, input, { signal, report, limitMs } = {}) =>
      new Promise<Awaited<ReturnType<C[typeof name]>>>((done, failed) => {
        if (ending) return failed(lost(ending));
        const id = ++n;
        const stop = (): void => started.send({ type: 'stop', n: id });
        const late = (): void => {
          settled(id)?.failed(lost({ why: 'silent', silentMs: limitMs!, status: null, signal: null, last: '' }));
          void started.kill();
        };
        const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs);
        const forget = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
        };
        asked.set(id, {
          report,
          done(value) {
            forget();
            done(value as Awaited<ReturnType<C[typeof name]>>); // The function of this name gave it.
          },
          failed(error) {
            forget();
            failed(error);
          },
        });
        started.hold(true);
        started.send({ type: 'call', n: id, name, input });
        signal?.addEventListener('abort', stop, { once: true });
        if (signal?.aborted) stop();
      }),
  };
}

function lostCall(ending: RunEnding): unknown {
  const { why, error } = ending;
  if (why === 'aborted' && error !== undefined) return error;
  if (why === 'aborted' || why === 'killed') return new StudioError('CANCELLED', 'It was stopped.', {});
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new StudioError(
        'OUT_OF_MEMORY',
        'There was not enough memory for it. Close other programs, or take fewer recordings.',
      )
    : new StudioError('INTERNAL', `The thread that worked on it has ended: ${endingInWords(ending)}.`);
}
