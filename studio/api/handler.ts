import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import { ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fetch';
import { StudioError } from '../../schemas/errors.ts';
import { typedPath } from '../session/recent.ts';
import { breathe } from '../store/breathe.ts';
import { personIn } from './blind.ts';
import { createBodies } from './bodies.ts';
import { apiErrorBody, errorResponse, toOrpcError } from './errors.ts';
import { serveFiles } from './files.ts';
import type { Guard } from './guard.ts';
import { ACCOUNT } from './members/principal.ts';
import { describeApi } from './openapi.ts';
import { NO_CONTENT_POLICY, SAFE_HEADERS, servePages, type TeamTold } from './pages.ts';
import { ownInput, refuseCall } from './rights.ts';
import { router } from './router.ts';
import type { AskedStudio, Studio } from './studio.ts';
import { toldAnswer, toldError } from './told.ts';
import { createTurns } from './turns.ts';
import { isLarge, writeSlowly } from './write-slowly.ts';

/** `peer`: the address of whoever is at the other end of the connection; absent on a pipe. */
export type Handler = (request: Request, peer?: string) => Promise<Response>;

/** Lets a request in, or answers it. */
export type Door = (request: Request, peer: string | undefined) => Response | Admitted | Promise<Response | Admitted>;

/** Somebody who was let in. */
export type Admitted = {
  /** The same, or one that ends with the caller's session. */
  request: Request;
  context: AskedStudio;
  /** They may have the pages alone, which hold nothing of anybody. */
  isStranger: boolean;
};

type HandlerOptions = {
  studio: Studio;
  door: Door;
  /** It is a team's server: who asks for a page is told so. */
  team?: TeamTold | null;
  /** The built pages: a folder with index.html. */
  pages: string;
  /** Between two signs of life of an event stream, ms. */
  heartbeatMs?: number;
};

const HEARTBEAT_MS = 10_000;

/**
 * The whole studio as one function of the Fetch standard: /rpc (the pages), /api (scripts) with /api/openapi.json, /files
 * (pictures, videos, attachments, with ranges), and the pages themselves. The browser edition puts an HTTP listener before
 * it, the desktop edition its own protocol.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { studio, door, pages, team = null, heartbeatMs = HEARTBEAT_MS } = options;
  const turns = createTurns();
  async function inTurn<T>({ context, path, signal }: Called<T>, work: () => Promise<T>): Promise<T> {
    try {
      return await turns({ principal: context.principal, name: path.join('.'), signal }, work);
    } catch (error) {
      throw toOrpcError(error);
    }
  }
  /** `before` and `after`: what is around an answer. */
  const optionsOf = (before: string, after: string) => ({
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
      async <T>(call: Called<T>): Promise<T> => {
        await breathe();
        const output = await inTurn(call, () => toldOutput(call));
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
  const page = servePages(pages);
  const withBody = createBodies();
  const callsOfApi = new StandardOpenAPIMatcher();
  callsOfApi.init(router);
  let description: Promise<unknown> | null = null;

  /** A caller without the right to a call is told so before a large body of it is read. */
  async function refuseUnread({ request, context }: Admitted, pathname: string): Promise<void> {
    const path = pathname.startsWith('/rpc/')
      ? pathname.slice('/rpc/'.length).split('/')
      : (await callsOfApi.match(request.method, pathname.slice('/api'.length) as `/${string}`))?.path;
    if (path) refuseCall(context.principal, path.join('.'), undefined);
  }

  async function route(caller: Admitted): Promise<Response> {
    const { request, context, isStranger } = caller;
    const { pathname } = new URL(request.url);
    if (isStranger) return page(request, { language: undefined, team });
    if (pathname === '/health')
      return Response.json({ name: 'trajectory-studio', version: studio.version, pid: process.pid });
    if (pathname === '/api/openapi.json') {
      description ??= describeApi(studio.version);
      return Response.json(await description);
    }
    const handler = pathname.startsWith('/rpc/') ? rpc : pathname.startsWith('/api/') ? api : null;
    if (handler) {
      const prefix = handler === rpc ? '/rpc' : '/api';
      const asked = { principal: context.principal, mayAsk: () => refuseUnread(caller, pathname) };
      const { response } = await withBody(request, asked, (looked) =>
        handler.handle(looked, { prefix, context: { ...context, person: workingAs(context, request.headers) } }),
      );
      if (!response)
        return errorResponse(new StudioError('UNKNOWN_FILE', `There is no ${request.method} ${pathname}.`, {}));
      // The text of writeSlowly has no content type yet.
      if (response.body && !response.headers.has('content-type'))
        response.headers.set('content-type', 'application/json');
      return response;
    }
    if (pathname.startsWith('/files/')) return serveFiles(request, context, turns);
    return page(request, { language: context.settings.get().pageLanguage, team });
  }

  return async (request, peer) => {
    let response: Response;
    let id: string | undefined;
    try {
      const came = door(request, peer);
      const caller = came instanceof Promise ? await came : came;
      if (!(caller instanceof Response)) id = caller.context.request;
      response = caller instanceof Response ? caller : await route(caller);
    } catch (error) {
      response = errorResponse(error);
    }
    return withSafeHeaders(response, id);
  };
}

/** A page of a machine of one's own says who works in it; elsewhere it is known. */
const workingAs = ({ principal }: AskedStudio, headers: Headers): string | undefined =>
  principal.kind === 'member' ? principal.id : personIn(headers);

/** A call as oRPC gives it to those that stand around it. */
type Called<T> = {
  input: unknown;
  context: AskedStudio;
  path: readonly string[];
  signal?: AbortSignal;
  next(changed?: { input: unknown }): Promise<T>;
};

/** Its answer, or its error, as whoever calls may be told it. A long list has no paths, but for that of jobs. */
async function toldOutput<T>(call: Called<T>): Promise<T> {
  const { told } = call.context;
  try {
    const output = await call.next(asOneself(call));
    return told && (call.path[0] === 'jobs' || !isLarge(output)) ? toldAnswer(output, told) : output;
  } catch (error) {
    throw told ? toOrpcError(toldError(error, told)) : error;
  }
}

/** A member of a team works as themselves: the field that says who calls is theirs before it is looked at. */
function asOneself<T>({ input, context, path, ...call }: Called<T>) {
  if (context.principal.kind === 'account') return undefined;
  const name = path.join('.');
  try {
    // Before the input is looked at: whoever may not call it learns nothing of it.
    refuseCall(context.principal, name, undefined);
    return { ...call, context, path, input: ownInput(context.principal, name, input) };
  } catch (error) {
    throw toOrpcError(error);
  }
}

/** The door of a machine of one's own: whoever gets past the guard is its account. `isLocal`: see AskedStudio. */
export function accountDoor(studio: Studio, guard: Guard, isLocal: boolean): Door {
  const context: AskedStudio = { ...studio, isLocal, principal: ACCOUNT, path: typedPath };
  return (request) => guard(request) ?? { request, context, isStranger: false };
}

const unreadable = (): StudioError =>
  new StudioError(
    'USAGE',
    'The body of the request cannot be read. Send JSON with `Content-Type: application/json`.',
    {},
  );

function withSafeHeaders(response: Response, id: string | undefined): Response {
  const headers = new Headers(response.headers);
  if (id !== undefined) headers.set('x-request-id', id);
  for (const [name, value] of Object.entries(SAFE_HEADERS)) headers.set(name, value);
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_CONTENT_POLICY);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
