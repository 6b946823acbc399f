import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { SIGN_ROUTES, type TeamRole } from '../../../schemas/team-terms.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import type { Store } from '../../store/store.ts';
import { invite } from '../members/invitations.ts';
import type { OidcProvider } from '../members/oidc.ts';
import { ACCOUNT } from '../members/principal.ts';
import { type AskedStudio, createStudio, type Studio } from '../studio.ts';
import { listenTeam } from './listen-team.ts';

/** A server of a team as its proxy talks to it: on loopback, for a name with https. */

export const TEAM_HOST = 'studio.test';
export const TEAM_ORIGIN = `https://${TEAM_HOST}`;
export const PASSWORD = 'four words that are long';

/** Requests of one member that go on at once. */
export const MOST_UNDER_WAY = 60;

type Wishes = { method?: string; headers?: Record<string, string>; body?: string };
export type TeamAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

export type TestTeam = {
  studio: Studio;
  open: OpenWorkspace;
  ws: string;
  dir: string;
  folder: string;
  port: number;
  store: Store;
  /** As whom work of a member goes on. */
  workOf(member: string, job: string): Promise<AskedStudio | null>;
  /** A request exactly as written, with the Host of the server unless it says another. A stream is cut after its head. */
  raw(path: string, wishes?: Wishes): Promise<TeamAnswer>;
  /** A request as a page of the server sends it, with this cookie. */
  page(cookie: string | null, path: string, wishes?: Wishes): Promise<TeamAnswer>;
  /** A procedure as a page calls it. */
  call(cookie: string | null, name: string, input?: object): Promise<{ status: number; json: unknown }>;
  /** Invites somebody of this role, who accepts; gives their cookie. */
  member(role: TeamRole, name?: string): Promise<{ id: string; name: string; email: string; cookie: string }>;
};

/**
 * `oidc`: the service by which people sign in too; opened when the tests begin, and so is the database of `before`. `afterMs`: how long
 * a body may go on behind its answer; default: as a server's.
 */
export function testTeam(
  give: (team: TestTeam) => void,
  oidc?: () => Promise<OidcProvider>,
  before?: () => Promise<void>,
  afterMs?: number,
): void {
  const folders = temporaryFolders();
  let close: (() => Promise<void>) | null = null;
  beforeAll(async () => {
    await before?.();
    const started = await startTeam(folders.make(), (await oidc?.()) ?? null, afterMs);
    close = started.close;
    give(started.team);
  });
  afterAll(async () => {
    await close?.();
    folders.clean();
  });
}

/** `folder`: an empty one of the test's. */
async function startTeam(
  folder: string,
  oidc: OidcProvider | null,
  afterMs: number | undefined,
): Promise<{ team: TestTeam; close(): Promise<void> }> {
  const home = { config: join(folder, 'home'), data: join(folder, 'home') };
  const pages = join(folder, 'pages');
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><html><head><title>Page</title></head><body></body></html>');
  writeFileSync(join(folder, 'secret.txt'), 'outside');
  const studio = createStudio({ version: '0.1.0', home, sample: join(folder, 'sample') });
  const dir = join(folder, 'work');
  const { id: ws } = await studio.workspaces.open(dir, { create: true });
  const open = await studio.workspaces.get(ws);
  const listening = await listenTeam({
    studio,
    open,
    url: new URL(TEAM_ORIGIN),
    pages,
    port: 0,
    heartbeatMs: 100,
    recheckMs: 50,
    mostUnderWay: MOST_UNDER_WAY,
    oidc,
    patience: { bodyMs: 1500, ...(afterMs !== undefined && { afterMs }) },
    // Tests look for themselves.
    goOn: { lookMs: 3_600_000 },
  });
  const { store } = open.workspace;
  const raw = (path: string, wishes: Wishes = {}) => ask(listening.port, path, wishes);
  const page: TestTeam['page'] = (cookie, path, { headers, ...wishes } = {}) =>
    raw(path, {
      ...wishes,
      headers: {
        ...(wishes.method !== undefined && wishes.method !== 'GET' && { origin: TEAM_ORIGIN }),
        'sec-fetch-site': 'same-origin',
        ...(wishes.body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== null && { cookie }),
        ...headers,
      },
    });
  const team: TestTeam = {
    studio,
    open,
    ws,
    dir,
    folder,
    port: listening.port,
    store,
    workOf: listening.workOf,
    raw,
    page,
    async call(cookie, name, input = {}) {
      const body = JSON.stringify({ json: input });
      const answer = await page(cookie, `/rpc/${name.replace('.', '/')}`, { method: 'POST', body });
      const parsed: unknown = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(answer.body) : null;
      const json: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'json') : null;
      return { status: answer.status, json: json ?? parsed };
    },
    async member(role, name = `${role} person`) {
      const email = `${name.replaceAll(' ', '.').toLowerCase()}@lab.test`;
      const wishes = { email, role, name, days: 7 };
      const { link } = await invite(store, ACCOUNT, wishes);
      const code = new URL(link).hash.slice(1);
      const body = JSON.stringify({ code, name, password: PASSWORD });
      const answer = await page(null, SIGN_ROUTES.accept, { method: 'POST', body });
      const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
      if (cookie === undefined) throw new Error(answer.body);
      const me = await team.call(cookie, 'team.me');
      return { id: String(Reflect.get(me.json as object, 'id')), name, email, cookie }; // The contract says so.
    },
  };
  return {
    team,
    async close() {
      await listening.close();
      await studio.close();
    },
  };
}

function ask(port: number, path: string, { method = 'GET', headers = {}, body = '' }: Wishes): Promise<TeamAnswer> {
  return new Promise((resolve, reject) => {
    const all = { host: TEAM_HOST, ...headers };
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      let text = '';
      const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        done();
        request.destroy();
        return;
      }
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', done);
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
