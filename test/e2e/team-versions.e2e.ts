import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acceptInvitation, invite } from '../../studio/api/members/invitations.ts';
import { ACCOUNT } from '../../studio/api/members/principal.ts';
import { makeToken } from '../../studio/api/members/sessions.ts';
import { freePort, startServer } from '../../studio/session/push/processes-for-tests.ts';
import { openDatabase } from '../../studio/store/database.ts';
import { MIGRATIONS } from '../../studio/store/migrations/index.ts';
import type { Migration } from '../../studio/store/migrations/migration.ts';
import { DATABASE_VARIABLE, openPlace } from '../../studio/store/place.ts';
import { openPostgresStore } from '../../studio/store/postgres/open.ts';
import { openServer } from '../../studio/store/postgres/server.ts';
import { CLI } from '../support/cli.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { studioHome } from '../support/studio-server.ts';

/**
 * A team's server, and a worker, of today's version on a database that a newer version brings forward while they run. The newer
 * one is today's store with one more migration.
 */

const known = MIGRATIONS.at(-1)!.version;
const next: Migration = {
  version: known + 1,
  name: 'next',
  statements: ({ schema }) => [schema.alterTable('tasks').addColumn('language', 'text').compile()],
};
const OUTDATED = { code: 'OUTDATED', message: expect.stringContaining('start the newer program') };

const home = studioHome();
const children: ChildProcess[] = [];
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  delete process.env[DATABASE_VARIABLE];
});
afterAll(() => {
  postgres?.stop();
  home.remove();
});

type Lab = { folder: string; dir: string; origin: string; ask(path: string, body?: object): Promise<Answer> };
type Answer = { status: number; json: unknown };

/** A server with somebody who manages, and one task. */
async function startLab(name: string): Promise<Lab> {
  const folder = home.dir(name);
  const dir = path.join(folder, 'lab');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { store, close } = await openPlace(dir, { create: true });
  const who = { email: 'mia@lab.org', role: 'manager' as const, name: 'Mia', days: 7, url: origin };
  const code = new URL((await invite(store, ACCOUNT, who)).link).hash.slice(1);
  await acceptInvitation(store, { code, name: 'Mia', password: 'four words that are long' });
  const scopes = ['see', 'data', 'manage'] as const;
  const { secret } = await makeToken(store, ACCOUNT, { member: who.email, name: 'x', scopes, days: 1 });
  close();
  children.push(await startServer(folder, dir, origin, port));
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask: Lab['ask'] = async (at, body) => {
    const more = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${origin}${at}`, { headers, ...more });
    return { status: answer.status, json: await answer.json().catch(() => null) };
  };
  return { folder, dir, origin, ask };
}

const logsIn = (folder: string): string => {
  const logs = path.join(folder, 'logs');
  return fs
    .readdirSync(logs)
    .map((name) => fs.readFileSync(path.join(logs, name), 'utf8'))
    .join('\n');
};

const ENGINES = ['SQLite', 'PostgreSQL'] as const;

describe.each(ENGINES)('%s', (engine) => {
  it('the older server says so to people, in its log and to who watches it, writes nothing, and loses nothing', async () => {
    const address = engine === 'PostgreSQL' ? await postgres.make() : null;
    if (address) process.env[DATABASE_VARIABLE] = address;
    const { folder, dir, origin, ask } = await startLab(engine);
    const { ws } = (await ask('/api/team/me')).json as { ws: string };
    const tasks = `/api/workspaces/${ws}/tasks`;
    const make = (goal: string): Promise<Answer> => ask(tasks, { software: 'gimp', goal });
    const kept: string[] = [];
    const refused: string[] = [];
    let isOver = false;
    // People go on all the while.
    const people = [0, 1, 2].map(async (n) => {
      for (let i = 0; !isOver; i++) {
        const goal = `goal ${n} ${i}`;
        const { status, json } = await make(goal);
        if (status === 200) kept.push(goal);
        else {
          refused.push(goal);
          isOver = true;
          expect(json).toMatchObject(OUTDATED);
          expect(status).toBe(503);
        }
      }
    });
    await expect.poll(() => kept.length, { timeout: 60_000 }).toBeGreaterThan(5);
    await bringForward(dir, address);
    await Promise.all(people);
    expect(refused.length).toBeGreaterThan(0);

    expect(await make('later')).toMatchObject({ status: 503, json: OUTDATED });
    expect(await ask(tasks)).toMatchObject({ status: 503, json: OUTDATED });
    expect(await ask('/ready')).toEqual({ status: 503, json: { ready: false, code: 'OUTDATED' } });
    expect(await ask('/health')).toEqual({ status: 200, json: { ok: true } });
    const page = await fetch(origin, { headers: { 'sec-fetch-site': 'none' } });
    expect(page.status).toBe(200);
    const log = logsIn(path.join(folder, 'server-home'));
    expect(log.match(/"database outdated"/g)).toHaveLength(1);
    const found = await goals(dir, address);
    expect(kept.filter((goal) => !found.includes(goal))).toEqual([]);
    // A call that was in its middle may have made its task, and failed at the look at it afterwards.
    expect(found.filter((goal) => !kept.includes(goal) && !refused.includes(goal))).toEqual([]);

    // Started again it does not even open.
    const again = startServer(folder, dir, origin, await freePort());
    await expect(again).rejects.toThrow(/version 11; this program knows versions up to 10.*Use the newer program/s);
  });
});

it('a worker gives back what it is at, ends and says why', async () => {
  const address = await postgres.make();
  process.env[DATABASE_VARIABLE] = address;
  const dir = path.join(home.dir('worker'), 'lab');
  (await openPlace(dir, { create: true })).close();
  const env = { ...process.env, TRAJECTORY_STUDIO_HOME: home.home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [CLI, 'worker', '--workspace', dir], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect
    .poll(async () => (await postgres.inside(address, 'select id from studio_workers').catch(() => [])).length, {
      timeout: 60_000,
    })
    .toBe(1);
  await bringForward(dir, address);
  expect(await ended).toBe(6);
  expect(said).toContain('start the newer program');
});

async function bringForward(dir: string, address: string | null): Promise<void> {
  if (!address) return openDatabase(path.join(dir, 'studio.sqlite'), [...MIGRATIONS, next]).close();
  const server = await openServer(address, known + 1);
  await openPostgresStore(server, [...MIGRATIONS, next]);
  await server.close();
}

async function goals(dir: string, address: string | null): Promise<string[]> {
  const sql = 'select goal from tasks order by goal';
  if (address) return (await postgres.inside(address, sql)).map(({ goal }) => String(goal));
  const { sqlite, close } = openDatabase(path.join(dir, 'studio.sqlite'), [...MIGRATIONS, next]);
  const found = sqlite.prepare(sql).pluck().all().map(String);
  close();
  return found;
}
