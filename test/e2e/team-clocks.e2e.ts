import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../schemas/api/models.ts';
import { SIGN_ROUTES } from '../../schemas/team-terms.ts';
import { acceptInvitation, invite } from '../../studio/api/members/invitations.ts';
import { ACCOUNT } from '../../studio/api/members/principal.ts';
import { makeToken } from '../../studio/api/members/sessions.ts';
import { addRecording } from '../../studio/datasets/workspace-for-tests.ts';
import { clockLibrary } from '../../studio/play/stage/clock.ts';
import { freePort, startPush, startServer } from '../../studio/session/push/processes-for-tests.ts';
import { DATABASE_VARIABLE, openPlace } from '../../studio/store/place.ts';
import { CLI } from '../support/cli.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { studioHome } from '../support/studio-server.ts';

/**
 * Programs of a team whose clocks are an hour wrong, by libfaketime: the server's against those of the people, of their machines and
 * of the database, and workers' against each other.
 */

const home = studioHome();
const children: ChildProcess[] = [];
let postgres: TestPostgres;
beforeAll(async () => {
  expect(clockLibrary(), 'libfaketime is installed by the set-up (apt install faketime)').not.toBeNull();
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

/** The environment in which a program's clock is wrong by so many hours. Timers and waits go on as they are. */
const wrongBy = (hours: number): Record<string, string> => ({
  LD_PRELOAD: clockLibrary() ?? '',
  FAKETIME: `${hours < 0 ? '-' : '+'}${Math.abs(hours) * 3600}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
});

/** Does `work`, in which programs are started, with these variables. */
async function withVariables<T>(more: Record<string, string>, work: () => Promise<T>): Promise<T> {
  Object.assign(process.env, more);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(more)) delete process.env[name];
  }
}

const startWrong = (hours: number, folder: string, dir: string, origin: string): Promise<ChildProcess> =>
  withVariables(hours === 0 ? {} : wrongBy(hours), async () => {
    const child = await startServer(folder, dir, origin, Number(new URL(origin).port));
    children.push(child);
    return child;
  });

const PASSWORD = 'four words that are long';
type Answer = { status: number; cookie: string; date: number; json: unknown };

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const more = body && { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, { headers: { 'content-type': 'application/json', ...headers }, ...more });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const json: unknown = await answer.json().catch(() => null);
  return { status: answer.status, cookie, date: Date.parse(answer.headers.get('date') ?? ''), json };
}
const asPage = (origin: string, cookie = '') => ({
  origin,
  'sec-fetch-site': 'same-origin',
  ...(cookie && { cookie }),
});

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe.each([1, -1])('the clock of the server is wrong by %i hours', { timeout: 600_000 }, (hours) => {
  it('people stay signed in, invitations and tokens hold, a recording that was half sent goes on', async () => {
    const folder = home.dir(`server ${hours}`);
    const dir = path.join(folder, 'lab');
    const origin = `http://127.0.0.1:${await freePort()}`;
    const { store, close } = await openPlace(dir, { create: true });
    const code = async (email: string) => {
      const wishes = { email, role: 'recorder' as const, name: email.slice(0, 3), days: 1, url: origin };
      return new URL((await invite(store, ACCOUNT, wishes)).link).hash.slice(1);
    };
    await acceptInvitation(store, { code: await code('ana@lab.org'), name: 'Ana', password: PASSWORD });
    const invited = await code('ben@lab.org');
    const scopes = ['see', 'record'] as const;
    const { secret } = await makeToken(store, ACCOUNT, { member: 'ana@lab.org', name: 'desk', scopes, days: 1 });
    close();

    const machine = path.join(folder, 'machine');
    const id = '20260504-102030-clock001';
    const own = await openPlace(machine, { create: true });
    await addRecording(own, { id });
    fs.writeFileSync(path.join(own.recordingsDir, id, 'screen.mkv'), Buffer.alloc(20_000_000, 'film'));
    await own.syncIndex();
    own.close();

    // Signed in while the clock is right, and half of the recording sent.
    let server = await startWrong(0, folder, dir, origin);
    const signIn = { email: 'ana@lab.org', password: PASSWORD };
    const { cookie } = await ask(`${origin}${SIGN_ROUTES.signIn}`, asPage(origin), signIn);
    const half = startPush(folder, { dir: machine, id, origin, token: secret });
    const uploads = path.join(dir, 'uploads');
    const parts = () =>
      fs.existsSync(uploads) ? fs.readdirSync(uploads).filter((name) => name.endsWith('.part')) : [];
    const sent = () => parts().reduce((sum, name) => sum + fs.statSync(path.join(uploads, name)).size, 0);
    const there = path.join(dir, 'recordings', id);
    await expect.poll(() => sent() > 0 || fs.existsSync(there), { interval: 5, timeout: 200_000 }).toBe(true);
    half.child.kill('SIGKILL');
    await half.over;
    await stop(server);
    const before = sent();

    server = await startWrong(hours, folder, dir, origin);
    const me = `${origin}/api/team/me`;
    const { status, date } = await ask(me, asPage(origin, cookie));
    expect(Math.round((date - Date.now()) / 3_600_000)).toBe(hours);
    expect(status).toBe(200);
    expect((await ask(me, { authorization: `Bearer ${secret}` })).status).toBe(200);
    const accepted = { code: invited, name: 'Ben', password: PASSWORD };
    const ben = await ask(`${origin}${SIGN_ROUTES.accept}`, asPage(origin), accepted);
    expect((await ask(me, asPage(origin, ben.cookie))).status).toBe(200);
    // The same upload goes on, and its sender is told of the clocks.
    const rest = await startPush(folder, { dir: machine, id, origin, token: secret }).over;
    expect([rest.status, rest.err]).toEqual([0, expect.any(String)]);
    const [pushed] = JSON.parse(rest.out).pushed as [{ bytes: number; sentBytes: number; warnings: string[] }];
    // Unless all of it had arrived by the kill.
    if (before > 0) expect(pushed.sentBytes).toBeLessThanOrEqual(pushed.bytes - before + 8 * 1024 ** 2);
    expect(pushed.warnings.join()).toMatch(`minutes ${hours > 0 ? 'behind' : 'ahead of'} the server's`);
    expect(fs.statSync(path.join(dir, 'recordings', id, 'screen.mkv')).size).toBe(20_000_000);
    await stop(server);

    // Set right again: those who came meanwhile are still signed in.
    await startWrong(0, folder, dir, origin);
    for (const one of [cookie, ben.cookie]) expect((await ask(me, asPage(origin, one))).status).toBe(200);
  });
});

