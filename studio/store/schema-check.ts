import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { damaged } from './errors.ts';
import type { Migration } from './migrations/migration.ts';

/**
 * A workspace may be somebody else's, and its database with it. A view in place of a table can go on for ever, a trigger can
 * change what nobody asked for: what is in the database must be what the migrations make, before anything is read from it.
 */

type SchemaRow = { type: string; name: string; sql: string | null; rootpage: number };

const SCHEMA = 'select type, name, sql, rootpage from sqlite_schema';
/**
 * SQLite's own: statistics of ANALYZE, and indexes of primary keys, which have no text. Nothing else is believed by its name:
 * who writes into the schema by hand can call a trigger `sqlite_x`, and SQLite runs it.
 */
const isOwn = ({ type, name, sql }: SchemaRow): boolean =>
  type === 'index'
    ? sql === null && name.startsWith('sqlite_autoindex_')
    : type === 'table' && /^sqlite_stat\d$/.test(name);

/** Nothing that runs: views and triggers run when tables are read or written, virtual tables when they are opened. */
export function refusePrograms(file: string, sqlite: Sqlite.Database): void {
  // Functions of the program that a schema could call are none of ours; what a page says of its cells is looked at.
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma('cell_size_check = ON');
  for (const row of rowsOf(sqlite)) {
    // SQLite takes the words for a type in any case, and writes them small itself.
    if (row.type !== 'table' && row.type !== 'index') throw strange(file, row.type.toLowerCase(), row.name);
    if (row.rootpage === 0) throw strange(file, `virtual ${row.type}`, row.name);
  }
}

/** Nothing but what the migrations up to `version` make, in the same words. */
export function refuseOtherSchema(
  file: string,
  sqlite: Sqlite.Database,
  version: number,
  migrations: readonly Migration[],
): void {
  const expected = schemaOf(version, migrations);
  const missing = new Set(expected.keys());
  for (const row of rowsOf(sqlite)) {
    if (isOwn(row)) continue;
    const key = `${row.type} ${row.name}`;
    if (expected.get(key) !== words(row.sql)) throw strange(file, row.type, row.name);
    missing.delete(key);
  }
  const [first] = missing;
  if (first !== undefined) throw damaged(file, `it has no ${first}`);
}

const rowsOf = (sqlite: Sqlite.Database): SchemaRow[] => sqlite.prepare(SCHEMA).all() as SchemaRow[]; // Columns of SQLite's own table.

type Schema = ReadonlyMap<string, string>;

/** By migrations and version: to make it takes longer than all else of opening a workspace, and it is always the same. */
const schemas = new WeakMap<readonly Migration[], Map<number, Schema>>();

function schemaOf(version: number, migrations: readonly Migration[]): Schema {
  const known = schemas.get(migrations) ?? new Map<number, Schema>();
  schemas.set(migrations, known);
  const schema = known.get(version) ?? makeSchema(version, migrations);
  known.set(version, schema);
  return schema;
}

/** The database that the migrations make, in memory: type and name, and the words that make it. */
function makeSchema(version: number, migrations: readonly Migration[]): Schema {
  const sqlite = new Sqlite(':memory:');
  try {
    const compiler = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
    for (const step of migrations) {
      if (step.version > version) continue;
      for (const { sql, parameters } of step.statements(compiler)) sqlite.prepare(sql).run(...parameters);
    }
    return new Map(rowsOf(sqlite).flatMap((row) => (isOwn(row) ? [] : [[`${row.type} ${row.name}`, words(row.sql)]])));
  } finally {
    sqlite.close();
  }
}

/** However it is spaced, quoted and spelled: versions of SQLite rewrite it a little when a table is altered. */
const words = (sql: string | null): string =>
  (sql ?? '')
    .toLowerCase()
    .replace(/["`[\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim();

const strange = (file: string, type: string, name: string) =>
  damaged(
    file,
    `it holds the ${type} "${name.slice(0, 80)}", which this program never makes: another program, or somebody else, put or changed it`,
  );
