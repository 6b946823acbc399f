import { StudioError } from '../../schemas/errors.ts';
import { readBeginning } from './chat-reply.ts';
import { hidden, SHORTEST_SECRET } from './hidden-key.ts';

/**
 * Requests to a model's endpoint, whatever protocol it speaks. They go to the address that the user named and to no other
 * (redirects are refused); the key comes from the caller's environment and is never written, logged or put into an error.
 */

export type SendOptions = {
  key: string | null;
  /** Requests a minute; null: no limit. */
  rate: number | null;
  timeoutMs: number;
  /** Tries of one question before it is given up. */
  tries: number;
  /** Wait before the second try; doubled each time, at most a minute. */
  backoffMs: number;
  signal?: AbortSignal;
  /** Each wait before another try. */
  onRetry?: (why: string, waitMs: number) => void;
};

/** One request; `read` gives a `problem` for an answer that may come better at another try. */
type Sending<T> = {
  url: string;
  headers: Record<string, string>;
  /** JSON, or a form, which says of itself what it is. */
  body: string | FormData;
  read(response: Response): Promise<{ answer: T } | { problem: string }>;
};
type Endpoint = { send<T>(sending: Sending<T>): Promise<T> };

const LONGEST_WAIT_MS = 60_000;
/** A server may ask for more, but nobody wants to find a run asleep in the morning. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

/** `send` throws ENDPOINT_FAILED, and the reason of the signal. */
export function createEndpoint(options: SendOptions): Endpoint {
  let nextSlot = 0;
  const turn = async (): Promise<void> => {
    if (options.rate === null) return;
    const now = performance.now();
    const at = Math.max(now, nextSlot);
    nextSlot = at + 60_000 / options.rate;
    await pause(at - now, options.signal);
  };
  return {
    async send(sending) {
      for (let attempt = 1; ; attempt++) {
        await turn();
        const outcome = await tryOnce(sending, options);
        if ('answer' in outcome) return outcome.answer;
        options.signal?.throwIfAborted();
        if (outcome.final || attempt >= options.tries) throw failed(sending.url, outcome, attempt);
        const backoff = Math.min(LONGEST_WAIT_MS, options.backoffMs * 2 ** (attempt - 1));
        const wait = outcome.retryAfterMs === null ? backoff : Math.min(LONGEST_RETRY_AFTER_MS, outcome.retryAfterMs);
        options.onRetry?.(outcome.why, wait);
        await pause(wait, options.signal);
      }
    },
  };
}

const FIELD = { field: '--endpoint', key: 'by --key-env' };

/** An endpoint's address. Throws USAGE: none, not http(s), or with a password in it (which would end up in files). */
export function addressOf(endpoint: string, words = FIELD): URL {
  const bad = (why: string) =>
    new StudioError('USAGE', `${words.field} ${why}. It takes an address such as http://127.0.0.1:8000/v1.`, {});
  if (!URL.canParse(endpoint)) throw bad(`"${endpoint}" is no address`);
  const url = new URL(endpoint);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw bad(`"${url.protocol}" is not http or https`);
  if (url.username !== '' || url.password !== '')
    throw bad(`must not hold a user or password: give the key ${words.key}`);
  return url;
}

/** The address with this at the end of its path, unless it stands there. Throws USAGE. */
export function addressWith(endpoint: string, end: string, words = FIELD): string {
  const url = addressOf(endpoint, words);
  if (!url.pathname.endsWith(end)) url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${end}`;
  return url.href;
}

type Failure = {
  why: string;
  /** Asking again cannot help. */
  final: boolean;
  /** Nor can asking anything else. */
  everything: boolean;
  retryAfterMs: number | null;
};

async function tryOnce<T>(
  { url, headers, body, read }: Sending<T>,
  options: SendOptions,
): Promise<{ answer: T } | Failure> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: typeof body === 'string' ? { 'content-type': 'application/json', ...headers } : headers,
      body,
      redirect: 'error',
      signal,
    });
    if (!response.ok) return await refusal(response, options.key);
    const reply = await read(response);
    if ('problem' in reply) return { why: reply.problem, final: false, everything: false, retryAfterMs: null };
    return reply;
  } catch (error) {
    const why = timeout.aborted ? `no answer within ${options.timeoutMs / 1000} s` : reason(error);
    return { why: hidden(why, options.key), final: false, everything: false, retryAfterMs: null };
  }
}

/** The error for an answer that is not 2xx: 408, 409, 425, 429 and 5xx are worth another try. */
async function refusal(response: Response, key: string | null): Promise<Failure> {
  const { status } = response;
  const text = (await errorText(response, key)).slice(0, LONGEST_ERROR);
  const again = [408, 409, 425, 429].includes(status) || status >= 500;
  return {
    why: `status ${status}${text === '' ? '' : `: ${text}`}`,
    final: !again,
    everything: [401, 402, 403, 404, 405].includes(status),
    retryAfterMs: again ? retryAfter(response.headers.get('retry-after')) : null,
  };
}

/** Seconds or a date (RFC 9110, 10.2.3), as ms from now. */
export function retryAfter(value: string | null, now = Date.now()): number | null {
  if (value === null) return null;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function failed(url: string, { why, everything }: Failure, tries: number): StudioError {
  const many = tries === 1 ? '' : ` after ${tries} tries`;
  return new StudioError('ENDPOINT_FAILED', `${new URL(url).origin} gave no usable answer${many}: ${why}`, {
    endpoint: new URL(url).origin,
    tries,
    everything,
  });
}

const LONGEST_ERROR = 500;
/** So much of an error's body is read; a server may send it without end. */
const MOST_ERROR_READ = 65_536;
const LONGEST_UNKNOWN = 200;

/** An error's body on one line, the key hidden before anything is cut: half a key is a secret, too. */
async function errorText(response: Response, key: string | null): Promise<string> {
  const { text, whole } = await readBeginning(response, MOST_ERROR_READ).catch(() => ({ text: '', whole: true }));
  // The reading may have ended in the middle of a key, whose beginning is then too short to be known for one.
  return hidden(whole ? text : text.slice(0, -LONGEST_UNKNOWN), key)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Answers go into predictions, caches and comments, where a key must not stand either. */
export function hiddenInAnswer(text: string, key: string | null): string {
  return key !== null && key.trim().length >= SHORTEST_SECRET ? hidden(text, key) : text;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}

/** Waits, or throws the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
