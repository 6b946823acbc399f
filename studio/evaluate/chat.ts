import { StudioError } from '../../schemas/errors.ts';
import { readBeginning, readReply, type Usage } from './chat-reply.ts';
import { hidden, SHORTEST_SECRET } from './hidden-key.ts';

/**
 * A client for OpenAI-compatible chat endpoints. It talks to the address that the user named and to no other (redirects
 * are refused); the key comes from the caller's environment and is never written, logged or put into an error.
 */

export type ChatOptions = {
  /** `https://host/v1`, or the whole address that ends in `/chat/completions`. */
  endpoint: string;
  model: string;
  key: string | null;
  /** Requests a minute; null: no limit. */
  rate: number | null;
  timeoutMs: number;
  /** Tries of one question before it is given up. */
  tries: number;
  /** Wait before the second try; doubled each time, at most a minute. */
  backoffMs: number;
  /** Longest answer, tokens; null: the endpoint's own. */
  maxTokens: number | null;
  stream: boolean;
  signal?: AbortSignal;
  /** Each wait before another try. */
  onRetry?: (why: string, waitMs: number) => void;
};

export type ChatPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };
export type Reply = { text: string; usage: Usage };
type Chat = { ask(parts: readonly ChatPart[]): Promise<Reply> };

const LONGEST_WAIT_MS = 60_000;
/** A server may ask for more, but nobody wants to find a run asleep in the morning. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

/** Throws USAGE for an address that cannot be taken. `ask` throws ENDPOINT_FAILED, CANCELLED. */
export function createChat(options: ChatOptions): Chat {
  const url = endpointUrl(options.endpoint);
  let nextSlot = 0;
  const turn = async (): Promise<void> => {
    if (options.rate === null) return;
    const now = performance.now();
    const at = Math.max(now, nextSlot);
    nextSlot = at + 60_000 / options.rate;
    await pause(at - now, options.signal);
  };
  return {
    async ask(parts) {
      for (let attempt = 1; ; attempt++) {
        await turn();
        const outcome = await tryOnce(url, parts, options);
        if ('text' in outcome) return outcome;
        options.signal?.throwIfAborted();
        if (outcome.final || attempt >= options.tries) throw failed(url, outcome, attempt);
        const backoff = Math.min(LONGEST_WAIT_MS, options.backoffMs * 2 ** (attempt - 1));
        const wait = outcome.retryAfterMs === null ? backoff : Math.min(LONGEST_RETRY_AFTER_MS, outcome.retryAfterMs);
        options.onRetry?.(outcome.why, wait);
        await pause(wait, options.signal);
      }
    },
  };
}

/** Throws USAGE: no address, not http(s), or with a password in it (which would end up in files). `words`: of the asker. */
export function endpointUrl(endpoint: string, words = { field: '--endpoint', key: 'by --key-env' }): string {
  const bad = (why: string) =>
    new StudioError('USAGE', `${words.field} ${why}. It takes an address such as http://127.0.0.1:8000/v1.`, {});
  if (!URL.canParse(endpoint)) throw bad(`"${endpoint}" is no address`);
  const url = new URL(endpoint);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw bad(`"${url.protocol}" is not http or https`);
  if (url.username !== '' || url.password !== '')
    throw bad(`must not hold a user or password: give the key ${words.key}`);
  if (!url.pathname.endsWith('/chat/completions'))
    url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`;
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

async function tryOnce(url: string, parts: readonly ChatPart[], options: ChatOptions): Promise<Reply | Failure> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const content = parts.length === 1 && parts[0]!.type === 'text' ? parts[0]!.text : parts;
  const body = {
    model: options.model,
    messages: [{ role: 'user', content }],
    temperature: 0,
    ...(options.maxTokens === null ? {} : { max_tokens: options.maxTokens }),
    ...(options.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.key === null ? {} : { authorization: `Bearer ${options.key}` }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
    if (!response.ok) return await refusal(response, options.key);
    const reply = await readReply(response);
    if ('problem' in reply) return { why: reply.problem, final: false, everything: false, retryAfterMs: null };
    return { ...reply, text: hiddenInAnswer(reply.text, options.key) };
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
function hiddenInAnswer(text: string, key: string | null): string {
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
