import type { CompiledQuery, Kysely } from 'kysely';

/**
 * One step of the database's history. `statements` are built with kysely's own builders, so that they are portable SQL;
 * the store runs them in one transaction. A shipped migration is never edited.
 */
export type Migration = {
  /** From 1, ascending. */
  version: number;
  name: string;
  // The tables before and after a migration are not those of today, so it cannot be typed by them.
  statements(db: Kysely<unknown>): CompiledQuery[];
};
