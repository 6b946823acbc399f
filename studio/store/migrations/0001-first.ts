import type { CompiledQuery, Kysely } from 'kysely';
import { FIRST_SOFTWARE } from './0001-software.ts';
import { integerColumns, keyColumn, openColumns, openReference, referringColumn, textColumns } from './columns.ts';
import type { Migration } from './migration.ts';

/** The tables of the first day, and the software a new workspace knows. */
export const first: Migration = {
  version: 1,
  name: 'first',
  statements: (db) => [...tables(db), ...indexes(db), ...software(db)],
};

function tables({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema.createTable('meta').$call(keyColumn('key')).$call(textColumns('value')).compile(),
    schema
      .createTable('software')
      .$call(keyColumn('id'))
      .$call(textColumns('name'))
      .addColumn('prefix', 'text', (c) => c.notNull().unique())
      .$call(textColumns('platforms', 'aliases', 'executables', 'created_at'))
      .compile(),
    schema
      .createTable('people')
      .$call(keyColumn('id'))
      .$call(textColumns('name'))
      .$call(openColumns('email'))
      .$call(textColumns('created_at'))
      .compile(),
    schema
      .createTable('tasks')
      .$call(keyColumn('id'))
      .$call(textColumns('prefix'))
      .$call(integerColumns('number'))
      .$call(referringColumn('software_id', 'software.id'))
      .$call(textColumns('goal', 'state'))
      .$call(openReference('created_by', 'people.id'))
      .$call(textColumns('created_at'))
      .compile(),
    schema
      .createTable('recordings')
      .$call(keyColumn('id'))
      .$call(textColumns('folder'))
      .$call(referringColumn('task_id', 'tasks.id'))
      .$call(referringColumn('software_id', 'software.id'))
      .$call(textColumns('goal'))
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('recorded'))
      .$call(textColumns('phase'))
      .$call(openColumns('verdict', 'sync'))
      .$call(textColumns('started_at'))
      .addColumn('duration_us', 'bigint')
      .$call(integerColumns('frames', 'dropped', 'events'))
      .$call(openReference('person_id', 'people.id'))
      .$call(textColumns('stamp'))
      .addColumn('present', 'integer', (c) => c.notNull().defaultTo(1))
      .compile(),
    schema
      .createTable('exports')
      .$call(keyColumn('id'))
      .$call(textColumns('format', 'folder', 'filters', 'counts'))
      .$call(openReference('created_by', 'people.id'))
      .$call(textColumns('created_at'))
      .compile(),
    schema
      .createTable('jobs')
      .$call(keyColumn('id'))
      .$call(textColumns('kind', 'subject', 'state'))
      .addColumn('progress', 'real', (c) => c.notNull().defaultTo(0))
      .$call(openColumns('message', 'error'))
      .$call(textColumns('created_at'))
      .$call(openColumns('started_at', 'finished_at'))
      .compile(),
    schema.createTable('locks').$call(keyColumn('name')).$call(textColumns('holder')).compile(),
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
