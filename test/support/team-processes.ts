import fs from 'node:fs';
import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../schemas/api/contract.ts';
import { SIGN_ROUTES } from '../../schemas/team-terms.ts';
import { CLI } from './cli.ts';
import { freePort } from './free-port.ts';
import { run, type Started, start } from './process.ts';
import { until } from './until.ts';

/** Servers and workers of a team as processes of their own, and people who are clients of them: for the team's benches. */

type Api = ContractRouterClient<Contract>;
/** `cookie`: of their session. */
export type Person = { name: string; api: Api; cookie: string };

const PASSWORD = 'four words that are long';

/** A process of `serve --team`. */
export type Server = { origin: string; env: NodeJS.ProcessEnv; workspace: string; process: Started; cli: string };

type Place = {
  /** The bench's own folder: each name has its workspace and its home in it. */
  folder: string;
  name: string;
  /** The recordings of a new workspace; null: that of another process of the same name. */
  from: string | null;
  /** PostgreSQL's address; null: SQLite. */
  database: string | null;
  cli?: string;
  /** Options of Node. */
  node?: readonly string[];
};

/** Resolves once it listens. */
export async function serveTeam({ folder, name, from, database, cli = CLI, node = [] }: Place): Promise<Server> {
  const workspace = path.join(folder, name);
  fs.mkdirSync(workspace, { recursive: true });
  if (from !== null) fs.cpSync(from, path.join(workspace, 'recordings'), { recursive: true });
  const env = {
    ...process.env,
    TRAJECTORY_STUDIO_HOME: path.join(folder, `${name}-home`),
    ...(database !== null && { STUDIO_DATABASE: database }),
  };
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const words = [
    'serve',
    '--team',
    '--workspace',
    workspace,
    '--url',
    origin,
    '--port',
    String(port),
    '--no-build',
    '--json',
  ];
  const server = await start(process.execPath, [...node, cli, ...words], { env });
  // A database that knows nothing yet reads all recordings first.
  await until(
    'the server to listen',
    () => {
      if (server.exit()) throw new Error(server.stderr() || server.stdout());
      return server.stdout().includes('"url"');
    },
    { timeoutMs: 900_000 },
  );
  return { origin, env, workspace, process: server, cli };
}

/** Resolves once it waits for work. */
export async function startWorker({ workspace, env, cli }: Server): Promise<Started> {
  const worker = await start(process.execPath, [cli, 'worker', '--workspace', workspace], { env });
  await until('the worker to wait for work', () => {
    if (worker.exit()) throw new Error(worker.stderr() || worker.stdout());
    return worker.stderr() !== '' || worker.stdout() !== '';
  });
  return worker;
}

export async function ownerOf({ origin, env, workspace, cli }: Server): Promise<Person & { ws: string; id: string }> {
  const words = ['invite', 'owner@lab.test', '--role', 'owner', '--name', 'Owner', '--workspace', workspace, '--json'];
  const { stdout, stderr } = await run(process.execPath, [cli, ...words], { env });
  const { invitation } = JSON.parse(stdout.trim() || '{}') as { invitation?: { link: string } };
  if (!invitation) throw new Error(stderr || stdout);
  const owner = await accept(origin, invitation.link, 'Owner');
  const me = await owner.api.team.me();
  return { ...owner, ws: me?.ws ?? '', id: me?.id ?? '' };
}

/** Accepts an invitation as its page does; the session's cookie is sent with every call from then on. */
export async function accept(origin: string, link: string, name: string): Promise<Person> {
  const code = new URL(link).hash.slice(1);
  const headers = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ code, name, password: PASSWORD });
  const answer = await fetch(`${origin}${SIGN_ROUTES.accept}`, { method: 'POST', headers, body });
  const [cookie] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
  if (cookie === undefined) throw new Error(await answer.text());
  return { name, api: clientOf(origin, cookie), cookie };
}

/** A client with somebody's session. */
export function clientOf(origin: string, cookie: string): Api {
  const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' };
  return createORPCClient<Api>(new RPCLink({ url: `${origin}/rpc`, headers }));
}