it('workers whose clocks differ by two hours: each job is done once, and leases go by the database', {
  timeout: 600_000,
}, async () => {
  const address = await postgres.make();
  process.env[DATABASE_VARIABLE] = address;
  const folder = home.dir('workers');
  const dir = path.join(folder, 'lab');
  const origin = `http://127.0.0.1:${await freePort()}`;
  const { store, close } = await openPlace(dir, { create: true });
  const wishes = { email: 'mia@lab.org', role: 'manager' as const, name: 'Mia', days: 1, url: origin };
  const code = new URL((await invite(store, ACCOUNT, wishes)).link).hash.slice(1);
  await acceptInvitation(store, { code, name: 'Mia', password: PASSWORD });
  const scopes = ['see', 'data', 'manage'] as const;
  const { secret } = await makeToken(store, ACCOUNT, { member: wishes.email, name: 'x', scopes, days: 1 });
  close();
  const sample = path.join(folder, 'made');
  const made = await withVariables({ [DATABASE_VARIABLE]: '' }, () => openPlace(sample, { create: true }));
  for (const n of [0, 1, 2]) await addRecording(made, { id: `20260504-10203${n}-clockaaa`, task: `GIMP_${n + 1}` });
  made.close();
  fs.cpSync(path.join(sample, 'recordings'), path.join(dir, 'recordings'), { recursive: true });
  process.env[DATABASE_VARIABLE] = address;

  await startWrong(0, folder, dir, origin);
  const homes = path.join(folder, 'server-home');
  for (const hours of [1, -1]) {
    const env = { ...process.env, ...wrongBy(hours), TRAJECTORY_STUDIO_HOME: homes, NO_COLOR: '1' };
    const child = spawn(process.execPath, [CLI, 'worker', '--workspace', dir], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    await new Promise((begun) => child.stderr.once('data', begun));
    child.stderr.resume();
  }
  const seen = async () => (await postgres.inside(address, 'select id from studio_workers').catch(() => [])).length;
  await expect.poll(seen, { timeout: 200_000 }).toBe(2);
  // A server counts its workers every two seconds.
  const headers = { authorization: `Bearer ${secret}` };
  const { ws } = (await ask(`${origin}/api/team/me`, headers)).json as { ws: string };
  const names = Array.from({ length: 8 }, (_, n) => `v${n}`);
  for (const name of names) await ask(`${origin}/api/workspaces/${ws}/versions`, headers, { name, again: true });
  const jobs = async () =>
    ((await ask(`${origin}/api/workspaces/${ws}/jobs`, headers)).json as Job[]).filter(({ kind }) => kind === 'freeze');
  // Leases and signs of life are told by the database's clock, whoever writes them.
  const off = `select (select count(*) from studio_work where abs(extract(epoch from leased_until - now())) > 1800)
    + (select count(*) from studio_workers where abs(extract(epoch from seen_at - now())) > 1800) as n,
    (select count(*) from studio_work where state = 'running') as running`;
  let running = 0;
  const states = async () => {
    const [found] = await postgres.inside(address, off);
    expect(Number(found?.n)).toBe(0);
    running = Math.max(running, Number(found?.running));
    return (await jobs()).map(({ state }) => state);
  };
  await expect.poll(states, { timeout: 200_000, interval: 100 }).toEqual(names.map(() => 'done'));
  expect(running).toBeGreaterThan(0);
  const { versions } = (await ask(`${origin}/api/workspaces/${ws}/versions`, headers)).json as {
    versions: { name: string }[];
  };
  expect(versions.map(({ name }) => name).sort()).toEqual(names);
});
