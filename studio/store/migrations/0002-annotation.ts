import type { CompiledQuery, Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/** Annotation documents: their transactions, their records as they are now, and what was learnt of names and crops. */
export const annotation: Migration = {
  version: 2,
  name: 'annotation',
  statements: (db) => [...tables(db), ...indexes(db)],
};

function tables({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema
      .createTable('documents')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('recording_id', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('steps', 'integer', (c) => c.notNull())
      .addColumn('done', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .compile(),
    schema
      .createTable('annotation_transactions')
      .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('person', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('label', 'text', (c) => c.notNull())
      .addColumn('changes', 'text', (c) => c.notNull())
      .addColumn('undoes', 'text')
      .addColumn('redoes', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('annotation_transactions_pk', ['document_id', 'version'])
      .compile(),
    schema
      .createTable('annotation_records')
      .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('action', 'text')
      .addColumn('value', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('annotation_records_pk', ['document_id', 'id'])
      .compile(),
    schema
      .createTable('annotation_touched')
      .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('annotation_touched_pk', ['document_id', 'action', 'version'])
      .compile(),
    schema
      .createTable('annotation_names')
      .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('field', 'text', (c) => c.notNull())
      .addColumn('software_id', 'text', (c) => c.notNull())
      .addColumn('place', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('annotation_names_pk', ['document_id', 'action', 'field'])
      .compile(),
    schema
      .createTable('crops')
      .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('software_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('quick', 'bigint', (c) => c.notNull())
      .addColumn('width', 'integer', (c) => c.notNull())
      .addColumn('height', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('crops_pk', ['document_id', 'action'])
      .compile(),
  ];
}

function indexes({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    schema.createIndex('documents_by_recording').on('documents').column('recording_id').compile(),
    schema
      .createIndex('annotation_transactions_by_person')
      .on('annotation_transactions')
      .columns(['document_id', 'person', 'state', 'version'])
      .compile(),
    schema.createIndex('annotation_names_by_name').on('annotation_names').columns(['software_id', 'name']).compile(),
    schema.createIndex('annotation_names_by_place').on('annotation_names').columns(['document_id', 'place']).compile(),
    schema.createIndex('crops_by_software').on('crops').columns(['software_id', 'hash']).compile(),
  ];
}
