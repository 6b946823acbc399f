import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { ERROR_EXIT, type ErrorCode, StudioError } from '../../../schemas/errors.ts';

/** Requests to a team's server, with its answers and all that can be in between put into words. */

export type TeamServer = {
  /** Such as https://studio.lab.org. */
  origin: string;
  /** Made by `tokens make`; never in a message, a log or a note. */
  token: string;
};

export type WireAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

type Asking = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  /** Exactly so many bytes. */
  body?: { bytes: number; pieces: AsyncIterable<Buffer> };
  signal: AbortSignal;
  /** Nothing went either way for so long: the connection is taken for dead, ms. */
  silenceMs?: number;
};

const SILENCE_MS = 60_000;
const MOST_ANSWER = 64 << 20;

/**
 * Whether it may be well again by itself: the network, a proxy without a server behind it, a full disk there. Everything else
 * needs a person.
 */
export const passes = (error: unknown): boolean => error instanceof StudioError && error.details.passes === true;

const unreachable = (message: string, isPassing: boolean, cause?: unknown): StudioError =>
  new StudioError('UNREACHABLE', message, { ...(isPassing && { passes: true }) }, { cause });

/** The answer, whatever it is. Throws UNREACHABLE, CANCELLED. */
export async function askServer(server: TeamServer, path: string, asking: Asking): Promise<WireAnswer> {
  const { method = 'GET', headers = {}, body, signal, silenceMs = SILENCE_MS } = asking;
  const url = new URL(path, server.origin);
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    signal.throwIfAborted();
    const request = start(url, {
      method,
      signal,
      headers: {
        ...headers,
        authorization: `Bearer ${server.token}`,
        accept: 'application/json',
        ...(body && { 'content-length': body.bytes }),
      },
    });
    request.setTimeout(silenceMs, () => request.destroy(new Error(`nothing came for ${silenceMs / 1000} seconds`)));
    return await exchange(request, body?.pieces, method === 'HEAD');
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
    if (error instanceof StudioError) throw error;
    throw unreachable(...whyUnreachable(error, server.origin), error);
  }
}

async function exchange(
  request: ClientRequest,
  pieces: AsyncIterable<Buffer> | undefined,
  headOnly: boolean,
): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  request.on('error', reject);
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > MOST_ANSWER) request.destroy(new Error('its answer has no end'));
      else parts.push(part);
    });
    response.on('error', reject);
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      // It may have answered before it had everything: the rest is not sent.
      if (!request.writableFinished) request.destroy();
    });
    if (headOnly) response.resume();
  });
  if (pieces) {
    // An answer that comes first counts, also when the rest could no longer be sent.
    pipeline(Readable.from(pieces), request).catch((error: unknown) => {
      if (error instanceof StudioError) reject(error);
      else setTimeout(() => reject(error), LAST_WORD_MS);
    });
  } else {
    request.end();
  }
  return promise;
}

/** So long an answer is waited for when the sending of a request broke off, ms. */
const LAST_WORD_MS = 500;

const CERTIFICATE_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

function whyUnreachable(error: unknown, origin: string): [message: string, isPassing: boolean] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (CERTIFICATE_TIME.has(code)) {
    const now = new Date().toISOString().slice(0, 16).replace('T', ' ');
    return [
      `The certificate of ${origin} does not hold at the time that this machine shows (${now} UTC). Look at this machine's clock first; if it is right, the server's administrator renews the certificate.`,
      false,
    ];
  }
  if (/^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code))
    return [`The certificate of ${origin} is not trusted here (${code}). Check the address.`, false];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return [`${origin} does not speak https at this port. Check the address.`, false];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [`The name ${new URL(origin).hostname} is not known: check the address, and the network.`, true];
  if (code === 'ECONNREFUSED')
    return [`Nothing listens at ${origin}: it may be starting, or the address is wrong.`, true];
  const why = code || (error instanceof Error ? error.message : String(error));
  return [`The connection to ${origin} was lost (${why.slice(0, 100)}).`, true];
}

