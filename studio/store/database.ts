import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { type CompiledQuery, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { StudioError } from '../../schemas/errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { Tables } from './tables.ts';

/** An open studio.sqlite: `db` for every query, `sqlite` only for what kysely cannot say (inside store/). */
type Database = { file: string; sqlite: Sqlite.Database; db: Kysely<Tables>; close(): void };

/** How long a writer waits for another one, ms. */
const BUSY_MS = 5000;
/** Up to this size the whole file is checked at each opening (about 1 ms a MB), bytes. */
const CHECK_BYTES = 32 * 1024 * 1024;
const HEADER = 'SQLite format 3\0';

/**
 * Opens an existing studio.sqlite and brings it to the newest version.
 * Throws WORKSPACE_DAMAGED (nothing is changed then), FUTURE_VERSION, WORKSPACE_UNWRITABLE, WORKSPACE_BUSY, DISK_FULL.
 */
export function openDatabase(file: string, migrations: readonly Migration[] = MIGRATIONS): Database {
  checkHeader(file);
  return translate(file, () => {
    const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_MS });
    try {
      checkContent(file, sqlite);
      migrate(file, sqlite, migrations);
      sqlite.pragma('journal_mode = WAL');
      sqlite.pragma('synchronous = FULL');
      sqlite.pragma('foreign_keys = ON');
    } catch (error) {
      sqlite.close();
      throw error;
    }
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: translating(file, sqlite) }) });
    return { file, sqlite, db, close: () => sqlite.close() };
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
        if (codeOf(error) === 'EEXIST' || existsSync(file)) return false;
        // FAT and some network folders have no links.
        renameSync(temporary, file);
      }
      return true;
    });
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(temporary + suffix, { force: true });
  }
}

function checkHeader(file: string): void {
  const head = Buffer.alloc(16);
  let length = 0;
  try {
    const handle = openSync(file, 'r');
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

/** The database's version, 0 for a new file. */
function versionOf(sqlite: Sqlite.Database): number {
  const hasMeta = sqlite.prepare("select 1 from sqlite_master where name = 'meta'").pluck().get();
  if (hasMeta !== 1) return 0;
  const value: unknown = sqlite.prepare("select value from meta where key = 'version'").pluck().get();
  return Number(value ?? 0);
}

function migrate(file: string, sqlite: Sqlite.Database, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = versionOf(sqlite);
  if (found > newest || !Number.isInteger(found)) {
    throw new StudioError(
      'FUTURE_VERSION',
      `${file} has version ${found}; this program knows versions up to ${newest}. Nothing was changed. Use the newer program that wrote it, or update this one.`,
      { file, found, newest },
    );
  }
  if (found === newest) return;
  if (found > 0) backUp(file, sqlite, found);
  const compiler = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  // "immediate": of two programs that start at once, one migrates and the other then finds it done.
  sqlite
    .transaction(() => {
      const from = versionOf(sqlite);
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

/** A whole copy beside the database before it is changed. An older copy of the same version is as good and stays. */
function backUp(file: string, sqlite: Sqlite.Database, version: number): void {
  const copy = `${file}.version-${version}.backup`;
  if (!existsSync(copy)) sqlite.prepare('vacuum into ?').run(copy);
}

function damaged(file: string, why: string, cause?: unknown): StudioError {
  return new StudioError(
    'WORKSPACE_DAMAGED',
    `${file} cannot be read: ${why}. Nothing was changed. First copy the whole workspace folder as a backup. Then put back an older copy of studio.sqlite if you have one; if not, move studio.sqlite (and studio.sqlite-wal, studio.sqlite-shm) out of the folder and run \`npm run studio -- init --workspace …\` on it: the recordings are whole by themselves and are indexed again.`,
    { file, why },
    { cause },
  );
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const UNWRITABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_PERM',
]);

/** What the file system or SQLite threw, as an error of ours where a person can do something about it. */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof StudioError) return error;
  const code = codeOf(error);
  const family = code.split('_').slice(0, 2).join('_');
  const message = error instanceof Error ? error.message : String(error);
  if (family === 'SQLITE_CORRUPT' || family === 'SQLITE_NOTADB') return damaged(file, message, error);
  if (UNWRITABLE.has(code) || UNWRITABLE.has(family)) {
    return new StudioError(
      'WORKSPACE_UNWRITABLE',
      `${file} cannot be written (${message}). Give yourself write permission on that folder, or choose another with --workspace.`,
      { file, reason: code },
      { cause: error },
    );
  }
  if (code === 'ENOSPC' || family === 'SQLITE_FULL') {
    return new StudioError('DISK_FULL', `The disk that holds ${file} is full. Free some space and try again.`, {
      file,
    });
  }
  if (family === 'SQLITE_BUSY') {
    return new StudioError(
      'WORKSPACE_BUSY',
      `Another program has kept ${file} locked for ${BUSY_MS / 1000} s. Close it, or try again.`,
      { file },
    );
  }
  return error;
}

/** Runs `work`; what it throws comes out as storeError says. */
export function translate<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error, file);
  }
}

/** The database as kysely's driver uses it, with errors as storeError says. */
function translating(file: string, sqlite: Sqlite.Database): SqliteDatabase {
  return {
    close: () => sqlite.close(),
    prepare(sql): SqliteStatement {
      const statement = translate(file, () => sqlite.prepare(sql));
      return {
        reader: statement.reader,
        all: (parameters) => translate(file, () => statement.all(...parameters)),
        run: (parameters) => translate(file, () => statement.run(...parameters)),
        iterate: (parameters) => statement.iterate(...parameters),
      };
    },
  };
}
