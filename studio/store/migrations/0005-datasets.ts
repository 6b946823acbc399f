import type { CompiledQuery, Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/** Tags, splits, near duplicates, and what is counted for the data set's pages. */
export const addDatasets: Migration = {
  version: 5,
  name: 'datasets',
  statements: (db) => [...chosen(db), ...derived(db)],
};

/** What people said. */
function chosen({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('recording_tags')
      .addColumn('recording_id', 'text', (c) => c.notNull())
      .addColumn('tag', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('recording_tags_pk', ['recording_id', 'tag'])
      .compile(),
    schema
      .createTable('task_splits')
      .addColumn('task_id', 'text', (c) => c.primaryKey())
      .addColumn('split', 'text', (c) => c.notNull())
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('assigned_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('dismissed_groups')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('members', 'text', (c) => c.notNull())
      .compile(),
    schema.alterTable('exports').addColumn('validation', 'text').compile(),
  ];
}

/** What can be made again. */
function derived({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('dataset_facts')
      .addColumn('recording_id', 'text', (c) => c.primaryKey())
      .addColumn('stamp', 'text', (c) => c.notNull())
      .addColumn('document_version', 'integer', (c) => c.notNull())
      .addColumn('facts', 'text', (c) => c.notNull())
      .addColumn('figures', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('screen_hashes')
      .addColumn('recording_id', 'text', (c) => c.notNull())
      .addColumn('file', 'text', (c) => c.notNull())
      .addColumn('stamp', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('pixels', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('screen_hashes_pk', ['recording_id', 'file'])
      .compile(),
    schema
      .createTable('file_hashes')
      .addColumn('recording_id', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('stamp', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('file_hashes_pk', ['recording_id', 'path'])
      .compile(),
    schema
      .createTable('curation')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .compile(),
  ];
}
