import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { breathe, inTurnsOf } from '../store/breathe.ts';
import type { Handler } from './handler.ts';

/** Said at the end of every answer, so not made anew with a stack each time. */
const GONE = new DOMException('The connection of this request is closed.', 'AbortError');

/**
 * Node's request as the Fetch standard's, and its answer back. A client that is gone aborts both. `who`: whose it is as far as is
 * known: nothing is done for it before it is their turn.
 */
export function answer(from: IncomingMessage, to: ServerResponse, handler: Handler | null, who = ''): Promise<void> {
  return inTurnsOf(who, () => answerInTurn(from, to, handler));
}

async function answerInTurn(from: IncomingMessage, to: ServerResponse, handler: Handler | null): Promise<void> {
  const gone = new AbortController();
  to.once('close', () => gone.abort(GONE));
  to.on('error', () => gone.abort(GONE));
  try {
    await breathe();
    if (gone.signal.aborted) return;
    const request = toRequest(from, gone.signal);
    if (request === null || handler === null) {
      to.writeHead(400).end();
      return;
    }
    await send(await handler(request, from.socket.remoteAddress), to, from.method === 'HEAD');
  } catch {
    // The client is gone, or the answer broke while it was sent: nothing can be said any more.
    to.destroy();
  }
}

function toRequest(from: IncomingMessage, signal: AbortSignal): Request | null {
  const { url = '/', method = 'GET', headers } = from;
  const host = headers.host;
  // Node takes the first of several; a proxy before it may have looked at another.
  if (from.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1) return null;
  // Not `new URL(url, base)`: an address like //other/ would become another host's.
  if (
    !url.startsWith('/') ||
    host === undefined ||
    !/^[\w.:[\]-]+$/.test(host) ||
    !URL.canParse(`http://${host}${url}`)
  )
    return null;
  const plain = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) plain.append(name, one);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // Node's type of the same stream.
  const body = hasBody ? (Readable.toWeb(from) as ReadableStream<Uint8Array>) : null;
  // `duplex` is the standard's, but not yet in TypeScript's types of it.
  const init: RequestInit & { duplex: 'half' } = { method, headers: plain, body, signal, duplex: 'half' };
  return new Request(`http://${host}${url}`, init);
}

async function send(response: Response, to: ServerResponse, headOnly: boolean): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (name !== 'set-cookie') headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  to.writeHead(response.status, headers);
  if (headOnly || response.body === null) {
    to.end();
    return;
  }
  // The head and the part of the body that is ready are sent in one piece, since each write wakes the reader. A body that comes
  // later, such as the first event of a stream, does not keep the head back.
  // The socket, not the answer: Node ends an answer in chunks before the chunks that its own cork holds back.
  const { socket } = to;
  socket?.cork();
  setImmediate(() => socket?.uncork());
  to.flushHeaders();
  // Node's type of the same stream.
  await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), to);
}
