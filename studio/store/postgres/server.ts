import { createHash, randomBytes } from 'node:crypto';
import type * as Pg from 'pg';
import { log } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { PostgresConnection, PostgresEngine } from './engine.ts';
import { isForgotten } from './errors.ts';
import { CHANGES } from './schema.ts';
import { saysVersion } from './version.ts';

/** A server of PostgreSQL, by the package `pg`, which is installed by whoever needs it. */

/** Connections at once; more who want one wait. */
const MOST = 10;
/** The longest wait for a connection, ms. */
const CONNECT_MS = 5000;
/** Between two tries to listen again, ms. */
const LISTEN_AGAIN_MS = 1000;
/** Said once to each connection: limits after which a lock is no longer waited for, and a whole that went silent is undone. */
const SETTINGS =
  "set default_transaction_isolation = 'serializable'; set lock_timeout = '10s'; set idle_in_transaction_session_timeout = '120s'; set timezone = 'UTC'; set client_min_messages = 'warning'";
/** Texts that are prepared by name, and by each connection once; others are read and planned each time. */
const MOST_PREPARED = 300;
/** Longer ones, and those of more values, are of lists: another text for each length. */
const LONGEST = 4000;
const MOST_VALUES = 24;
/** PostgreSQL's number of the type bigint. Ours stay below 2^53. */
const BIGINT = 20;

type PgModule = Pick<typeof Pg, 'Client' | 'Pool' | 'types'>;

export type PostgresServer = PostgresEngine & {
  /** True once after somebody else has changed the database, or may have. */
  changedOutside(): boolean;
};

const NOT_INSTALLED =
  'A workspace in PostgreSQL needs the package pg, which is not installed with the studio. Install it beside the studio with `npm install pg@8.23.1`, then try again.';

/**
 * `version`: the newest of the database that this program knows. Throws USAGE for what is no address, NO_LIBRARY without the
 * package. Nothing is asked of the server yet.
 */
export async function openServer(address: string, version = MIGRATIONS.at(-1)?.version ?? 0): Promise<PostgresServer> {
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw new StudioError(
      'USAGE',
      'The address of a database begins with postgres://, such as postgres://user:password@host:5432/name.',
      { field: 'database' },
    );
  }
  const { default: pg } = await import('pg').catch((error: unknown) => {
    throw new StudioError('NO_LIBRARY', NOT_INSTALLED, { library: 'pg' }, { cause: error });
  });
  const name = `trajectory-studio ${process.pid} ${randomBytes(6).toString('hex')}`;
  const types: Pg.CustomTypesConfig = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser, // The one of two forms that pg asks for.
  };
  const config: Pg.PoolConfig = {
    connectionString: address,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types,
  };
  const where = placeOf(pg, config);
  const pool = new pg.Pool({ ...config, max: MOST, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  // One that lay idle was closed by the server: the next question gets another.
  pool.on('error', (error) => log.warn('connection to the database lost', { error }));
  // Also one that breaks while it is in use or is given back: whoever asks something of it is told by that question.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const set = new WeakSet<Pg.PoolClient>();
  const names = statementNames();
  const changes = listenTo(pg, { config, name });
  return {
    where,
    single: false,
    async connect() {
      const client = await pool.connect();
      if (!set.has(client)) {
        try {
          await client.query(`${SETTINGS}; ${saysVersion(version)}`);
        } catch (error) {
          client.release(true);
          throw error;
        }
        set.add(client);
      }
      return connectionOf(client, names);
    },
    changedOutside: changes.look,
    async close() {
      await changes.close();
      await pool.end();
    },
  };
}

/** The address without its user and password, for messages. */
function placeOf(pg: PgModule, config: Pg.PoolConfig): string {
  try {
    const { host, port, database } = new pg.Client(config);
    return `postgres://${host}:${port}/${database ?? ''}`;
  } catch (error) {
    // Its message may hold the address with the password.
    const message =
      'The address of the database cannot be read: it is to be as postgres://user:password@host:5432/name.';
    throw new StudioError('USAGE', message, { field: 'database' }, { cause: error });
  }
}

/** A name for a text that is prepared, always the same one, so that no other program means another text by it; null: it is not. */
type StatementNames = { of(sql: string, values: number): string | null; none(): void };

function statementNames(): StatementNames {
  const known = new Map<string, string>();
  let isOff = false;
  return {
    of(sql, values) {
      if (isOff || values === 0 || values > MOST_VALUES || sql.length > LONGEST) return null;
      const before = known.get(sql);
      if (before !== undefined || known.size >= MOST_PREPARED) return before ?? null;
      const name = `studio_${createHash('sha256').update(sql).digest('hex').slice(0, 40)}`;
      known.set(sql, name);
      return name;
    },
    none() {
      if (!isOff) log.warn('statements not prepared any more');
      isOff = true;
    },
  };
}

function connectionOf(client: Pg.PoolClient, names: StatementNames): PostgresConnection {
  let isSpoilt = false;
  return {
    async query(sql, parameters) {
      const name = names.of(sql, parameters.length);
      const values = [...parameters];
      // Several statements in one text are answered one by one.
      const asked: Promise<Pg.QueryResult | Pg.QueryResult[]> =
        parameters.length === 0
          ? client.query(sql)
          : client.query({ text: sql, values, ...(name !== null && { name }) });
      const answers = await asked.catch((error: unknown) => {
        const forgotten = name === null ? null : isForgotten(error);
        // Somebody between (a pooler) gave us another connection of the server's: names mean nothing there.
        if (forgotten === 'name') names.none();
        isSpoilt ||= forgotten !== null;
        throw error;
      });
      const { rows, rowCount, command } = Array.isArray(answers) ? answers.at(-1)! : answers;
      return { rows, changed: command === 'SELECT' ? null : rowCount, command };
    },
    release: (broken) => client.release(broken || isSpoilt),
  };
}

type Listening = { config: Pg.PoolConfig; name: string };

/** Hears of changes by others, by a connection of its own. While it has none, something may have changed. */
function listenTo(pg: PgModule, { config, name }: Listening) {
  let changed = false;
  let closed = false;
  let client: Pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  const later = (): void => {
    client = null;
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      void begin();
    }, LISTEN_AGAIN_MS);
    timer.unref();
  };
  async function begin(): Promise<void> {
    const mine = new pg.Client({ ...config, application_name: `${name} listens` });
    client = mine;
    mine.on('notification', ({ payload }) => {
      if (payload !== name) changed = true;
    });
    mine.on('error', () => undefined);
    mine.on('end', later);
    try {
      await mine.connect();
      await mine.query(`listen ${CHANGES}`);
      // Changes that came while no connection listened were not heard.
      changed = true;
    } catch (error) {
      log.warn('changes of the database not heard', { error });
      await mine.end().catch(() => undefined);
      later();
    }
  }
  return {
    look(): boolean {
      if (!client && !timer && !closed) void begin();
      const before = changed;
      changed = false;
      return before;
    },
    async close(): Promise<void> {
      closed = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
