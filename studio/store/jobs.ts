import type { Kysely, Selectable, Updateable } from 'kysely';
import { type Job, jobSchema } from '../../schemas/api/models.ts';
import { isAlive, parseHolder } from '../files/process-id.ts';
import type { JobsTable, Tables } from './tables.ts';

const MOST_LISTED = 200;

/** `owner`: the process that will do it (describeHolder). */
export async function insertJob(db: Kysely<Tables>, job: Job, owner: string): Promise<void> {
  const { id, kind, subject, state, progress, message, createdAt } = job;
  const row = { id, kind, subject, state, progress, message, created_at: createdAt, owner };
  await db
    .insertInto('jobs')
    .values({ ...row, error: null, started_at: null, finished_at: null })
    .execute();
}

/** Writes how far a job is. */
export async function updateJob(
  db: Kysely<Tables>,
  { id, state, progress, message, error }: Job,
  more: Pick<Updateable<JobsTable>, 'started_at' | 'finished_at' | 'owner'>,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state, progress, message, error: error && JSON.stringify(error), ...more })
    .where('id', '=', id)
    .execute();
}

/** The newest first. */
export async function latestJobs(db: Kysely<Tables>): Promise<Job[]> {
  const rows = await db.selectFrom('jobs').selectAll().orderBy('created_at', 'desc').limit(MOST_LISTED).execute();
  return rows.map(fromRow);
}

/** Jobs whose process has ended before them are failed ones. */
export async function failInterrupted(db: Kysely<Tables>): Promise<void> {
  const open = await db
    .selectFrom('jobs')
    .select(['id', 'owner'])
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  for (const { id, owner } of open) {
    const holder = parseHolder(owner);
    if (holder && isAlive(holder)) continue;
    const error = { code: 'INTERRUPTED', message: 'The program ended while it worked on this. Start it again.' };
    const finished_at = new Date().toISOString();
    const set = { state: 'failed' as const, error: JSON.stringify(error), finished_at, owner: null };
    await db.updateTable('jobs').set(set).where('id', '=', id).execute();
  }
}

const fromRow = (row: Selectable<JobsTable>): Job =>
  jobSchema.parse({
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    progress: row.progress,
    message: row.message,
    error: row.error === null ? null : JSON.parse(row.error),
    createdAt: row.created_at,
  });
