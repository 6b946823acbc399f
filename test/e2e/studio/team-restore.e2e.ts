import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_ROUTES } from '../../../schemas/team-terms.ts';
import { ensurePages } from '../../../studio/api/build-pages.ts';
import { sampleRecording, writeSample } from '../../../studio/store/recording-for-tests.ts';
import { CLI } from '../../support/cli.ts';
import { freePort } from '../../support/free-port.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { run, type Started, start } from '../../support/process.ts';
import { startS3, type TestS3 } from '../../support/s3.ts';
import { until } from '../../support/until.ts';

/**
 * A team's server with its database in PostgreSQL and its backups in a bucket is lost with all that it had, and comes back on
 * another machine: another folder, home and database, under the same name. Everybody signs in there as before.
 */

const PASSWORD = 'four words that are long';
let folder: string;
let postgres: TestPostgres;
let s3: TestS3;
const servers: Started[] = [];

beforeAll(async () => {
  await ensurePages(() => {});
  folder = mkdtempSync(join(tmpdir(), 'studio-team-restore-'));
  mkdirSync(join(folder, 's3'));
  [postgres, s3] = await Promise.all([startPostgres(), startS3(join(folder, 's3'))]);
}, 240_000);
afterAll(async () => {
  for (const server of servers) await server.stop();
  postgres?.stop();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Machine = { workspace: string; database: string; env: NodeJS.ProcessEnv };

async function machine(name: string): Promise<Machine> {
  const home = join(folder, name);
  mkdirSync(home);
  const database = await postgres.make();
  const env = { ...process.env, ...s3.env, TRAJECTORY_STUDIO_HOME: join(home, 'home'), STUDIO_DATABASE: database };
  return { workspace: join(home, 'lab'), database, env };
}

async function command({ workspace, env }: Machine, words: string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await run(process.execPath, [CLI, ...words, '--workspace', workspace, '--json'], {
    env,
  });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr || stdout}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function serve({ workspace, env }: Machine, port: number): Promise<{ origin: string; server: Started }> {
  const origin = `http://127.0.0.1:${port}`;
  const words = ['serve', '--team', '--workspace', workspace, '--url', origin, '--port', String(port), '--no-build'];
  const server = await start(process.execPath, [CLI, ...words, '--json'], { env });
  servers.push(server);
  await until('the server to listen', () => {
    if (server.exit()) throw new Error(server.stderr());
    return server.stdout().includes('"url"') || undefined;
  });
  return { origin, server };
}

async function post(origin: string, path: string, body: object, headers: Record<string, string> = {}) {
  const all = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers };
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { status: answer.status, cookie, text: await answer.text() };
}

/** What a procedure answers to whoever has this cookie or token. */
const ask = (origin: string, name: string, input: object, headers: Record<string, string>) =>
  post(origin, `/rpc/${name.replace('.', '/')}`, { json: input }, headers);

test('a team is restored on another machine, and everybody signs in there', async () => {
  const first = await machine('first');
  const port = await freePort();
  const old = await serve(first, port);
  writeSample(join(first.workspace, 'recordings'), sampleRecording({ id: 'rec-a' }));
  writeFileSync(join(first.workspace, 'recordings', 'rec-a', 'screen.mkv'), 'a film');
  const people = ['owner', 'reviewer', 'annotator'].map((role) => ({ role, email: `${role}@lab.test` }));
  const cookies: string[] = [];
  for (const { role, email } of people) {
    const { invitation } = await command(first, ['invite', email, '--role', role, '--name', role]);
    const code = new URL((invitation as { link: string }).link).hash.slice(1);
    const { status, cookie } = await post(old.origin, SIGN_ROUTES.accept, { code, name: role, password: PASSWORD });
    expect(status).toBe(200);
    cookies.push(cookie);
  }
  const open = await command(first, ['invite', 'late@lab.test', '--role', 'viewer', '--name', 'Late']);
  const made = await command(first, [
    'tokens',
    'make',
    'nightly',
    '--member',
    'owner@lab.test',
    '--scopes',
    'see,data',
  ]);
  const token = /tst_[\w-]+/.exec(JSON.stringify(made))?.[0] ?? '';
  expect(token).not.toBe('');
  await command(first, ['backup', `s3://${s3.bucket}/lab`]);
  await old.server.stop();
  // All that it had is gone but the bucket.
  rmSync(join(folder, 'first'), { recursive: true, force: true });
  await postgres.ask(`drop database ${first.database.split('/').at(-1)} with (force)`);

  const second = await machine('second');
  const restored = await command(second, ['restore', `s3://${s3.bucket}/lab`]);
  expect(restored.database).toMatch(/^postgres:/);
  // People find it under the name that they know.
  const { origin } = await serve(second, port);
  for (const [at, { role, email }] of people.entries()) {
    const { status, cookie } = await post(origin, SIGN_ROUTES.signIn, { email, password: PASSWORD });
    expect([role, status]).toEqual([role, 200]);
    const me = await ask(origin, 'team.me', {}, { cookie });
    expect(me.text).toContain(email);
    // A browser that was signed in still is.
    expect((await ask(origin, 'team.me', {}, { cookie: cookies[at]! })).text).toContain(email);
    expect((await post(origin, SIGN_ROUTES.signIn, { email, password: 'another one, as long' })).status).toBe(401);
  }
  const ws = /"ws":"([^"]+)"/.exec((await ask(origin, 'team.me', {}, { cookie: cookies[0]! })).text)?.[1] ?? '';
  const list = await ask(origin, 'recordings.list', { ws }, { authorization: `Bearer ${token}` });
  expect([list.status, list.text]).toEqual([200, expect.stringContaining('rec-a')]);
  const code = new URL((open.invitation as { link: string }).link).hash.slice(1);
  expect((await post(origin, SIGN_ROUTES.accept, { code, name: 'Late', password: PASSWORD })).status).toBe(200);
}, 240_000);
