import { isEntry, log, takeEntry } from '../log/log.ts';
import type { RunEnding } from './ending.ts';

/** What whoever starts a process or a thread wishes of it. */
export type Wishes<Out> = {
  /** Whether this is one of its messages (`protocol`). Anything else ends it: it is not the program that was meant. */
  accepts(message: unknown): message is Out;
  /** Never called once it was ended from here. */
  onMessage(message: Out): void;
  /** Ends it; `ended` then says `aborted`. */
  signal?: AbortSignal | undefined;
  /** How long it may say nothing, ms, as of now; null while it may be silent. The time in which the machine sleeps is not counted. */
  silentMs?(): number | null;
};

/** A process or a thread that runs. */
export type Started<In> = {
  pid: number | undefined;
  /** Lost without a word when it is gone: `ended` says so. */
  send(message: In): void;
  /** Whether it keeps this process alive, as it does at first. */
  hold(isHeld: boolean): void;
  /** Ends it and all that it has started, at once, and resolves when it is gone. */
  kill(): Promise<RunEnding>;
  /** Never rejects. All its messages were handed on before. */
  ended: Promise<RunEnding>;
};

/** Between two looks for silence, ms: a tenth of the limit, within these. */
const MOST_BETWEEN = 1000;
const LEAST_BETWEEN = 20;

/** A check of messages from the names of their types, all of which the compiler asks for. */
export const protocol =
  <M extends { type: string }>(types: Readonly<Record<M['type'], true>>) =>
  (message: unknown): message is M =>
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    typeof message.type === 'string' &&
    Object.hasOwn(types, message.type);

type Supervised = {
  /** Something came from it. */
  received(message: unknown): void;
  /** Why it is ended from here; the first reason counts. */
  stop(why: Pick<RunEnding, 'why' | 'error' | 'silentMs'>): void;
  /** Ends it, and resolves when it is gone: until then this process goes on, also where nothing else holds it. */
  kill(): Promise<RunEnding>;
  /** It is gone: by itself, unless it was ended from here. */
  gone(how: Omit<RunEnding, 'last'>): void;
  ended: Promise<RunEnding>;
};

/** What processes and threads have in common. `name` is for the log; `kill` must lead to `gone`. */
export function supervise<Out>(
  name: string,
  { accepts, onMessage, signal, silentMs }: Wishes<Out>,
  { kill, last }: { kill(): void; last(): string },
): Supervised {
  const { promise: ended, resolve } = Promise.withResolvers<RunEnding>();
  const begun = performance.now();
  let cause: Pick<RunEnding, 'why' | 'error' | 'silentMs'> | null = null;
  let isOver = false;
  let silent = 0;
  let timer: NodeJS.Timeout | undefined;

  function stop(why: NonNullable<typeof cause>): void {
    if (cause || isOver) return;
    cause = why;
    kill();
  }
  const abort = (): void => stop({ why: 'aborted', error: signal?.reason });
  function watch(): void {
    const limit = silentMs?.() ?? null;
    // Where it may be silent there is nothing to look for: ten looks a second cost the command that records more than all else it does.
    const between = limit === null ? MOST_BETWEEN : Math.min(MOST_BETWEEN, Math.max(LEAST_BETWEEN, limit / 10));
    timer = setTimeout(() => {
      silent = limit === null ? 0 : silent + between;
      if (limit !== null && silent >= limit) stop({ why: 'silent', silentMs: limit });
      else watch();
    }, between).unref();
  }

  log.debug('started', { name });
  if (silentMs) watch();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) queueMicrotask(abort);
  return {
    ended,
    stop,
    kill() {
      // Where it is not held, neither its end nor a timer that is let go would keep this process for who waits here.
      const held = setInterval(() => undefined, MOST_BETWEEN);
      stop({ why: 'killed' });
      return ended.finally(() => clearInterval(held));
    },
    received(message) {
      if (cause || isOver) return;
      silent = 0;
      if (isEntry(message)) takeEntry(message);
      else if (accepts(message)) onMessage(message);
      else stop({ why: 'senseless' });
    },
    gone(how) {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      const ending: RunEnding = { ...how, ...cause, last: last() };
      const { why, status, error } = ending;
      const isWell = why === 'aborted' || why === 'killed' || (why === 'ended' && status === 0);
      log[isWell ? 'debug' : 'warn']('gone', {
        name,
        why,
        status,
        ms: performance.now() - begun,
        ...(!isWell && { error }),
      });
      resolve(ending);
    },
  };
}

/** The end of a text that comes in pieces, however long it is. */
export function tailOf(most = 2000): { add(piece: Buffer): void; text(): string } {
  let tail = Buffer.alloc(0);
  return {
    add(piece) {
      tail = Buffer.concat([tail, piece]).subarray(-most);
    },
    text: () => tail.toString('utf8').trim(),
  };
}
