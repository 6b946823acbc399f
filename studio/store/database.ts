import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { findFile, openIn } from '../files/inside.ts';
import { newerVersion } from '../files/versioned.ts';
import { backUp } from './backup.ts';
import { dialectOf } from './driver.ts';
import { BUSY_MS, damaged, sqliteCode, storeError, translate } from './errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { versionGuard } from './outdated.ts';
import { refuseOtherSchema, refusePrograms } from './schema-check.ts';
import type { Tables } from './tables.ts';

/** An open studio.sqlite: `db` for every query, `sqlite` only for what kysely cannot say (inside store/). */
type Database = {
  file: string;
  sqlite: Sqlite.Database;
  db: Kysely<Tables>;
  /** Throws OUTDATED where a newer program has changed the database since it was opened. */
  refuseNewer(): void;
  close(): void;
};

/** Up to this size the whole file is checked at each opening (about 1 ms a MB), bytes. */
const CHECK_BYTES = 32 * 1024 * 1024;
/** What SQLite puts beside it. */
const BESIDE = ['-wal', '-shm', '-journal'];
const HEADER = 'SQLite format 3\0';

/**
 * Opens an existing studio.sqlite and brings it to the newest version.
 * `busyMs`: how long another program's lock is waited for, with the whole process.
 * Throws WORKSPACE_DAMAGED (nothing is changed then), FUTURE_VERSION, WORKSPACE_UNWRITABLE, WORKSPACE_BUSY, DISK_FULL,
 * DISK_FAILED, OUT_OF_MEMORY.
 */
export function openDatabase(
  file: string,
  migrations: readonly Migration[] = MIGRATIONS,
  busyMs: number = BUSY_MS,
): Database {
  checkHeader(file);
  return translate(file, () => {
    const sqlite = new Sqlite(file, { fileMustExist: true, timeout: busyMs });
    try {
      refusePrograms(file, sqlite);
      checkContent(file, sqlite);
      migrate(file, sqlite, migrations);
      sqlite.pragma('journal_mode = WAL');
      sqlite.pragma('synchronous = FULL');
      sqlite.pragma('foreign_keys = ON');
      // From here on whoever finds it locked waits without holding up the process (patience.ts).
      sqlite.pragma('busy_timeout = 0');
    } catch (error) {
      sqlite.close();
      throw error;
    }
    const refuseNewer = newerRefused(file, sqlite, migrations);
    const db = new Kysely<Tables>({ dialect: dialectOf(file, sqlite, { refuseNewer }) });
    return { file, sqlite, db, refuseNewer, close: () => sqlite.close() };
  });
}

/**
 * Makes a new studio.sqlite. It appears under its name only when it is whole, so a crash here leaves a temporary file
 * (`<file>.new-…`) at most. False when another process made one first: that one stays.
 */
export function createDatabase(file: string, migrations: readonly Migration[] = MIGRATIONS): boolean {
  const temporary = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    return translate(file, () => {
      const sqlite = new Sqlite(temporary, { timeout: BUSY_MS });
      try {
        migrate(temporary, sqlite, migrations);
      } finally {
        sqlite.close();
      }
      try {
        linkSync(temporary, file);
      } catch (error) {
        if (sqliteCode(error) === 'EEXIST' || existsSync(file)) return false;
        // FAT and some network folders have no links.
        renameSync(temporary, file);
      }
      return true;
    });
  } finally {
    for (const suffix of ['', ...BESIDE]) rmSync(temporary + suffix, { force: true });
  }
}

/**
 * Looks at the file before SQLite does. A link would lead to a database of another workspace, and a pipe would be waited for
 * for ever, here or beside it.
 */
export function checkHeader(file: string): void {
  const head = Buffer.alloc(16);
  let length = 0;
  try {
    for (const beside of BESIDE) findFile(dirname(file), `${basename(file)}${beside}`);
    const handle = openIn(dirname(file), basename(file));
    try {
      length = readSync(handle, head, 0, 16, 0);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw storeError(error, file);
  }
  if (length === 16 && head.toString('latin1') === HEADER) return;
  throw damaged(file, length === 0 ? 'it is empty' : 'it is not an SQLite database');
}

function checkContent(file: string, sqlite: Sqlite.Database): void {
  if (statSync(file).size <= CHECK_BYTES) {
    const found: unknown = sqlite.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw damaged(file, String(found));
  }
  const tables = sqlite.prepare("select count(*) from sqlite_master where type = 'table' and name = 'meta'").pluck();
  if (tables.get() !== 1) throw damaged(file, 'it is a database of something else: it has no table `meta`');
}

/** Looks at the version within a transaction or before a question: a few µs. */
function newerRefused(file: string, sqlite: Sqlite.Database, migrations: readonly Migration[]): () => void {
  const guard = versionGuard(file, newestOf(migrations));
  const version = sqlite.prepare(VERSION).pluck();
  return () => guard(Number(version.get() ?? 0));
}

const VERSION = "select value from meta where key = 'version'";
const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** The database's version, 0 for a new file. */
export function databaseVersion(sqlite: Sqlite.Database): number {
  const hasMeta = sqlite.prepare("select 1 from sqlite_master where name = 'meta'").pluck().get();
  if (hasMeta !== 1) return 0;
  const value: unknown = sqlite.prepare(VERSION).pluck().get();
  return Number(value ?? 0);
}

function migrate(file: string, sqlite: Sqlite.Database, migrations: readonly Migration[]): void {
  const newest = newestOf(migrations);
  const refuseUnknown = (version: number): void => {
    if (version > newest || !Number.isInteger(version))
      throw newerVersion(file, version, newest, 'Nothing was changed.');
  };
  // Of one moment: a newer program may be bringing it forward.
  const found = sqlite.transaction(() => {
    const version = databaseVersion(sqlite);
    refuseUnknown(version);
    refuseOtherSchema(file, sqlite, version, migrations);
    return version;
  })();
  if (found === newest) return;
  if (found > 0) backUp(file, sqlite, found, databaseVersion);
  const compiler = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  // "immediate": of two programs that start at once, one migrates and the other then finds it done.
  sqlite
    .transaction(() => {
      const from = databaseVersion(sqlite);
      // A newer program may have been first.
      refuseUnknown(from);
      for (const step of migrations) {
        if (step.version <= from) continue;
        for (const query of step.statements(compiler)) run(sqlite, query);
      }
      const write =
        'insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value';
      sqlite.prepare(write).run('version', String(newest));
    })
    .immediate();
}

function run(sqlite: Sqlite.Database, query: CompiledQuery): void {
  sqlite.prepare(query.sql).run(...query.parameters);
}
