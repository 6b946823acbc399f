import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement } from '../../core/annotate/edit.ts';
import type { Contract } from '../../schemas/api/contract.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { isPassing } from '../../schemas/errors.ts';
import { acceptInvitation, invite } from '../../studio/api/members/invitations.ts';
import { ACCOUNT } from '../../studio/api/members/principal.ts';
import { makeToken } from '../../studio/api/members/sessions.ts';
import { addRecording } from '../../studio/datasets/workspace-for-tests.ts';
import { freePort, startServer } from '../../studio/session/push/processes-for-tests.ts';
import { DATABASE_VARIABLE, openPlace } from '../../studio/store/place.ts';
import { linesSince } from '../../studio/store/transactions.ts';
import { CLI } from '../support/cli.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { studioHome } from '../support/studio-server.ts';

/**
 * kill -9 at twenty moments of the same work (gestures, a job, an upload), of the server, of a worker and of PostgreSQL. Moments
 * are counted by the program's calls of disk and database, from the first to the last of a round that nothing happens in.
 */

const MOMENTS = 20;
const ID = '20260504-102030-killed99';
const PRELOAD = pathToFileURL(path.join(import.meta.dirname, '..', 'support', 'kill-at-call.mjs')).href;

const home = studioHome();
const children = new Set<ChildProcess>();
let postgres: TestPostgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const name of [DATABASE_VARIABLE, 'NODE_OPTIONS', 'KILL_NOTE']) delete process.env[name];
});
afterAll(() => {
  postgres?.stop();
  home.remove();
});

type Api = ContractRouterClient<Contract>;
type Lab = { folder: string; dir: string; origin: string; token: string; api: Api; note: string };

async function makeLab(name: string): Promise<Lab> {
  const folder = home.dir(name);
  const dir = path.join(folder, 'lab');
  const origin = `http://127.0.0.1:${await freePort()}`;
  const { store, close } = await openPlace(dir, { create: true });
  const wishes = { email: 'mia@lab.org', role: 'manager' as const, name: 'Mia', days: 1, url: origin };
  const code = new URL((await invite(store, ACCOUNT, wishes)).link).hash.slice(1);
  await acceptInvitation(store, { code, name: 'Mia', password: 'four words that are long' });
  const scopes = ['see', 'data', 'manage', 'annotate', 'record'] as const;
  const { secret } = await makeToken(store, ACCOUNT, { member: wishes.email, name: 'x', scopes, days: 1 });
  close();
  // Made in a folder with SQLite, and copied.
  const address = process.env[DATABASE_VARIABLE];
  delete process.env[DATABASE_VARIABLE];
  const made = await openPlace(path.join(folder, 'made'), { create: true });
  await addRecording(made, { id: ID });
  made.close();
  if (address) process.env[DATABASE_VARIABLE] = address;
  fs.cpSync(path.join(folder, 'made', 'recordings'), path.join(dir, 'recordings'), { recursive: true });
  const headers = () => ({ authorization: `Bearer ${secret}` });
  const api: Api = createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers }));
  return { folder, dir, origin, token: secret, api, note: path.join(folder, 'kill') };
}

/** Starts with the counting of calls. */
async function counting<T>({ note }: Lab, start: () => Promise<T>): Promise<T> {
  process.env.NODE_OPTIONS = `--import=${PRELOAD}`;
  process.env.KILL_NOTE = note;
  try {
    return await start();
  } finally {
    delete process.env.NODE_OPTIONS;
    delete process.env.KILL_NOTE;
  }
}

