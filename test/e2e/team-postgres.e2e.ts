import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Contract } from '../../schemas/api/contract.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { SIGN_ROUTES, type TeamRole } from '../../schemas/team-terms.ts';
import { invite } from '../../studio/api/members/invitations.ts';
import { ACCOUNT } from '../../studio/api/members/principal.ts';
import { makeToken } from '../../studio/api/members/sessions.ts';
import { freePort, startPush } from '../../studio/session/push/processes-for-tests.ts';
import { openPlace } from '../../studio/store/place.ts';
import type { Store } from '../../studio/store/store.ts';
import { openWorkspace, type Workspace } from '../../studio/store/workspace.ts';
import { CLI, studioMust } from '../support/cli.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { type MadeRecording, makeRecording } from '../support/studio-recording.ts';
import { annotateAndHandIn } from '../support/studio-review.ts';
import { studioHome } from '../support/studio-server.ts';

/**
 * A team on Debian's PostgreSQL and S3 (s3rver): two servers behind one address and two workers, each a process of its own. From an
 * invitation to an export that a worker made; then servers and workers are killed in the middle of jobs, and each job is done once.
 */

const home = studioHome();
const lab = home.dir('lab');
const NAMES = ['one', 'two'] as const;
let postgres: TestPostgres;
let s3: TestS3;
let front: Server;
let port: number;
let origin: string;
let database: string;
let place: Workspace;
let store: Store;
const ports: number[] = [];
const servers: (ChildProcess | null)[] = [null, null];
const workers = new Set<ChildProcess>();
let env: NodeJS.ProcessEnv;

/** A proxy that hands each connection to the next server that listens, as it comes. */
async function startFront(): Promise<void> {
  let turn = 0;
  front = createServer((from) => {
    const tryNext = (left: number): void => {
      const to = connect(ports[turn++ % ports.length]!, '127.0.0.1');
      to.once('connect', () => {
        from.pipe(to).pipe(from);
        from.once('close', () => to.destroy());
        to.once('close', () => from.destroy());
      });
      to.on('error', () => (to.connecting && left > 0 ? tryNext(left - 1) : from.destroy()));
    };
    from.on('error', () => undefined);
    tryNext(1);
  });
  port = await freePort();
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${port}`;
}

async function startServer(at: number): Promise<void> {
  const more = ['--no-build', '--json', '--url', origin, '--port', String(ports[at])];
  const place = ['--workspace', lab, '--files', `s3://${s3.bucket}/lab`];
  const child = spawn(process.execPath, [CLI, 'serve', '--team', ...place, ...more], { env, stdio: 'pipe' });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => data.toString().includes('"listens"') && resolve());
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    child.once('exit', () => reject(new Error(`Server ${NAMES[at]} ended: ${said}`)));
  });
  servers[at] = child;
}

async function startWorker(): Promise<void> {
  const args = [CLI, 'worker', '--workspace', lab, '--files', `s3://${s3.bucket}/lab`];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  workers.add(child);
  child.once('exit', () => workers.delete(child));
  await new Promise((begun) => child.stderr.once('data', begun));
  child.stderr.resume();
}

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3(home.dir('s3'))]);
  database = await postgres.make();
  await startFront();
  ports.push(await freePort(), await freePort());
  env = { ...process.env, ...s3.env, STUDIO_DATABASE: database, TRAJECTORY_STUDIO_HOME: home.home, NO_COLOR: '1' };
  process.env.STUDIO_DATABASE = database;
  place = await openPlace(lab, { create: true });
  delete process.env.STUDIO_DATABASE;
  store = place.store;
  for (const at of [0, 1]) await startServer(at);
  for (const _ of [1, 2]) await startWorker();
}, 240_000);
afterAll(async () => {
  for (const child of [...servers, ...workers]) child?.kill('SIGKILL');
  await place?.close();
  front?.close();
  await s3?.close();
  postgres?.stop();
  home.remove();
});

type Member = { id: string; email: string; ws: string; api: ContractRouterClient<Contract> };

