import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Where the studio process listens, and the secret that it wants with each request. */
export type Pipe = { path: string; token: string };

/** Headers that must not be forwarded: the connection's own, and those that only we may tell the studio's guard. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'host',
  'authorization',
  'cookie',
  'te',
]);

// A stream of events holds a connection for as long as a page is open, so there is no bound.
const agent = new Agent({ keepAlive: true });

/**
 * Hands a request of a page to the studio process and its answer back, both as streams: a recording's video in ranges,
 * events as they come, uploads of any size. Rejects when the studio is not there.
 */
export async function forward(request: Request, { path, token }: Pipe): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) if (!HOP.has(name.toLowerCase())) headers[name] = value;
  headers.host = 'app';
  headers.authorization = `Bearer ${token}`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = httpRequest(
    { socketPath: path, method: request.method, path: `${pathname}${search}`, headers, agent },
    resolve,
  );
  asked.once('error', reject);
  request.signal.addEventListener('abort', () => asked.destroy(), { once: true });
  if (request.body === null) asked.end();
  // Node's type of the same stream.
  else
    Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
      .on('error', () => asked.destroy())
      .pipe(asked);
  return toResponse(await promise);
}

/** Statuses whose answer has no body by the Fetch standard. */
const EMPTY = new Set([101, 204, 205, 304]);

function toResponse(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (HOP.has(name) || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  if (EMPTY.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  // The page went away: the studio is told by the closed connection.
  const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}

/** Asks the API for JSON. Rejects with the API's own words when it refuses. */
export async function askJson(pipe: Pipe, path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const response = await forward(new Request(`studio://app${path}`, { ...init, headers }), pipe);
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const message: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'message') : null;
  throw new Error(typeof message === 'string' ? message : `the studio answered ${response.status}`);
}

/** Follows a stream of events until it ends, breaks (rejects) or is aborted. */
export async function followEvents(
  pipe: Pipe,
  path: string,
  signal: AbortSignal,
  onData: (value: unknown) => void,
): Promise<void> {
  const response = await forward(new Request(`studio://app${path}`, { signal }), pipe);
  if (!response.ok || !response.body) throw new Error(`${path} answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    const parts = `${rest}${value}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) onData(JSON.parse(data.join('\n')));
    }
  }
}
