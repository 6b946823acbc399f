import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { StudioError } from '../../schemas/errors.ts';
import { createGuard } from './guard.ts';
import { accountDoor, createHandler, type Handler } from './handler.ts';
import { answer } from './node-http.ts';
import type { Studio } from './studio.ts';

/** The desktop app's address of the studio. `app` is the Host of every request that its host forwards. */
const DESKTOP_HOST = 'app';
const DESKTOP_ORIGIN = 'studio://app';
/** The length that sockaddr_un.sun_path takes on macOS, its end left out; Linux takes 107 bytes. */
const MOST_PATH = 103;

type PipeOptions = {
  studio: Studio;
  /** The built pages. */
  pages: string;
  /** A Unix socket's path in a folder of this user's alone, or `\\.\pipe\NAME` on Windows. */
  path: string;
  /** Default: new at each start. Given, it must have 32 characters. */
  token?: string;
  heartbeatMs?: number;
};
export type Piped = { path: string; token: string; close(): Promise<void> };

/**
 * The studio behind a Unix socket or a named pipe: no port is open. The desktop app's host forwards `studio://app` to it,
 * with the token on each request. A socket that a dead studio left behind is taken over. Throws USAGE when another one
 * listens there or the path cannot be used.
 */
export async function listenOnPipe({ studio, pages, path, token: given, heartbeatMs }: PipeOptions): Promise<Piped> {
  const token = given ?? randomBytes(32).toString('base64url');
  if (!/^[A-Za-z0-9_-]{32,}$/.test(token)) {
    throw new StudioError('USAGE', 'A token must be 32 letters, digits, - or _ at least.', {});
  }
  const isPipe = path.startsWith('\\\\.\\pipe\\');
  if (!isPipe && Buffer.byteLength(path) > MOST_PATH) {
    throw new StudioError('USAGE', `${path} is longer than the ${MOST_PATH} bytes that a socket's path may have.`, {});
  }
  const guard = createGuard({ token, hosts: [DESKTOP_HOST], browsers: null, origins: [DESKTOP_ORIGIN] });
  const handler: Handler = createHandler({
    studio,
    door: accountDoor(studio, guard, true),
    pages,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  const server = createServer((request, response) => void answer(request, response, handler));
  // A long upload is no attack here.
  server.requestTimeout = 0;
  // The host keeps its connections; one that is closed while a request is on its way would be an error on the page.
  server.keepAliveTimeout = 0;
  if (!isPipe) await clearStale(path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another studio listens there' : `the system says ${error.code}`;
      reject(new StudioError('USAGE', `${path} cannot be used: ${why}.`, { path }));
    });
    // Between the two calls nobody else may connect: the folder is this user's, and each request needs the token.
    server.listen({ path, readableAll: false, writableAll: false }, resolve);
  });
  if (!isPipe) chmodSync(path, 0o600);
  return {
    path,
    token,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Removes a socket at which nobody listens any more. */
async function clearStale(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  const living = await promise;
  socket.destroy();
  if (!living) rmSync(path, { force: true });
}
