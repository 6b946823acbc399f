import { first } from './0001-first.ts';
import { annotation } from './0002-annotation.ts';
import { library } from './0003-library.ts';
import { review } from './0004-review.ts';
import { datasets } from './0005-datasets.ts';
import type { Migration } from './migration.ts';

/** All migrations in order; the last one's version is the database's version. */
export const MIGRATIONS: readonly Migration[] = [first, annotation, library, review, datasets];
