import type { CompiledQuery, Kysely } from 'kysely';
import { bigColumns, keyColumn, referringColumn, textColumns } from './columns.ts';
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
      .$call(keyColumn('id'))
      .$call(referringColumn('task_id', 'tasks.id'))
      .$call(textColumns('role', 'name', 'file'))
      .$call(bigColumns('bytes'))
      .$call(textColumns('mime', 'created_at'))
      .compile(),
    schema.createIndex('attachments_by_task').on('attachments').column('task_id').compile(),
  ];
}
