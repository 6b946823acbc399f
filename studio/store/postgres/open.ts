import { Kysely } from 'kysely';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { inWholes, postgresDialect } from './driver.ts';
import type { PostgresEngine } from './engine.ts';
import { prepareSchema } from './schema.ts';

/** The store in a database of PostgreSQL, brought to the newest version. Throws as prepareSchema; the engine is closed then. */
export async function openPostgresStore(
  engine: PostgresEngine,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Store> {
  try {
    const tables = await prepareSchema(engine, migrations);
    const queries = new Kysely<Tables>({ dialect: postgresDialect(engine, tables, migrations.at(-1)?.version ?? 0) });
    return new Store(queries, inWholes(queries));
  } catch (error) {
    await engine.close();
    throw error;
  }
}
