import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePages } from '../../../studio/api/build-pages.ts';
import { DEFAULT_PORT } from '../../../studio/api/listen.ts';
import { DATABASE_VARIABLE } from '../../../studio/store/place.ts';
import { CLI } from '../../support/cli.ts';
import { freePort } from '../../support/free-port.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { run, type Started, start } from '../../support/process.ts';
import { until } from '../../support/until.ts';

/**
 * The files of deploy/ for docker, which cannot be run here: they are read as docker would read them, agree with each other, and
 * their commands start a server and a worker on this machine.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DEPLOY = join(ROOT, 'deploy');
type Service = {
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
};
type Compose = {
  services: Record<'database' | 'studio' | 'worker' | 'proxy', Service>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
  volumes: Record<string, null>;
};

const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
let compose: Compose;
let folder: string;
let postgres: TestPostgres;
const running: Started[] = [];

beforeAll(async () => {
  const program = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
  const parsed = spawnSync('/usr/bin/python3', ['-c', program], {
    input: read('docker-compose.yml'),
    encoding: 'utf8',
  });
  expect(parsed.stderr).toBe('');
  compose = JSON.parse(parsed.stdout) as Compose;
  folder = mkdtempSync(join(tmpdir(), 'studio-deploy-'));
  postgres = await startPostgres();
}, 120_000);
afterAll(async () => {
  for (const one of running) await one.stop();
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const words = (service: Service): string[] => (service.command ?? '').trim().split(/\s+/);
const optionOf = (service: Service, option: string): string | undefined =>
  words(service)[words(service).indexOf(option) + 1];

test('both say plainly that they were not run', () => {
  for (const name of ['docker-compose.yml', 'Dockerfile']) expect(read(name)).toContain('NOT RUN BY US');
});

test('names, ports and paths of all files agree', () => {
  const { database, studio, worker, proxy } = compose.services;
  const [name] = /^studio\.[\w.]+/m.exec(read('Caddyfile')) ?? [];
  expect(optionOf(studio, '--url')).toBe(`https://${name}`);
  expect(optionOf(studio, '--proxy')).toBe(compose.networks.default.ipam.config[0]?.subnet);
  expect(optionOf(studio, '--port')).toBe(String(DEFAULT_PORT));
  expect(proxy.environment?.STUDIO_UPSTREAM).toBe(`studio:${DEFAULT_PORT}`);
  expect(optionOf(worker, '--workspace')).toBe(optionOf(studio, '--workspace'));
  for (const each of [studio, worker]) {
    const address = new URL(each.environment?.[DATABASE_VARIABLE]?.replace(/\$\{[^}]*\}/, 'secret') ?? '');
    expect([address.hostname, address.username, address.pathname]).toEqual([
      'database',
      database.environment?.POSTGRES_USER,
      `/${database.environment?.POSTGRES_DB}`,
    ]);
    expect(each.volumes).toEqual([`studio:${optionOf(each, '--workspace')?.replace(/\/[^/]+$/, '')}`]);
    expect(existsSync(join(DEPLOY, each.build?.context ?? '', each.build?.dockerfile ?? ''))).toBe(true);
  }
  // Nothing but the proxy is reached from outside, and every volume is declared.
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  expect(published.map(([service]) => service)).toEqual(['proxy']);
  const volumes = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  const named = volumes.map((volume) => volume.split(':')[0]!).filter((volume) => !volume.startsWith('.'));
  expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  expect(read('Dockerfile')).toContain(`EXPOSE ${DEFAULT_PORT}`);
  expect(read('Dockerfile')).toContain('ENTRYPOINT ["node", "studio/cli/main.ts"]');
  for (const path of ['studio/cli/main.ts', 'studio/api/build-main.ts'])
    expect(existsSync(join(ROOT, path))).toBe(true);
});

test('the Caddyfile leads to the server of this machine, and to that of docker-compose where it says so', () => {
  const upstream = (environment: NodeJS.ProcessEnv): string => {
    const { stdout, stderr } = spawnSync('caddy', ['adapt', '--config', join(DEPLOY, 'Caddyfile')], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    return /"dial":"([^"]+)"/.exec(stdout)?.[1] ?? stderr;
  };
  expect(upstream({})).toBe(`127.0.0.1:${DEFAULT_PORT}`);
  expect(upstream({ STUDIO_UPSTREAM: 'studio:4747' })).toBe('studio:4747');
});

test('the commands of docker-compose start a server and a worker', async () => {
  await ensurePages(() => {});
  const address = await postgres.make();
  const port = await freePort();
  const env = { ...process.env, TRAJECTORY_STUDIO_HOME: join(folder, 'home'), [DATABASE_VARIABLE]: address };
  const here = (service: Service): string[] =>
    words(service).map((word) => {
      if (word.startsWith('/srv/studio')) return join(folder, 'lab');
      return { [`${DEFAULT_PORT}`]: String(port), '0.0.0.0': '127.0.0.1' }[word] ?? word;
    });
  const server = await start(process.execPath, [CLI, ...here(compose.services.studio), '--json'], { env });
  running.push(server);
  await until('the server to listen', () => {
    if (server.exit()) throw new Error(server.stderr());
    return server.stdout().includes('"url"') || undefined;
  });
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  const worker = await start(process.execPath, [CLI, ...here(compose.services.worker)], { env });
  running.push(worker);
  await until('the worker to work', () => {
    if (worker.exit()) throw new Error(worker.stderr());
    return worker.stderr().includes('works on') || undefined;
  });
  // As the head of the file says, for the first owner.
  const [, invite = ''] = /run --rm studio (invite .+)$/m.exec(read('docker-compose.yml')) ?? [];
  const asked = invite.replace('/srv/studio/lab', join(folder, 'lab')).split(' ');
  const { status, stdout } = await run(process.execPath, [CLI, ...asked], { env });
  expect([status, stdout]).toEqual([0, expect.stringContaining('https://studio.lab.org/')]);
}, 180_000);
