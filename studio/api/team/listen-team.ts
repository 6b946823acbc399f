import { createServer } from 'node:http';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import type { OidcProvider } from '../../team/oidc.ts';
import { keepUrl } from '../../team/url.ts';
import { createHandler, type Handler } from '../handler.ts';
import { bindPort, DEFAULT_PORT } from '../listen.ts';
import { answer } from '../node-http.ts';
import type { Studio } from '../studio.ts';
import { openTeamDoor } from './door.ts';

/** The studio as a server that several people sign in to, behind a proxy that has the certificate. */

type TeamOptions = {
  studio: Studio;
  /** The workspace that is served. */
  open: OpenWorkspace;
  /** Where people find it. */
  url: URL;
  /** The built pages. */
  pages: string;
  /** Default 127.0.0.1, where a proxy on the same machine finds it. */
  host?: string | undefined;
  /** 0: any free one. */
  port?: number | undefined;
  /** Proxies on other machines. */
  proxies?: readonly string[];
  /** Whom people may sign in by instead of a password. */
  oidc?: OidcProvider | null;
  heartbeatMs?: number;
  recheckMs?: number;
};

export type TeamListening = { url: string; host: string; port: number; close(): Promise<void> };

const LOOPBACK = '127.0.0.1';
/** A request's head comes at once; its body may be a file of gigabytes. ms. */
const HEAD_MS = 20_000;

/** Throws USAGE when the port cannot be used, or for a proxy that is no address. */
export async function listenTeam(options: TeamOptions): Promise<TeamListening> {
  const { studio, open, url, pages, host = LOOPBACK, port: wished = DEFAULT_PORT, heartbeatMs, recheckMs } = options;
  const asked = { studio, ws: open.id, url, pages, proxies: options.proxies ?? [], oidc: options.oidc ?? null };
  const door = openTeamDoor({ ...asked, ...(recheckMs !== undefined && { recheckMs }) });
  const handler: Handler = createHandler({
    studio,
    door: door.door,
    team: { signInBy: options.oidc?.wishes.name ?? null },
    pages,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  const server = createServer((request, response) => void answer(request, response, handler));
  server.headersTimeout = HEAD_MS;
  server.requestTimeout = 0;
  try {
    const port = await bindPort(server, host, wished, 1);
    await keepUrl(open.workspace.store, url);
    return {
      url: url.origin,
      host,
      port,
      async close() {
        door.close();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      },
    };
  } catch (error) {
    door.close();
    server.close();
    throw error;
  }
}
