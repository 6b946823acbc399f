import type { CompiledQuery, Kysely } from 'kysely';
import { FIRST_SOFTWARE } from './0001-software.ts';
import type { Migration } from './migration.ts';

/** The tables of the first day, and the software a new workspace knows. */
export const first: Migration = {
  version: 1,
  name: 'first',
  statements: (db) => [...tables(db), ...indexes(db), ...software(db)],
};

function tables({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('meta')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('software')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull().unique())
      .addColumn('platforms', 'text', (c) => c.notNull())
      .addColumn('aliases', 'text', (c) => c.notNull())
      .addColumn('executables', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('people')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('email', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('tasks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('software_id', 'text', (c) => c.notNull().references('software.id'))
      .addColumn('goal', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.references('people.id'))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('recordings')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('folder', 'text', (c) => c.notNull())
      .addColumn('task_id', 'text', (c) => c.notNull().references('tasks.id'))
      .addColumn('software_id', 'text', (c) => c.notNull().references('software.id'))
      .addColumn('goal', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('recorded'))
      .addColumn('phase', 'text', (c) => c.notNull())
      .addColumn('verdict', 'text')
      .addColumn('sync', 'text')
      .addColumn('started_at', 'text', (c) => c.notNull())
      .addColumn('duration_us', 'bigint')
      .addColumn('frames', 'integer', (c) => c.notNull())
      .addColumn('dropped', 'integer', (c) => c.notNull())
      .addColumn('events', 'integer', (c) => c.notNull())
      .addColumn('person_id', 'text', (c) => c.references('people.id'))
      .addColumn('stamp', 'text', (c) => c.notNull())
      .addColumn('present', 'integer', (c) => c.notNull().defaultTo(1))
      .compile(),
    schema
      .createTable('exports')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('format', 'text', (c) => c.notNull())
      .addColumn('folder', 'text', (c) => c.notNull())
      .addColumn('filters', 'text', (c) => c.notNull())
      .addColumn('counts', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.references('people.id'))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('jobs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('progress', 'real', (c) => c.notNull().defaultTo(0))
      .addColumn('message', 'text')
      .addColumn('error', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('finished_at', 'text')
      .compile(),
    schema
      .createTable('locks')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .compile(),
  ];
}

function indexes({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema.createIndex('tasks_by_prefix').on('tasks').columns(['prefix', 'number']).compile(),
    schema.createIndex('recordings_by_task').on('recordings').column('task_id').compile(),
    schema.createIndex('recordings_by_start').on('recordings').column('started_at').compile(),
    schema.createIndex('jobs_by_state').on('jobs').columns(['state', 'created_at']).compile(),
  ];
}

/** A fixed date, so that every new workspace is the same. */
const SEEDED_AT = '2026-01-01T00:00:00.000Z';

function software(db: Kysely<unknown>): CompiledQuery[] {
  // The migration's own tables, as they were then.
  const typed = db as Kysely<{ software: Record<string, string> }>;
  return FIRST_SOFTWARE.map((entry) =>
    typed
      .insertInto('software')
      .values({
        id: entry.id,
        name: entry.name,
        prefix: entry.prefix,
        platforms: entry.platforms,
        aliases: JSON.stringify(entry.aliases),
        executables: JSON.stringify(entry.executables),
        created_at: SEEDED_AT,
      })
      .compile(),
  );
}
