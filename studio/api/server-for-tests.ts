import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeAll } from 'vitest';
import type { Contract } from '../../schemas/api/contract.ts';
import type { startRecording } from '../capture/start.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type Listening, listen } from './listen.ts';
import { createStudio, type Studio } from './studio.ts';

/** A studio that listens, for tests beside the code. */
export type TestServer = Listening & {
  studio: Studio;
  /** A page's client, logged in. */
  client: ContractRouterClient<Contract>;
  /** The name under which the pages are: `studio-….localhost:PORT`. */
  pagesHost: string;
  /** A request with the token; `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A request exactly as written: no address is tidied up, and no header is added but Host. */
  raw(path: string, options?: RawOptions): Promise<RawAnswer>;
};
type RawOptions = { method?: string; headers?: Record<string, string>; body?: string };
type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** `folder`: an empty one of the test's. */
export async function startTestServer(folder: string, startCapture?: typeof startRecording): Promise<TestServer> {
  const home = { config: join(folder, 'home'), data: join(folder, 'home') };
  const pages = join(folder, 'pages');
  mkdirSync(join(pages, 'assets'), { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><html><head><title>Page</title></head><body></body></html>');
  writeFileSync(join(pages, 'assets', 'app-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'secret.txt'), 'outside');
  const studio = createStudio({
    version: '0.1.0',
    home,
    sample: join(folder, 'sample'),
    ...(startCapture && { startCapture }),
  });
  const listening = await listen({ studio, pages, port: 0, heartbeatMs: 100 });
  const { origin, token, port } = listening;
  const authorization = `Bearer ${token}`;
  const link = new RPCLink({ url: `${origin}/rpc`, headers: { authorization } });
  return {
    ...listening,
    studio,
    pagesHost: new URL(listening.pages).host,
    client: createORPCClient(link),
    fetch: (path, init = {}) => fetch(`${origin}${path}`, { ...init, headers: { authorization, ...init.headers } }),
    raw: (path, options = {}) => raw(port, path, options),
    async close() {
      await listening.close();
      await studio.close();
    },
  };
}

type ServedWorkspace = { server: TestServer; folder: string; dir: string; ws: string; open: OpenWorkspace };

/**
 * Gives all tests of the file a studio that listens, with a new workspace open in it: `dir`, in the empty folder `folder`. It is
 * closed and removed after them.
 */
export function servedWorkspace(give: (made: ServedWorkspace) => void): void {
  const folders = temporaryFolders();
  let server: TestServer | null = null;
  beforeAll(async () => {
    const folder = folders.make();
    server = await startTestServer(folder);
    const dir = join(folder, 'work');
    const { id: ws } = await server.client.workspaces.open({ dir, create: true });
    give({ server, folder, dir, ws, open: await server.studio.workspaces.get(ws) });
  });
  afterAll(async () => {
    await server?.close();
    folders.clean();
  });
}

function raw(port: number, path: string, { method = 'GET', headers = {}, body = '' }: RawOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
