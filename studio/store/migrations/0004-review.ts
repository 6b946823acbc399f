import type { CompiledQuery, Kysely } from 'kysely';
import { integerColumns, keyColumn, referringColumn, textColumns } from './columns.ts';
import type { Migration } from './migration.ts';

/** Cross-validation: the log of each recording's review, whose a document is, and figures that were worked out. */
export const addReview: Migration = {
  version: 4,
  name: 'review',
  statements: (db) => [...tables(db), ...indexes(db)],
};

function tables({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [
    // Null: a recording's main document.
    schema.alterTable('documents').addColumn('person', 'text').compile(),
    schema
      .createTable('review_events')
      .$call(keyColumn('id'))
      .$call(referringColumn('recording_id', 'recordings.id'))
      .$call(integerColumns('n'))
      .$call(textColumns('person', 'at', 'type', 'act', 'facts'))
      .addUniqueConstraint('review_events_in_order', ['recording_id', 'n'])
      .compile(),
    schema
      .createTable('review_figures')
      .$call(referringColumn('recording_id', 'recordings.id'))
      .$call(textColumns('about', 'versions', 'value'))
      .addPrimaryKeyConstraint('review_figures_pk', ['recording_id', 'about'])
      .compile(),
  ];
}

function indexes({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [schema.createIndex('review_events_by_person').on('review_events').columns(['person', 'type']).compile()];
}
