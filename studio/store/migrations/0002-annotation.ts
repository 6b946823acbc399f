import type { CompiledQuery, Kysely } from 'kysely';
import { bigColumns, integerColumns, keyColumn, openColumns, referringColumn, textColumns } from './columns.ts';
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
      .$call(keyColumn('id'))
      .$call(textColumns('recording_id'))
      .$call(integerColumns('version', 'steps', 'done'))
      .$call(textColumns('created_at'))
      .compile(),
    schema
      .createTable('annotation_transactions')
      .$call(referringColumn('document_id', 'documents.id'))
      .$call(integerColumns('version'))
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .$call(textColumns('person', 'at', 'label', 'changes'))
      .$call(openColumns('undoes', 'redoes'))
      .$call(textColumns('state'))
      .addPrimaryKeyConstraint('annotation_transactions_pk', ['document_id', 'version'])
      .compile(),
    schema
      .createTable('annotation_records')
      .$call(referringColumn('document_id', 'documents.id'))
      .$call(textColumns('id', 'kind'))
      .$call(openColumns('action'))
      .$call(textColumns('value'))
      .addPrimaryKeyConstraint('annotation_records_pk', ['document_id', 'id'])
      .compile(),
    schema
      .createTable('annotation_touched')
      .$call(referringColumn('document_id', 'documents.id'))
      .$call(textColumns('action'))
      .$call(integerColumns('version'))
      .addPrimaryKeyConstraint('annotation_touched_pk', ['document_id', 'action', 'version'])
      .compile(),
    schema
      .createTable('annotation_names')
      .$call(referringColumn('document_id', 'documents.id'))
      .$call(textColumns('action', 'field', 'software_id'))
      .$call(integerColumns('place'))
      .$call(textColumns('name'))
      .addPrimaryKeyConstraint('annotation_names_pk', ['document_id', 'action', 'field'])
      .compile(),
    schema
      .createTable('crops')
      .$call(referringColumn('document_id', 'documents.id'))
      .$call(textColumns('action', 'software_id', 'name', 'hash'))
      .$call(bigColumns('quick'))
      .$call(integerColumns('width', 'height'))
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
