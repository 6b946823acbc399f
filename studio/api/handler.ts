import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { ORPCError } from '@orpc/server';
import { BodyLimitPlugin, RPCHandler } from '@orpc/server/fetch';
import { StudioError } from '../../schemas/errors.ts';
import { breathe } from '../store/breathe.ts';
import { personIn } from './blind.ts';
import { apiErrorBody, errorResponse, toOrpcError } from './errors.ts';
import { serveFiles } from './files.ts';
import type { Guard } from './guard.ts';
import { describeApi } from './openapi.ts';
import { NO_CONTENT_POLICY, SAFE_HEADERS, servePages } from './pages.ts';
import { router } from './router.ts';
import type { AskedStudio, Studio } from './studio.ts';
import { isLarge, writeSlowly } from './write-slowly.ts';

export type Handler = (request: Request) => Promise<Response>;

type HandlerOptions = {
  studio: Studio;
  guard: Guard;
  /** False where other machines are let in. */
  isLocal: boolean;
  /** The built pages: a folder with index.html. */
  pages: string;
  /** Between two signs of life of an event stream, ms. */
  heartbeatMs?: number;
};

/** The largest body of a procedure, bytes: a gesture over 20,000 records fits. */
const MOST_BODY = 32 * 1024 * 1024;
const HEARTBEAT_MS = 10_000;

/**
 * The whole studio as one function of the Fetch standard: /rpc (the pages), /api (scripts) with /api/openapi.json, /files
 * (pictures, videos, attachments, with ranges), and the pages themselves. The browser edition puts an HTTP listener before
 * it, the desktop edition its own protocol.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { studio, guard, pages, isLocal, heartbeatMs = HEARTBEAT_MS } = options;
  const context: AskedStudio = { ...studio, isLocal };
  /** `before` and `after`: what is around an answer. */
  const optionsOf = (before: string, after: string) => ({
    plugins: [new BodyLimitPlugin<AskedStudio>({ maxBodySize: MOST_BODY })],
    // The answer is one of our errors also where no procedure was reached: a body that is no JSON, a wrong field.
    interceptors: [
      async <T>({ next }: { next(): Promise<T> }): Promise<T> => {
        try {
          return await next();
        } catch (error) {
          // A procedure's own errors are oRPC's by now, so anything else came of reading the request.
          throw toOrpcError(error instanceof ORPCError ? error : unreadable());
        }
      },
    ],
    // Others are let in before an answer that was checked is written as text.
    clientInterceptors: [
      async <T>({ next }: { next(): Promise<T> }): Promise<T> => {
        await breathe();
        const output = await next();
        await breathe();
        // A stream is sent as it is, whatever the procedure's answer is said to be.
        return isLarge(output) ? (writeSlowly(output, before, after) as T) : output;
      },
    ],
    eventIteratorKeepAliveEnabled: true,
    eventIteratorKeepAliveInterval: heartbeatMs,
  });
  // The form in which @orpc/client's StandardRPCSerializer writes an answer of plain JSON.
  const rpc = new RPCHandler(router, optionsOf('{"json":', '}'));
  const api = new OpenAPIHandler(router, { ...optionsOf('', ''), customErrorResponseBodyEncoder: apiErrorBody });
  const files = serveFiles(context);
  const page = servePages(pages, () => studio.settings.get().pageLanguage);
  let description: Promise<unknown> | null = null;

  async function route(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/health')
      return Response.json({ name: 'trajectory-studio', version: studio.version, pid: process.pid });
    if (pathname === '/api/openapi.json') {
      description ??= describeApi(studio.version);
      return Response.json(await description);
    }
    const handler = pathname.startsWith('/rpc/') ? rpc : pathname.startsWith('/api/') ? api : null;
    if (handler) {
      const prefix = handler === rpc ? '/rpc' : '/api';
      const { response } = await handler.handle(request, {
        prefix,
        context: { ...context, person: personIn(request.headers) },
      });
      if (!response)
        return errorResponse(new StudioError('UNKNOWN_FILE', `There is no ${request.method} ${pathname}.`, {}));
      // The text of writeSlowly has no content type yet.
      if (response.body && !response.headers.has('content-type'))
        response.headers.set('content-type', 'application/json');
      return response;
    }
    return pathname.startsWith('/files/') ? files(request) : page(request);
  }

  return async (request) => {
    let response: Response;
    try {
      response = guard(request) ?? (await route(request));
    } catch (error) {
      response = errorResponse(error);
    }
    return withSafeHeaders(response);
  };
}

const unreadable = (): StudioError =>
  new StudioError(
    'USAGE',
    'The body of the request cannot be read. Send JSON with `Content-Type: application/json`.',
    {},
  );

function withSafeHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(SAFE_HEADERS)) headers.set(name, value);
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_CONTENT_POLICY);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