/** The bytes of a file of the server as they come, of any number. Throws what the server answered, UNREACHABLE, CANCELLED. */
export async function* streamFrom(
  server: TeamServer,
  path: string,
  { signal, silenceMs = SILENCE_MS }: Pick<Asking, 'signal' | 'silenceMs'>,
): AsyncGenerator<Buffer> {
  const url = new URL(path, server.origin);
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    signal.throwIfAborted();
    const request = start(url, { signal, headers: { authorization: `Bearer ${server.token}` } });
    request.setTimeout(silenceMs, () => request.destroy(new Error(`nothing came for ${silenceMs / 1000} seconds`)));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
    const response = await promise;
    if (response.statusCode !== 200) {
      const { statusCode: status = 0, headers } = response;
      throw refusalIn({ status, headers, body: await firstBytes(response) }, server);
    }
    yield* response as AsyncIterable<Buffer>;
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
    if (error instanceof StudioError) throw error;
    throw unreachable(...whyUnreachable(error, server.origin), error);
  }
}

/** The body of a refusal; one without an end is cut. */
async function firstBytes(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > 1 << 20) break;
  }
  return Buffer.concat(parts);
}

/** The value of a JSON answer by its schema. Throws what the server answered, UNREACHABLE for what is no studio's server. */
export async function askTeam<T>(server: TeamServer, path: string, schema: z.ZodType<T>, asking: Asking): Promise<T> {
  const answer = await askServer(server, path, asking);
  if (answer.status !== 200) throw refusalIn(answer, server);
  const value = jsonOf(answer);
  if (value === undefined) throw noServer(answer, server);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new StudioError(
    'FUTURE_VERSION',
    `${server.origin} answers in another way than this program knows (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'does not fit'}). One of both is older: update it.`,
    {},
  );
}

function jsonOf({ headers, body }: WireAnswer): unknown {
  if (!/\bjson\b/.test(headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** The refusal in an answer, as an error. */
export function refusalIn(answer: WireAnswer, server: TeamServer): StudioError {
  const value = jsonOf(answer);
  const said = typeof value === 'object' && value !== null ? value : {};
  const [code, message, given]: unknown[] = ['code', 'message', 'details'].map((name) => Reflect.get(said, name));
  if (typeof code !== 'string' || typeof message !== 'string' || !Object.hasOwn(ERROR_EXIT, code))
    return noServer(answer, server);
  const details = typeof given === 'object' && given !== null ? given : {};
  if (code === 'SIGNED_OUT') {
    return new StudioError(
      'SIGNED_OUT',
      `${server.origin} does not take this token: it is not known, was revoked, or has ended. Make a new one there: \`tokens make recorder --member YOU --scopes see,record\`.`,
      {},
    );
  }
  const isPassing = answer.status === 429 || answer.status >= 500;
  const words = message.slice(0, 2000).replaceAll(server.token, '…');
  return new StudioError(code as ErrorCode, `${server.origin}: ${words}`, {
    ...details,
    ...(isPassing && { passes: true }),
  });
}

/** Something else answers at the address; or a proxy whose server is gone. */
function noServer({ status, headers, body }: WireAnswer, { origin }: TeamServer): StudioError {
  const to = headers.location;
  if (status >= 300 && status < 400 && to !== undefined) {
    const there = URL.canParse(to, origin) ? new URL(to, origin).origin : to.slice(0, 100);
    return unreachable(
      `${origin} sends on to ${there}. Give the address at which people find the server itself.`,
      false,
    );
  }
  if (status >= 500 || status === 429)
    return unreachable(`${origin} answers ${status}: its proxy finds no studio behind it, or is busy.`, true);
  if (status === 413)
    return new StudioError('UNREACHABLE', `A proxy before ${origin} takes no piece of this size.`, { tooLarge: true });
  const title = /<title>([^<]{1,80})/i.exec(body.subarray(0, 20_000).toString('utf8'))?.[1]?.trim();
  const shown = title ? ` ("${title}")` : '';
  return unreachable(
    `${origin} is no team's server of Trajectory Studio: it answers ${status} with ${headers['content-type']?.split(';')[0] ?? 'nothing'}${shown}. Check the address; a server of an older version takes no recordings.`,
    false,
  );
}
