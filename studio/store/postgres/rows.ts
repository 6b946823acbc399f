import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { StudioError } from '../../../schemas/errors.ts';
import { newerVersion } from '../../files/versioned.ts';
import { createDatabase } from '../database.ts';
import { translate } from '../errors.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { outdated } from '../outdated.ts';
import { type Ask, onConnection, withinTransaction } from './ask.ts';
import type { PostgresEngine } from './engine.ts';
import { COUNTED_TABLES, prepareSchema, schemaVersion } from './schema.ts';

/**
 * A workspace's database carried over, row by row, between PostgreSQL and a file of SQLite. Both are made by the same
 * migrations, so a table has the same columns on both sides; whether both hold the same is told by a digest of each table.
 */

/** A table as SQLite tells it. `order`: the columns that put its rows into one order, the same on both sides. */
type Table = { name: string; columns: string[]; order: string[] };
type Row = readonly unknown[];

/** Rows that are asked for at once. */
const FETCHED = 500;
/** Values of one statement; PostgreSQL takes 65535. */
const MOST_VALUES = 20_000;
/** Kept by each database about itself: they are not carried over. */
const OWN_META = ['version', 'database'];
/** Made with every database, and replaced by those that come. */
const FILLED_AT_FIRST = ['meta', 'software'];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** The id by which database and folder know each other (place.ts), as it is in a database; null: it belongs to no folder. */
async function idIn(ask: Ask): Promise<string | null> {
  const { rows } = await ask("select value from meta where key = 'database'");
  const value = (rows as { value: string }[])[0]?.value;
  const read: unknown = value === undefined ? null : JSON.parse(value);
  return typeof read === 'object' && read !== null && 'id' in read ? String(read.id) : null;
}

async function versionIn(ask: Ask): Promise<number> {
  const { rows } = await ask("select value from meta where key = 'version'");
  return Number((rows as { value: string }[])[0]?.value ?? 0);
}

/**
 * Writes the database of the folder that knows it by `id` as it is at one moment into a new file of SQLite, while others go on
 * writing, and compares what was written. Gives the database's version, which is not changed.
 * Throws FUTURE_VERSION, NOT_A_WORKSPACE for a database of another folder, DISK_FULL, and what postgresError says.
 */
export async function copyFromPostgres(engine: PostgresEngine, id: string, to: string): Promise<number> {
  const newest = MIGRATIONS.at(-1)?.version ?? 0;
  const version = await schemaVersion(engine);
  if (version > newest) throw newerVersion(engine.where, version, newest, 'Nothing was backed up.');
  return within(engine, 'begin isolation level repeatable read read only', async (ask) => {
    if (version === 0) throw otherDatabase(engine.where);
    const now = await versionIn(ask);
    if (now > version) throw outdated(engine.where, now, version);
    if ((await idIn(ask)) !== id) throw otherDatabase(engine.where);
    createDatabase(
      to,
      MIGRATIONS.filter((step) => step.version <= version),
    );
    const sqlite = new Sqlite(to, { fileMustExist: true });
    try {
      sqlite.pragma('foreign_keys = OFF');
      for (const table of tablesOf(sqlite)) await intoSqlite(ask, sqlite, table);
      if ((sqlite.pragma('foreign_key_check') as unknown[]).length > 0) throw unequal(engine.where, 'its references');
    } finally {
      sqlite.close();
    }
    return version;
  });
}

async function intoSqlite(ask: Ask, sqlite: Sqlite.Database, table: Table): Promise<void> {
  const marks = table.columns.map(() => '?').join(', ');
  const insert = sqlite.prepare(`insert into "${table.name}" (${quoted(table.columns)}) values (${marks})`);
  const insertAll = sqlite.transaction((rows: readonly Row[]) => {
    for (const row of rows) insert.run(...row);
  });
  empty((sql) => translate(table.name, () => sqlite.prepare(sql).run()), table);
  const read = digest();
  for await (const rows of postgresRows(ask, table)) {
    for (const row of rows) read.add(row);
    translate(table.name, () => insertAll(rows));
  }
  if (read.end() !== digestOf(sqlite, table)) throw unequal(table.name, 'the copy in SQLite');
}

/**
 * Fills an empty database of PostgreSQL with what a file of SQLite of the migrations' version holds, in one transaction that is kept
 * only when both hold the same. From then on it belongs to the folder that knows it by `id`.
 * Throws TARGET_EXISTS when it holds a workspace, NOT_A_WORKSPACE when it holds something else, and what postgresError says.
 */
export async function copyToPostgres(
  file: string,
  engine: PostgresEngine,
  id: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await prepareSchema(engine, migrations);
  const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    await within(engine, 'begin isolation level serializable', async (ask) => {
      const tables = tablesOf(sqlite);
      await refuseFilled(engine.where, ask, tables);
      for (const table of tables.toReversed()) if (FILLED_AT_FIRST.includes(table.name)) await empty(ask, table);
      for (const table of tables) await intoPostgres(ask, sqlite, table);
      await ask("insert into meta (key, value) values ('database', $1)", JSON.stringify({ id }));
    });
  } finally {
    sqlite.close();
  }
}

