import type { Migration } from './migration.ts';

/** Which demonstration a recording is a play of. */
export const plays: Migration = {
  version: 7,
  name: 'plays',
  statements: ({ schema }) => [schema.alterTable('recordings').addColumn('played', 'text').compile()],
};
