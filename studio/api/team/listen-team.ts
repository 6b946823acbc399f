import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { createHandler, type Handler } from '../handler.ts';
import { bindPort, DEFAULT_PORT } from '../listen.ts';
import type { OidcProvider } from '../members/oidc.ts';
import { keepUrl } from '../members/url.ts';
import { answer } from '../node-http.ts';
import { openTeamUploads } from '../routes/take-uploads.ts';
import type { Studio } from '../studio.ts';
import { UPLOAD_LIMITS, type UploadLimits } from '../uploads/uploads.ts';
import { openTeamDoor, type TeamDoor } from './door.ts';
import { goOnWithJobs } from './go-on.ts';
import { openMetrics } from './metrics.ts';

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
  /** Bounds on what people send; default: UPLOAD_LIMITS. */
  uploadLimits?: Partial<UploadLimits>;
  /** Proxies on other machines. */
  proxies?: readonly string[];
  /** Whom people may sign in by instead of a password. */
  oidc?: OidcProvider | null;
  heartbeatMs?: number;
  recheckMs?: number;
  /** Requests of one member that go on at once. */
  mostUnderWay?: number;
  patience?: Partial<Patience>;
  /** When jobs of a killed server are begun again. */
  goOn?: { lookMs?: number; goneMs?: number };
};

export type TeamListening = {
  url: string;
  host: string;
  port: number;
  /** The caller for work of a member that a killed server left. */
  workOf: TeamDoor['workOf'];
  close(): Promise<void>;
};

const LOOPBACK = '127.0.0.1';
/** A request's head comes at once, ms. */
const HEAD_MS = 20_000;
/** Without a byte of a body for `bodyMs`, or with one that goes on `afterMs` behind its answer, the connection is cut. */
type Patience = { bodyMs: number; afterMs: number };
const PATIENCE: Patience = { bodyMs: 60_000, afterMs: 5000 };

/** Throws USAGE when the port cannot be used, or for a proxy that is no address. */
export async function listenTeam(options: TeamOptions): Promise<TeamListening> {
  const { studio, open, url, pages, host = LOOPBACK, port: wished = DEFAULT_PORT, heartbeatMs, recheckMs } = options;
  const uploads = openTeamUploads(open, studio.home, { ...UPLOAD_LIMITS, ...options.uploadLimits });
  const asked = {
    studio,
    ws: open.id,
    url,
    pages,
    uploads,
    proxies: options.proxies ?? [],
    oidc: options.oidc ?? null,
  };
  const { goOn = {} } = options;
  const { used, limits } = uploads.uploads;
  const metrics = openMetrics(studio.version, async () => ({ used: await used(), quota: limits.workspaceBytes }));
  const door = openTeamDoor({
    ...asked,
    figures: metrics.text,
    ...(recheckMs !== undefined && { recheckMs }),
    ...(options.mostUnderWay !== undefined && { mostUnderWay: options.mostUnderWay }),
  });
  const answers: Handler = createHandler({
    studio,
    door: door.door,
    team: { signInBy: options.oidc?.wishes.name ?? null },
    pages,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
  const handler = metrics.counted(answers);
  const patience = { ...PATIENCE, ...options.patience };
  const server = createServer((request, response) => {
    endUnread(request, response, patience);
    void answer(request, response, handler, door.whose(request));
  });
  server.headersTimeout = HEAD_MS;
  // A body may be a file of gigabytes: it is not the whole that counts, but that it goes on (endUnread).
  server.requestTimeout = 0;
  try {
    const port = await bindPort(server, host, wished, 1);
    await keepUrl(open.workspace.store, url);
    await uploads.goOn();
    const jobs = goOnWithJobs({ ...goOn, open, workOf: door.workOf });
    return {
      url: url.origin,
      host,
      port,
      workOf: door.workOf,
      async close() {
        jobs.close();
        door.close();
        metrics.close();
        uploads.close();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      },
    };
  } catch (error) {
    door.close();
    metrics.close();
    uploads.close();
    server.close();
    throw error;
  }
}

/** A body that stands still, or that nobody reads since it was refused, holds no connection for ever. */
function endUnread(request: IncomingMessage, response: ServerResponse, { bodyMs, afterMs }: Patience): void {
  const { socket } = request;
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  if (!hasBody) return;
  const cut = (): void => {
    if (!request.complete) socket.destroy();
  };
  let isAnswered = false;
  let standing = setTimeout(cut, bodyMs);
  request.on('data', () => {
    if (!isAnswered) standing.refresh();
  });
  // The reader says when; a listener alone would make it flow.
  request.pause();
  // The answer is given time to arrive: who is still sending reads it late.
  response.once('finish', () => {
    isAnswered = true;
    clearTimeout(standing);
    if (!request.complete) standing = setTimeout(cut, afterMs);
  });
  // Comes when it was read to its end, and when the connection is gone.
  request.once('close', () => clearTimeout(standing));
}
