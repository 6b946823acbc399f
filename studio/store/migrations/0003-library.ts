import type { CompiledQuery, Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/** What the library knows of tasks beside their goal, files kept with them, and who works on a job. */
export const addLibrary: Migration = {
  version: 3,
  name: 'library',
  statements: (db) => [...columns(db), ...tables(db)],
};

function columns({ schema }: Kysely<unknown>): CompiledQuery[] {
  const text = (table: string, column: string): CompiledQuery =>
    schema
      .alterTable(table)
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .compile();
  return [
    text('tasks', 'platform'),
    text('tasks', 'source_url'),
    text('tasks', 'notes'),
    schema.alterTable('jobs').addColumn('owner', 'text').compile(),
  ];
}

function tables({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('attachments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('task_id', 'text', (c) => c.notNull().references('tasks.id'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('file', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('mime', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema.createIndex('attachments_by_task').on('attachments').column('task_id').compile(),
  ];
}
