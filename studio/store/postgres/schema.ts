import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { StudioError } from '../../../schemas/errors.ts';
import { newerVersion } from '../../files/versioned.ts';
import type { Migration } from '../migrations/migration.ts';
import { type Ask, onConnection, withinTransaction } from './ask.ts';
import { TURN_TABLE } from './driver.ts';
import type { PostgresEngine } from './engine.ts';
import { refusesOlder } from './version.ts';
import { WORK_TABLES } from './work.ts';

/** The tables of a database of PostgreSQL: made by the migrations that SQLite has too, in one go. */

/** Told whenever something was changed, with the application's name of the connection that did it. */
export const CHANGES = 'studio_changes';
/** Locks of PostgreSQL that go by a number, by ours: of two programs that start at once, one migrates. */
const MIGRATING = 7_203_911;
/** PostgreSQL's oldest that is still mended. */
const OLDEST = 140_000;

/**
 * The columns' types as SQLite keeps them: whole numbers and fractions of 8 bytes, and texts that are ordered by their bytes,
 * whatever language the database is in.
 */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
};

class MigrationCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: Parameters<PostgresQueryCompiler['visitDataType']>[0]): void {
    const { dataType } = node;
    const type = TYPES[dataType];
    if (type === undefined) super.visitDataType(node);
    else this.append(type);
  }
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new MigrationCompiler(),
  },
});

/** SQLite counts rows as they come, which says of two files of one millisecond the later one (task-files.ts). */
export const COUNTED_TABLES: readonly string[] = ['attachments'];

/**
 * Brings the database to the newest version, and gives its tables. Throws FUTURE_VERSION, NOT_A_WORKSPACE for a database of
 * something else, and what postgresError says.
 */
export async function prepareSchema(engine: PostgresEngine, migrations: readonly Migration[]): Promise<string[]> {
  const { where } = engine;
  return onConnection(engine, async (ask) => {
    await refuseUnsuitable(where, ask);
    return withinTransaction(ask, 'begin isolation level read committed', async () => {
      await ask('select pg_advisory_xact_lock($1)', MIGRATING);
      await migrate(where, ask, migrations);
      return tablesOf(ask);
    });
  });
}

/** The version of a database, which is not changed; 0 for an empty one. Throws NOT_A_WORKSPACE, and what postgresError says. */
export const schemaVersion = (engine: PostgresEngine): Promise<number> =>
  onConnection(engine, (ask) => versionOf(engine.where, ask));

async function refuseUnsuitable(where: string, ask: Ask): Promise<void> {
  const { rows } = await ask(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding, current_schema() as schema",
  );
  const [{ version, encoding, schema }] = rows as [{ version: number; encoding: string; schema: string | null }];
  const refuse = (why: string): StudioError =>
    new StudioError('USAGE', `${where} cannot be used: ${why}`, { database: where });
  if (version < OLDEST) throw refuse(`PostgreSQL 14 or newer is needed, and this is ${Math.floor(version / 10_000)}.`);
  if (encoding !== 'UTF8') {
    throw refuse(
      `its texts are in ${encoding}. Make a database with \`createdb --encoding UTF8 --template template0 NAME\`.`,
    );
  }
  if (schema === null) throw refuse('its search_path names no schema that is there.');
}

async function migrate(where: string, ask: Ask, migrations: readonly Migration[]): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = await versionOf(where, ask);
  if (found > newest || !Number.isInteger(found)) throw newerVersion(where, found, newest, 'Nothing was changed.');
  if (found === newest) return;
  if (found > 0) await keepWritersOut(ask);
  for (const step of migrations) {
    if (step.version <= found) continue;
    for (const query of step.statements(compiler)) await run(where, ask, query);
  }
  await ask(
    "insert into meta (key, value) values ('version', $1) on conflict (key) do update set value = excluded.value",
    String(newest),
  );
  for (const table of COUNTED_TABLES) {
    await ask(`alter table if exists ${table} add column if not exists rowid bigint generated always as identity`);
  }
  await ask(`create table if not exists ${TURN_TABLE} (nothing bigint)`);
  await tellChanges(ask, newest);
}

/** Changes that have begun are ended first; until all is done others read. */
async function keepWritersOut(ask: Ask): Promise<void> {
  await ask(`create table if not exists ${TURN_TABLE} (nothing bigint)`);
  await ask(`lock table ${TURN_TABLE} in exclusive mode`);
  const all = (await tablesOf(ask)).map((name) => `"${name}"`).join(', ');
  await ask(`lock table ${all} in exclusive mode`);
}

/** A listener hears of a change when it is committed, also one of somebody who ends in that moment. */
async function tellChanges(ask: Ask, version: number): Promise<void> {
  await ask(
    `create or replace function studio_tell() returns trigger language plpgsql as $$ begin ${refusesOlder(version)} perform pg_notify('${CHANGES}', current_setting('application_name')); return null; end $$`,
  );
  for (const table of await tablesOf(ask)) {
    await ask(
      `create or replace trigger studio_tell after insert or update or delete on "${table}" for each statement execute function studio_tell()`,
    );
  }
}

async function run(where: string, ask: Ask, query: CompiledQuery): Promise<void> {
  try {
    await ask(query.sql, ...query.parameters);
  } catch (error) {
    // There is such a table already, and none that says of which version it is.
    if (error instanceof Error && 'code' in error && error.code === '42P07') throw notOurs(where, error.message);
    throw error;
  }
}

/** 0 for an empty database. */
async function versionOf(where: string, ask: Ask): Promise<number> {
  const tables = await tablesOf(ask);
  if (tables.length === 0) return 0;
  if (!tables.includes('meta')) throw notOurs(where, `it has a table ${tables[0]}, and none of the name meta`);
  const { rows } = await ask("select value from meta where key = 'version'");
  return Number((rows as { value: string }[])[0]?.value ?? Number.NaN);
}

const notOurs = (where: string, why: string): StudioError =>
  new StudioError(
    'NOT_A_WORKSPACE',
    `${where} holds something else (${why}). Nothing was changed. Give a workspace's database, or an empty one.`,
    { database: where },
  );

/** All but those that PostgreSQL alone has: the one that is there to be locked, and those of work. */
async function tablesOf(ask: Ask): Promise<string[]> {
  const { rows } = await ask(
    'select tablename::text as name from pg_tables where schemaname = current_schema() and tablename <> all($1) order by 1',
    [TURN_TABLE, ...WORK_TABLES],
  );
  return (rows as { name: string }[]).map(({ name }) => name);
}
