import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { type StudioServer, startServer, studioHome } from '../../../test/support/studio-server.ts';
import { until } from '../../../test/support/until.ts';
import { sampleRecording, writeSample } from '../recording-for-tests.ts';

/** Two servers and three workers on one workspace: jobs go to the workers, and on elsewhere when one of them is killed. */

const CLI = join(import.meta.dirname, '..', '..', 'cli', 'main.ts');
const home = studioHome();
const dir = home.dir('workspace');
let postgres: TestPostgres;
let address: string;
const servers: StudioServer[] = [];
const workers = new Set<ChildProcess>();
let ws: string;

beforeAll(async () => {
  postgres = await startPostgres();
  address = await postgres.make();
  for (const name of ['one', 'two']) {
    const env = { STUDIO_DATABASE: address };
    const server = await startServer({ home: join(home.dir('homes'), name), env });
    servers.push(server);
    ({ id: ws } = await server.api.workspaces.open({ dir, create: true }));
  }
  for (const n of [1, 2, 3]) {
    const id = `20260504-10203${n}-aaaaaaaa`;
    writeSample(join(dir, 'recordings'), sampleRecording({ id, segments: [], task: { id: `GIMP_${n}`, goal: 'x' } }), [
      { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
      { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
    ]);
  }
  await servers[0]!.api.recordings.list({ ws });
});
afterAll(async () => {
  for (const child of workers) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  postgres?.stop();
  home.remove();
});

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, 'worker', '--workspace', dir], {
    env: { ...process.env, STUDIO_DATABASE: address, TRAJECTORY_STUDIO_HOME: home.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  workers.add(child);
  child.once('exit', () => workers.delete(child));
  await new Promise((begun) => child.stderr?.once('data', begun));
  child.stderr?.resume();
  return child;
}

const count = async (sql: string): Promise<number> => Number((await postgres.inside(address, sql))[0]?.n);

test('each job is done once, whichever worker is killed in the middle of it, and both servers show it', async () => {
  for (const _ of [1, 2, 3]) await startWorker();
  await until('three workers are seen', async () => (await count('select count(*) as n from studio_workers')) >= 3);
  // A server counts them now and then.
  await sleep(2500);
  const names = Array.from({ length: 10 }, (_, n) => `v${n}`);
  const jobs = [];
  for (const [at, name] of names.entries())
    jobs.push(await servers[at % 2]!.api.dataset.freeze({ ws, name, again: true }));
  for (let n = 0; n < 3; n++) {
    const [victim] = workers;
    victim?.kill('SIGKILL');
    await startWorker();
  }
  const states = () => servers[0]!.api.jobs.list({ ws });
  await until(
    'all jobs are over',
    async () =>
      (await states()).filter(({ kind, state }) => kind === 'freeze' && /done|failed/.test(state)).length === 10,
    { timeoutMs: 200_000 },
  );
  for (const server of servers) {
    const { versions } = await server.api.dataset.versions({ ws });
    expect(versions.map(({ name }) => name).sort()).toEqual(names);
    const list = await server.api.jobs.list({ ws });
    for (const { id } of jobs) {
      const job = list.find((one) => one.id === id);
      // One that was killed between its work and the word of it finds the version there.
      if (job?.state === 'failed') expect(job.error?.code).toBe('TARGET_EXISTS');
      else expect(job).toMatchObject({ state: 'done' });
    }
  }
  await until('nothing is left of it', async () => (await count('select count(*) as n from studio_work')) === 0);
});

test('without a worker the server does it itself', async () => {
  for (const child of workers) child.kill('SIGTERM');
  await until('all workers are gone', () => workers.size === 0);
  await until(
    'they said so',
    async () =>
      (await count('select count(*) as n from studio_workers where seen_at > now() - make_interval(secs => 15)')) === 0,
  );
  const job = await servers[0]!.api.dataset.freeze({ ws, name: 'alone', again: true });
  await until(
    'it is done',
    async () => (await servers[0]!.api.jobs.list({ ws })).find(({ id }) => id === job.id)?.state === 'done',
  );
  expect(existsSync(join(dir, 'versions'))).toBe(true);
});
