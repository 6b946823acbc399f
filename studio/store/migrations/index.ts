import { first } from './0001-first.ts';
import { annotation } from './0002-annotation.ts';
import { addLibrary } from './0003-library.ts';
import { addReview } from './0004-review.ts';
import { addDatasets } from './0005-datasets.ts';
import { tasks } from './0006-tasks.ts';
import { plays } from './0007-plays.ts';
import { jobs } from './0008-jobs.ts';
import { team } from './0009-team.ts';
import { identities } from './0010-identities.ts';
import type { Migration } from './migration.ts';

/** All migrations in order; the last one's version is the database's version. */
export const MIGRATIONS: readonly Migration[] = [
  first,
  annotation,
  addLibrary,
  addReview,
  addDatasets,
  tasks,
  plays,
  jobs,
  team,
  identities,
];