async function intoPostgres(ask: Ask, sqlite: Sqlite.Database, table: Table): Promise<void> {
  const { name, columns } = table;
  const write = async (rows: readonly Row[]): Promise<void> => {
    const values = rows.map((_, at) => `(${columns.map((__, place) => `$${at * columns.length + place + 1}`)})`);
    await ask(`insert into "${name}" (${quoted(columns)}) values ${values.join(', ')}`, ...rows.flat());
  };
  const most = Math.floor(MOST_VALUES / columns.length);
  let waiting: Row[] = [];
  const read = digest();
  for (const row of sqliteRows(sqlite, table)) {
    read.add(row);
    waiting.push(row);
    if (waiting.length < most) continue;
    await write(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await write(waiting);
  const written = digest();
  for await (const rows of postgresRows(ask, table)) for (const row of rows) written.add(row);
  if (read.end() !== written.end()) throw unequal(name, 'the copy in PostgreSQL');
  // PostgreSQL looks at tables by itself only after a while, and would read many from end to end until then.
  await ask(`analyze "${name}"`);
}

/** Whether a database of PostgreSQL is the one that the folder knows by `id`: false for an empty one. Throws as copyToPostgres. */
export async function holdsCopy(engine: PostgresEngine, id: string | null): Promise<boolean> {
  await prepareSchema(engine, MIGRATIONS);
  return within(engine, 'begin isolation level serializable read only', async (ask) => {
    const found = await idIn(ask);
    if (found !== null && found === id) return true;
    const { rows } = await ask(
      'select tablename::text as name from pg_tables where schemaname = current_schema() order by 1',
    );
    const names = (rows as { name: string }[]).map(({ name }) => name);
    await refuseFilled(
      engine.where,
      ask,
      names.map((name) => ({ name, columns: [], order: [] })),
    );
    return false;
  });
}

/** It holds nothing but what every new database holds. */
async function refuseFilled(where: string, ask: Ask, tables: readonly Table[]): Promise<void> {
  if ((await idIn(ask)) !== null) throw filled(where, 'it belongs to a workspace');
  for (const { name } of tables) {
    if (FILLED_AT_FIRST.includes(name)) continue;
    if ((await ask(`select 1 from "${name}" limit 1`)).rows.length > 0) throw filled(where, `${name} has rows`);
  }
}

function empty<T>(run: (sql: string) => T, { name }: Table): T {
  const kept = OWN_META.map((key) => `'${key}'`).join(', ');
  return run(name === 'meta' ? `delete from meta where key not in (${kept})` : `delete from "${name}"`);
}

/** Those that a row refers to come before it. */
function tablesOf(sqlite: Sqlite.Database): Table[] {
  const names = sqlite
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]; // A text for each.
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const { table } of sqlite.pragma(`foreign_key_list("${name}")`) as { table: string }[]) {
      if (table !== name) visit(table);
    }
    if (!ordered.includes(name)) ordered.push(name);
  };
  for (const name of names) visit(name);
  return ordered.map((name) => {
    const columns = sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[];
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const all = columns.map((column) => column.name);
    const order = COUNTED_TABLES.includes(name) ? ['rowid'] : key.length > 0 ? key.map((column) => column.name) : all;
    return { name, columns: all, order };
  });
}

const selection = ({ name, columns, order }: Table): string => {
  const own = name === 'meta' ? ` where key not in (${OWN_META.map((key) => `'${key}'`).join(', ')})` : '';
  return `select ${quoted(columns)} from "${name}"${own} order by ${quoted(order)}`;
};

const sqliteRows = (sqlite: Sqlite.Database, table: Table): IterableIterator<Row> =>
  sqlite.prepare(selection(table)).raw().iterate() as IterableIterator<Row>; // Values in the columns' order.

async function* postgresRows(ask: Ask, table: Table): AsyncGenerator<Row[]> {
  await ask(`declare studio_rows no scroll cursor for ${selection(table)}`);
  for (;;) {
    const { rows } = await ask(`fetch ${FETCHED} from studio_rows`);
    if (rows.length === 0) break;
    yield (rows as Record<string, unknown>[]).map((row) => table.columns.map((column) => row[column]));
  }
  await ask('close studio_rows');
}

function digest() {
  const hash = createHash('sha256');
  return {
    add: (row: Row): void => void hash.update(`${JSON.stringify(row)}\n`),
    end: (): string => hash.digest('hex'),
  };
}

function digestOf(sqlite: Sqlite.Database, table: Table): string {
  const found = digest();
  for (const row of sqliteRows(sqlite, table)) found.add(row);
  return found.end();
}

/** One transaction on a connection of its own. */
const within = <T>(engine: PostgresEngine, begin: string, work: (ask: Ask) => Promise<T>): Promise<T> =>
  onConnection(engine, (ask) => withinTransaction(ask, begin, () => work(ask)));

const unequal = (what: string, where: string): StudioError =>
  new StudioError(
    'BAD_FILE',
    `${what}: ${where} is not what was read. Nothing was kept of it. Try again, and look at the disk when it happens again.`,
    { table: what },
  );

const filled = (where: string, why: string): StudioError =>
  new StudioError(
    'TARGET_EXISTS',
    `${where} is not empty (${why}). Nothing was changed. Give an empty database: \`createdb --encoding UTF8 --template template0 NAME\`.`,
    { database: where },
  );

const otherDatabase = (where: string): StudioError =>
  new StudioError('NOT_A_WORKSPACE', `${where} is the database of another folder. Nothing was backed up.`, {
    database: where,
  });
