import type { CompiledQuery, Kysely } from 'kysely';
import { bigColumns, integerColumns, keyColumn, textColumns } from './columns.ts';
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
      .$call(textColumns('recording_id', 'tag'))
      .addPrimaryKeyConstraint('recording_tags_pk', ['recording_id', 'tag'])
      .compile(),
    schema
      .createTable('task_splits')
      .$call(keyColumn('task_id'))
      .$call(textColumns('split', 'origin', 'assigned_at'))
      .compile(),
    schema.createTable('dismissed_groups').$call(keyColumn('id')).$call(textColumns('kind', 'members')).compile(),
    schema.alterTable('exports').addColumn('validation', 'text').compile(),
  ];
}

/** What can be made again. */
function derived({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('dataset_facts')
      .$call(keyColumn('recording_id'))
      .$call(textColumns('stamp'))
      .$call(integerColumns('document_version'))
      .$call(textColumns('facts', 'figures'))
      .compile(),
    schema
      .createTable('screen_hashes')
      .$call(textColumns('recording_id', 'file', 'stamp', 'hash', 'pixels'))
      .addPrimaryKeyConstraint('screen_hashes_pk', ['recording_id', 'file'])
      .compile(),
    schema
      .createTable('file_hashes')
      .$call(textColumns('recording_id', 'path', 'stamp'))
      .$call(bigColumns('bytes'))
      .$call(textColumns('sha256'))
      .addPrimaryKeyConstraint('file_hashes_pk', ['recording_id', 'path'])
      .compile(),
    schema.createTable('curation').$call(keyColumn('key')).$call(textColumns('value')).compile(),
  ];
}
