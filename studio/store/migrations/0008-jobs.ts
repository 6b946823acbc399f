import type { Migration } from './migration.ts';

/**
 * Long work as data: by which call it began and with what, who asked, what came of it, whether another process asked it to
 * stop, and by which job it was done again.
 */
export const jobs: Migration = {
  version: 8,
  name: 'jobs',
  statements: ({ schema }) =>
    ['call', 'input', 'mark', 'person', 'result', 'stop_asked_at', 'next'].map((column) =>
      schema.alterTable('jobs').addColumn(column, 'text').compile(),
    ),
};
