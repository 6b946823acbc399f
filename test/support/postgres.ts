import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * A server of PostgreSQL for a file of tests: Debian's, with a folder of its own, at a free port of this machine. It refuses to
 * be root, so it runs as the user `postgres` where the tests do.
 */
export type TestPostgres = {
  /** Makes an empty database, with another language's order than that of bytes, and gives its address. */
  make(): Promise<string>;
  /** A statement as the server's owner, in the database of that address or in that of the server. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  inside(address: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Ends it as a power cut does, and starts it again. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  /** Ends it, until it is started again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): void;
};

const START_MS = 60_000;

export async function startPostgres(): Promise<TestPostgres> {
  const [bin] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  if (bin === undefined)
    throw new Error('PostgreSQL is not installed: sudo apt-get install postgresql (npm run setup says so too).');
  const owner = ownerOf();
  // On the disk, not in memory: what is measured and cut off there is real.
  const folder = mkdtempSync(join(tmpdir(), 'studio-postgres-'));
  chmodSync(folder, 0o700);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const as = owner ?? {};
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '--pgdata',
      data,
      '--username',
      'studio',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '--no-sync',
    ],
    { ...as, env, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  }
  const port = await freePort();
  let server: ChildProcess;
  let names = 0;
  const start = (): void => {
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=60',
    ];
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...as,
      env,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr?.resume();
  };
  const ended = (): Promise<void> =>
    server.exitCode !== null || server.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => server.once('exit', () => resolve()));
  const address = (name: string): string => `postgres://studio@127.0.0.1:${port}/${name}`;
  const inside = async (place: string, sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(place);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const ask = (sql: string) => inside(address('postgres'), sql);
  const answers = async (): Promise<void> => {
    for (const until = performance.now() + START_MS; ; await sleep(50)) {
      try {
        await ask('select 1');
        return;
      } catch (error) {
        if (performance.now() > until || server.exitCode !== null) throw error;
      }
    }
  };
  const stop = (): void => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  start();
  try {
    await answers();
  } catch (error) {
    stop();
    throw new Error('PostgreSQL does not start.', { cause: error });
  }
  return {
    async make() {
      const name = `studio_${++names}`;
      await ask(
        `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'de' locale 'C.UTF-8'`,
      );
      return address(name);
    },
    ask,
    inside,
    async crash() {
      server.kill('SIGQUIT');
      await ended();
      start();
      await answers();
    },
    async pause() {
      server.kill('SIGINT');
      await ended();
    },
    async resume() {
      await ended();
      start();
      await answers();
    },
    async restart() {
      server.kill('SIGINT');
      await ended();
      start();
      await answers();
    },
    stop,
  };
}

/** Undefined: the tests do not run as root. */
function ownerOf(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('There is no user "postgres", as whom PostgreSQL is to run here.');
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
