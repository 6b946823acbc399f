import { first } from './0001-first.ts';
import type { Migration } from './migration.ts';

/** All migrations in order; the last one's version is the database's version. */
export const MIGRATIONS: readonly Migration[] = [first];