async function serve(lab: Lab): Promise<ChildProcess> {
  const start = () => startServer(lab.folder, lab.dir, lab.origin, Number(new URL(lab.origin).port));
  return remember(await counting(lab, start));
}
function remember(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** From here on the child counts; gives how many calls there were since the last time. */
async function arm({ note }: Lab, child: ChildProcess, at: number, who: 'self' | 'other'): Promise<number> {
  fs.rmSync(`${note}.armed`, { force: true });
  fs.writeFileSync(`${note}.at`, `${at} ${who}`);
  child.kill('SIGUSR2');
  await expect.poll(() => fs.existsSync(`${note}.armed`), { interval: 5, timeout: 60_000 }).toBe(true);
  return Number(fs.readFileSync(`${note}.count`, 'utf8'));
}

/** As a page and a sender do: what was not answered, or passes by itself, is sent again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { code = null, data = null } = error as { code?: string; data?: { code?: string } };
      const isAway = error instanceof TypeError || isPassing(String(data?.code ?? code)) || code === 'ECONNRESET';
      if (!isAway) throw error;
      await sleep(50);
    }
  }
}

class Day {
  readonly labels: string[] = [];
  readonly versions: string[] = [];
  readonly #lab: Lab;
  readonly #again = new Set<string>();
  #ws = '';

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** The same work each time: three gestures, a version and an upload of three pieces. */
  async round(name: string): Promise<void> {
    const { api } = this.#lab;
    this.#ws ||= (await patiently(() => api.team.me()))!.ws;
    await Promise.all([this.#annotate(name), this.#freeze(name), this.#upload()]);
  }

  async #annotate(name: string): Promise<void> {
    const at = { ws: this.#ws, recording: ID };
    const { api } = this.#lab;
    const { steps } = await patiently(() => api.recordings.open(at));
    for (let n = 0; n < 3; n++) {
      const label = `${name} ${n}`;
      const { records } = await patiently(() => api.annotation.get(at));
      const changes = nameElement(toRecords(records), steps[0]!.id, label, 'hand');
      const transaction = { id: randomUUID(), label, changes };
      await patiently(() => api.annotation.apply({ ...at, transaction }));
      this.labels.push(label);
    }
  }

  async #freeze(name: string): Promise<void> {
    this.versions.push(name);
    await this.#begin(name);
  }

  /** Asked again, it may be there or be made already. */
  async #begin(name: string): Promise<void> {
    const { api } = this.#lab;
    await patiently(() => api.dataset.freeze({ ws: this.#ws, name, again: true })).catch((error: { code?: string }) => {
      if (!['TARGET_EXISTS', 'CONFLICT'].includes(String(error.code))) throw error;
    });
  }

  async #upload(): Promise<void> {
    const { origin, token } = this.#lab;
    const bytes = Buffer.alloc(90_000, randomUUID());
    const send = (method: string, url: string, headers: Record<string, string>, body?: Buffer) =>
      patiently(async () => {
        const answer = await fetch(`${origin}${url}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
          ...(body && { body: new Uint8Array(body) }),
        });
        if (answer.status >= 500) throw new TypeError(`status ${answer.status}`);
        return answer;
      });
    const begun = await send('POST', FILE_ROUTES.uploads(this.#ws), { 'upload-length': String(bytes.length + 1) });
    expect(begun.status).toBe(201);
    const url = new URL(begun.headers.get('location') ?? '', origin).pathname;
    let [offset, confirmed] = [0, 0];
    while (offset < bytes.length) {
      const piece = bytes.subarray(offset, offset + 30_000);
      const type = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
      const answer = await send('PATCH', url, type, piece);
      if (answer.status === 204) confirmed = Number(answer.headers.get('upload-offset'));
      const head = await send('HEAD', url, {});
      expect(head.status).toBe(200);
      offset = Number(head.headers.get('upload-offset'));
      expect(offset).toBeGreaterThanOrEqual(confirmed);
    }
    const file = path.join(this.#lab.dir, 'uploads', `${path.basename(url)}.part`);
    expect(fs.readFileSync(file).equals(bytes), path.basename(file)).toBe(true);
    // One person may have twenty under way.
    expect([204, 404]).toContain((await send('DELETE', url, {})).status);
  }

  /** Nothing that was confirmed is lost, nothing was done twice. */
  async check(): Promise<void> {
    const { api, dir } = this.#lab;
    const ws = this.#ws;
    const versions = async () => {
      // A job that failed in words, since the database was away for longer than is waited, is begun again by a person.
      for (const { kind, subject, state, error, id } of await patiently(() => api.jobs.list({ ws }))) {
        if (kind !== 'freeze' || state !== 'failed' || this.#again.has(id)) continue;
        expect([subject, isPassing(String(error?.code)) || error?.code === 'TARGET_EXISTS']).toEqual([subject, true]);
        this.#again.add(id);
        await this.#begin(subject);
      }
      return (await patiently(() => api.dataset.versions({ ws }))).versions.map(({ name }) => name).sort();
    };
    await expect.poll(versions, { timeout: 300_000, interval: 500 }).toEqual(this.versions.toSorted());
    const { store, close } = await openPlace(dir, { create: false });
    expect((await linesSince(store, ID, 1)).map(({ label }) => label)).toEqual(this.labels);
    close();
    await patiently(() => api.recordings.open({ ws, recording: ID }));
  }
}

const momentOf = (n: number, calls: number): number => Math.max(1, Math.round(((n + 0.5) * calls) / MOMENTS));

it('the server at twenty moments', { timeout: 600_000 }, async () => {
  const lab = await makeLab('server');
  const day = new Day(lab);
  const first = await serve(lab);
  await day.round('first');
  await arm(lab, first, 0, 'self');
  await day.round('counted');
  const calls = await arm(lab, first, 0, 'self');
  expect(calls).toBeGreaterThan(MOMENTS);
  let server = first;
  let inTheMiddle = 0;
  for (let n = 0; n < MOMENTS; n++) {
    const victim = server;
    const next = new Promise<ChildProcess>((resolve, reject) => {
      victim.once('exit', () => serve(lab).then(resolve, reject));
    });
    await arm(lab, victim, momentOf(n, calls), 'self');
    await day.round(`k${n}`);
    if (isOver(victim)) inTheMiddle++;
    // A round has not always as many calls: this one is killed behind its last.
    else victim.kill('SIGKILL');
    server = await next;
  }
  expect(inTheMiddle).toBeGreaterThan(MOMENTS / 2);
  await day.check();
});

it('PostgreSQL at twenty moments of the server', { timeout: 600_000 }, async () => {
  process.env[DATABASE_VARIABLE] = await postgres!.make();
  const lab = await makeLab('postgres');
  const day = new Day(lab);
  const server = await serve(lab);
  await day.round('first');
  await arm(lab, server, 0, 'other');
  await day.round('counted');
  const calls = await arm(lab, server, 0, 'other');
  let killed = 0;
  let isEnding = false;
  // The server stands still at its moment until the database has gone and come again.
  const killer = (async () => {
    while (!isEnding) {
      if (fs.existsSync(`${lab.note}.now`)) {
        await postgres!.crash();
        killed++;
        fs.rmSync(`${lab.note}.now`);
      }
      await sleep(5);
    }
  })();
  for (let n = 0; n < MOMENTS; n++) {
    await arm(lab, server, momentOf(n, calls), 'other');
    await day.round(`k${n}`);
  }
  isEnding = true;
  await killer;
  expect(killed).toBeGreaterThan(MOMENTS / 2);
  expect(isOver(server)).toBe(false);
  await day.check();
});

it('a worker at twenty moments', { timeout: 600_000 }, async () => {
  process.env[DATABASE_VARIABLE] = await postgres!.make();
  const lab = await makeLab('worker');
  const day = new Day(lab);
  await serve(lab);
  const startWorker = () =>
    counting(lab, async () => {
      const env = { ...process.env, TRAJECTORY_STUDIO_HOME: path.join(lab.folder, 'server-home'), NO_COLOR: '1' };
      const args = [CLI, 'worker', '--workspace', lab.dir];
      const child = remember(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] }));
      await new Promise((begun) => child.stderr!.once('data', begun));
      child.stderr!.resume();
      return child;
    });
  await day.round('first');
  for (let n = 0; n < MOMENTS; n++) {
    const worker = await startWorker();
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    // It asks for work all the time, so it comes to every moment.
    await arm(lab, worker, 1 + 7 * n, 'self');
    await day.round(`k${n}`);
    await gone;
  }
  await startWorker();
  await day.check();
});
