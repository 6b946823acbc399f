import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { StudioError } from '../../schemas/errors.ts';
import { type BrowserDoor, createGuard, loginAddress } from './guard.ts';
import { accountDoor, createHandler, type Handler } from './handler.ts';
import { createLogins, newPagesName } from './logins.ts';
import { answer } from './node-http.ts';
import type { Studio } from './studio.ts';

export const DEFAULT_PORT = 4747;
/** How many ports after the wished one are tried. */
const MORE_PORTS = 100;

type ListenOptions = {
  studio: Studio;
  /** The built pages. */
  pages: string;
  /** Default 127.0.0.1. Another one lets other machines in: only when asked for. */
  host?: string;
  /** 0: any free one. */
  port?: number;
  /** True: the next free port when this one is taken. */
  search?: boolean;
  /** Default: new at each start. Given, it must have 32 characters. */
  token?: string;
  /**
   * The first part of the pages' name, `<name>.localhost`, which nobody else may know. Default: a random one. Unused with
   * another `host`: the pages are then where it says.
   */
  name?: string;
  heartbeatMs?: number;
};

export type Listening = {
  /** For scripts, which have the token. */
  origin: string;
  port: number;
  token: string;
  /** Where the pages are: another host than scripts use, see `pagesHost`. */
  pages: string;
  /** A new address that signs a browser in: for a few minutes, or once. */
  login(kind: 'once' | 'printed'): string;
  close(): Promise<void>;
};

/** Throws USAGE when the port is taken (or all that were tried) or the address is none of this machine's. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { studio, pages, host = LOOPBACK, port: wished = DEFAULT_PORT, search = false, heartbeatMs } = options;
  const token = options.token ?? randomBytes(32).toString('base64url');
  if (!/^[A-Za-z0-9_-]{32,}$/.test(token)) {
    throw new StudioError('USAGE', 'A token must be 32 letters, digits, - or _ at least.', {});
  }
  let handler: Handler | null = null;
  const server = createServer((request, response) => {
    void answer(request, response, handler);
  });
  // A long upload is no attack here; slow headers are.
  server.requestTimeout = 0;
  const port = await bindPort(server, host, wished, wished === 0 ? 1 : search ? MORE_PORTS : 1);
  const shown = isEvery(host) ? LOOPBACK : hostName(host);
  const origin = `http://${shown}:${port}`;
  const door: BrowserDoor = {
    host: options.host === undefined ? `${options.name ?? newPagesName()}.localhost:${port}` : `${shown}:${port}`,
    cookie: `studio-${port}`,
    logins: createLogins(),
    tellsSite: isLoopback(host),
  };
  const names = [LOOPBACK, 'localhost', ...namesOf(host)].map((name) => `${name}:${port}`);
  const hosts = [...new Set([door.host, ...names])];
  const guard = createGuard({ token, hosts, browsers: door });
  handler = createHandler({
    studio,
    door: accountDoor(studio, guard, isLoopback(host)),
    pages,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  return {
    origin,
    port,
    token,
    pages: `http://${door.host}`,
    login: (kind) => loginAddress(door, kind),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const LOOPBACK = '127.0.0.1';
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host.startsWith('127.');

const isEvery = (host: string): boolean => host === '0.0.0.0' || host === '::';

/**
 * The names that a Host header may have for this address; one that stands for every address of the machine has the names of
 * all.
 */
function namesOf(host: string): string[] {
  if (!isEvery(host)) return [hostName(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => hostName(address))];
}

const hostName = (host: string): string => (host.includes(':') ? `[${host}]` : host.toLowerCase());

/** Listens, and gives the port. Throws USAGE. */
export async function bindPort(server: Server, host: string, first: number, tries: number): Promise<number> {
  for (let port = first; ; port++) {
    const code = await tryPort(server, host, port);
    const address = server.address();
    if (code === null && typeof address === 'object' && address !== null) return address.port;
    if (code === 'EADDRINUSE' && port < first + tries - 1 && port < 65_535) continue;
    const why = code === 'EADDRINUSE' ? 'another program listens there' : `the system says ${code}`;
    throw new StudioError('USAGE', `Port ${port} of ${host} cannot be used: ${why}. Choose another with --port.`, {
      port,
      host,
    });
  }
}

function tryPort(server: Server, host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    server.once('error', failed);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', failed);
      resolve(null);
    });
  });
}