/** Somebody who opens the link of an invitation, signs out, and signs in by their password. */
async function member(name: string, role: TeamRole): Promise<Member> {
  const email = `${name.toLowerCase()}@lab.org`;
  const { link } = await invite(store, ACCOUNT, { email, role, name, days: 7, url: origin });
  const password = 'four words that are long';
  const asked = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const post = (at: string, body: object, headers: Record<string, string> = asked) =>
    fetch(`${origin}${at}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const code = new URL(link).hash.slice(1);
  const first = cookieOf(await post(SIGN_ROUTES.accept, { code, name, password }));
  await post(SIGN_ROUTES.signOut, {}, { ...asked, cookie: first });
  const cookie = cookieOf(await post(SIGN_ROUTES.signIn, { email, password }));
  const headers = () => ({ ...asked, cookie });
  const api: ContractRouterClient<Contract> = createORPCClient(new RPCLink({ url: `${origin}/rpc`, headers }));
  const me = await api.team.me();
  return { id: me!.id, email, ws: me!.ws, api };
}

const RECORDING = '20260504-102030-pgteam01';
let manager: Member;
let made: MadeRecording;
const actOn = ({ api, ws, id }: Member, act: ReviewAct) =>
  api.review.send({ ws, recording: RECORDING, person: id, id: randomUUID(), act });
const jobOver = (id: string) =>
  expect
    .poll(async () => (await manager.api.jobs.list({ ws: manager.ws })).find((job) => job.id === id), {
      timeout: 120_000,
      interval: 500,
    })
    .toMatchObject({ state: 'done' });

it('an invitation, a recording that is pushed, annotation, review, a version and an export by a worker', {
  timeout: 400_000,
}, async () => {
  manager = await member('Mia', 'manager');
  const [recorder, annotator, reviewer] = [
    await member('Rob', 'recorder'),
    await member('Ada', 'annotator'),
    await member('Ben', 'reviewer'),
  ];
  const { ws } = manager;
  const task = { id: 'GIMP_1', goal: 'Use every button of the scene once' };
  const mine = home.dir('mine');
  const own = openWorkspace(mine, { create: true });
  made = await makeRecording(path.join(mine, 'recordings'), { id: RECORDING, steps: 4, width: 640, height: 360, task });
  await own.syncIndex();
  await own.close();
  const scopes = ['see', 'record'] as const;
  const { secret } = await makeToken(store, ACCOUNT, { member: recorder.email, name: 'desk', scopes, days: 1 });
  const sent = await startPush(home.dir('recorder'), { dir: mine, id: RECORDING, origin, token: secret }).over;
  expect([sent.status, sent.err]).toEqual([0, expect.any(String)]);

  const server = { api: annotator.api };
  const review = await annotateAndHandIn({ server, ws, recording: RECORDING }, annotator.id, made);
  expect(review.state).toBe('annotated');
  await actOn(reviewer, { type: 'claim' });
  const { steps } = await reviewer.api.recordings.open({ ws, recording: RECORDING, person: reviewer.id });
  const versionNow = async () =>
    (await reviewer.api.annotation.get({ ws, recording: RECORDING, person: reviewer.id })).version;
  for (const { id: action } of steps) {
    const item = { kind: 'step' as const, action };
    const version = await versionNow();
    await actOn(reviewer, { type: 'decide', item, version, verdict: 'accept', reason: null, comment: '' });
  }
  const version = await versionNow();
  await actOn(reviewer, { type: 'verdict', verdict: 'approve', version, reasons: [], comment: '' });

  await jobOver((await manager.api.dataset.freeze({ ws, name: 'v1' })).id);
  const wishes = { formats: [{ name: 'opencua' }], source: { kind: 'version' as const, name: 'v1' } };
  const out = 'first-export';
  await jobOver((await manager.api.exports.start({ ws, wishes, out })).id);
  expect(fs.existsSync(path.join(lab, 'exports', out))).toBe(true);
  // Nobody but a worker has done it: the servers hand over whatever workers can do.
  expect(logs()).toMatch(/"work ended".*"name":"export".*"why":"done"/);
  // The film lies in the bucket.
  await expect
    .poll(() => fs.existsSync(path.join(lab, 'recordings', RECORDING, 'screen.mkv')), { timeout: 120_000 })
    .toBe(false);
  await expect.poll(() => s3.asked.some((one) => one.startsWith('PUT'))).toBe(true);
  await manager.api.recordings.open({ ws, recording: RECORDING });
});

it('a version exported by a worker has byte for byte the files of its archive’s export on one machine', {
  timeout: 300_000,
}, async () => {
  const { ws, api } = manager;
  const formats = ['videogui', 'agentnet', 'opencua', 'atif', 'osworld', 'llamafactory', 'coco', 'lerobot'];
  const wishes = { formats: formats.map((name) => ({ name })), source: { kind: 'version' as const, name: 'v1' } };
  await jobOver((await api.exports.start({ ws, wishes, out: 'by-a-worker' })).id);
  const archive = 'v1.tar';
  await jobOver((await api.archives.make({ ws, out: archive, version: 'v1' })).id);

  const own = home.dir('one-machine');
  const there = { env: { ...process.env, TRAJECTORY_STUDIO_HOME: home.dir('its-home') } };
  await studioMust(['init', '--workspace', own], there);
  const found = filesIn(lab).find((name) => name.endsWith(archive));
  await studioMust(['archive', 'import', path.join(lab, found ?? archive), '--workspace', own], there);
  const out = home.dir('by-one-machine');
  await studioMust(['export', formats.join(','), '--version', 'v1', '--out', out, '--workspace', own], there);

  const byWorker = path.join(lab, 'exports', 'by-a-worker');
  const names = filesIn(byWorker);
  expect(names.length).toBeGreaterThan(formats.length * 2);
  expect(filesIn(out)).toEqual(names);
  const differing = names.filter(
    (name) => !fs.readFileSync(path.join(out, name)).equals(fs.readFileSync(path.join(byWorker, name))),
  );
  expect(differing).toEqual([]);
});

/** Paths of all files below a folder, sorted. */
function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** What servers and workers wrote into their logs. */
function logs(): string {
  const folder = path.join(home.home, 'logs');
  return fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

/** A connection that was open to a server which was killed fails once; asked again, it goes to the other. */
async function steady<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 10; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError) || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

it('servers and workers killed in the middle of jobs: each job is done once, and nothing twice', {
  timeout: 500_000,
}, async () => {
  const { ws } = manager;
  const names: string[] = [];
  for (let round = 0; round < 6; round++) {
    for (const n of [0, 1, 2]) {
      const name = `k${round}-${n}`;
      names.push(name);
      await steady(() => manager.api.dataset.freeze({ ws, name, again: true }));
    }
    // A little later in each round, so that it comes at another moment of the work.
    await new Promise((resolve) => setTimeout(resolve, 150 * round));
    const at = round % 2;
    if (round % 3 === 2) {
      const [victim] = workers;
      victim?.kill('SIGKILL');
      await startWorker();
    } else {
      servers[at]?.kill('SIGKILL');
      await startServer(at);
    }
  }
  const versions = async () =>
    (await steady(() => manager.api.dataset.versions({ ws }))).versions.map(({ name }) => name);
  const list = () => steady(() => manager.api.jobs.list({ ws }));
  const active = async () =>
    (await list()).filter(({ kind, state }) => kind === 'freeze' && /waiting|running/.test(state));
  await expect
    .poll(async () => names.filter((name) => !all(name)).length, { timeout: 300_000, interval: 2000 })
    .toBe(0);
  function all(name: string): boolean {
    return fs.existsSync(path.join(lab, 'versions', name, 'version.json'));
  }
  await expect.poll(async () => (await active()).length, { timeout: 120_000, interval: 1000 }).toBe(0);
  const found = await versions();
  expect(found.filter((name) => name.startsWith('k')).sort()).toEqual(names.toSorted());
  // One whose server was killed between its work and the word of it finds the version there.
  for (const { kind, state, error } of await list()) {
    if (kind !== 'freeze' || state === 'done') continue;
    expect(['INTERRUPTED', 'TARGET_EXISTS', 'CONFLICT']).toContain(error?.code);
  }
});
