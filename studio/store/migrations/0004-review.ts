import type { CompiledQuery, Kysely } from 'kysely';
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
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('recording_id', 'text', (c) => c.notNull().references('recordings.id'))
      .addColumn('n', 'integer', (c) => c.notNull())
      .addColumn('person', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('act', 'text', (c) => c.notNull())
      .addColumn('facts', 'text', (c) => c.notNull())
      .addUniqueConstraint('review_events_in_order', ['recording_id', 'n'])
      .compile(),
    schema
      .createTable('review_figures')
      .addColumn('recording_id', 'text', (c) => c.notNull().references('recordings.id'))
      .addColumn('about', 'text', (c) => c.notNull())
      .addColumn('versions', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('review_figures_pk', ['recording_id', 'about'])
      .compile(),
  ];
}

function indexes({ schema }: Kysely<unknown>): CompiledQuery[] {
  return [schema.createIndex('review_events_by_person').on('review_events').columns(['person', 'type']).compile()];
}
