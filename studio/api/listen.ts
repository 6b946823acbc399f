import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { StudioError } from '../../schemas/errors.ts';
import { createGuard } from './guard.ts';
import { createHandler, type Handler } from './handler.ts';
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
  heartbeatMs?: number;
};

/** A listening studio. `url` carries the token and logs a browser in. */
export type Listening = { origin: string; url: string; port: number; token: string; close(): Promise<void> };

/** Throws USAGE when the port is taken (or all that were tried) or the address is none of this machine's. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { studio, pages, host = '127.0.0.1', port: wished = DEFAULT_PORT, search = false, heartbeatMs } = options;
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
  const port = await bind(server, host, wished, wished === 0 ? 1 : search ? MORE_PORTS : 1);
  const hosts = [...new Set(['127.0.0.1', 'localhost', ...namesOf(host)])].map((name) => `${name}:${port}`);
  const guard = createGuard({ token, hosts, cookie: `studio-${port}` });
  handler = createHandler({ studio, guard, pages, ...(heartbeatMs !== undefined && { heartbeatMs }) });
  const shown = isEvery(host) ? '127.0.0.1' : hostName(host);
  const origin = `http://${shown}:${port}`;
  return {
    origin,
    url: `${origin}/?token=${token}`,
    port,
    token,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const isEvery = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** What a Host header may call this address; one that stands for every address of the machine has the names of all. */
function namesOf(host: string): string[] {
  if (!isEvery(host)) return [hostName(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => hostName(address))];
}

const hostName = (host: string): string => (host.includes(':') ? `[${host}]` : host.toLowerCase());

async function bind(server: Server, host: string, first: number, tries: number): Promise<number> {
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
