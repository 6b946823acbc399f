import type { Selectable, Updateable } from 'kysely';
import { isActive } from '../../schemas/api/job-state.ts';
import { type Job, jobSchema } from '../../schemas/api/models.ts';
import type { ErrorBody } from '../../schemas/errors.ts';
import { type Liveness, livenessOf, parseHolder } from '../files/process-id.ts';
import { type Store, sqlOf } from './store.ts';
import type { JobsTable } from './tables.ts';

const MOST_LISTED = 200;
/** Jobs that are over are kept up to so many; older ones go when a workspace is opened. */
const MOST_KEPT = 1000;

/** By which call a job began, with what it was given. */
export type JobCall = { name: string; input: Readonly<Record<string, unknown>>; mark: string | null };

/** What came of a job: recordings, and the result for whoever asks for it. */
export type JobResult = { recordings?: string[]; result?: Readonly<Record<string, unknown>> | null };

/** A job as it was noted. */
export type NotedJob = {
  job: Job;
  /** The process that does it, as describeHolder wrote it; null when it is over. */
  owner: string | null;
  call: JobCall | null;
  /** Why it failed, with the details. */
  failure: ErrorBody | null;
  result: Readonly<Record<string, unknown>> | null;
  /** The job that does it again. */
  next: string | null;
};

/** `owner`: the process that will do it (describeHolder). Before anything of it is begun. */
export async function insertJob(store: Store, job: Job, owner: string, call: JobCall | null): Promise<void> {
  const { id, kind, subject, state, progress, message, createdAt, person = null } = job;
  const row = { id, kind, subject, state, progress, message, created_at: createdAt, owner, person };
  const noted = call && { call: call.name, input: JSON.stringify(call.input), mark: call.mark };
  await sqlOf(store)
    .insertInto('jobs')
    .values({
      ...row,
      error: null,
      started_at: null,
      finished_at: null,
      result: null,
      stop_asked_at: null,
      next: null,
      ...(noted ?? { call: null, input: null, mark: null }),
    })
    .execute();
}

/** Writes how far a job is. */
export async function updateJob(
  store: Store,
  { id, state, progress, message, error, startedAt = null, finishedAt = null }: Job,
  more: Pick<Updateable<JobsTable>, 'owner' | 'result' | 'error'>,
): Promise<void> {
  const times = { started_at: startedAt, finished_at: finishedAt };
  await sqlOf(store)
    .updateTable('jobs')
    .set({ state, progress, message, error: error && JSON.stringify(error), ...times, ...more })
    .where('id', '=', id)
    .execute();
}

/** The same, but for somebody of whom so many wait or are at work, whichever process has them. Gives whether it was noted. */
export function insertJobUpTo(store: Store, most: number, ...job: [Job, string, JobCall | null]): Promise<boolean> {
  return store.transaction(async (trx) => {
    if (await hasJobs(trx, job[0].person ?? '', most)) return false;
    await insertJob(trx, ...job);
    return true;
  });
}

async function hasJobs(store: Store, person: string, count: number): Promise<boolean> {
  const rows = await sqlOf(store)
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .where('person', '=', person)
    .limit(count)
    .execute();
  return rows.length >= count;
}

/** The newest first. */
export async function latestJobs(store: Store): Promise<NotedJob[]> {
  // The newest of each state, by the index of states: of a hundred thousand that wait no more than these are looked at.
  const newestOf = (state: Job['state']) =>
    sqlOf(store)
      .selectFrom(
        sqlOf(store)
          .selectFrom('jobs')
          .selectAll()
          .where('state', '=', state)
          .orderBy('created_at', 'desc')
          .limit(MOST_LISTED)
          .as(state),
      )
      .selectAll();
  const [first = 'waiting', ...others] = jobSchema.shape.state.options;
  const rows = await others
    .reduce((all, state) => all.unionAll(newestOf(state)), newestOf(first))
    .orderBy('created_at', 'desc')
    .limit(MOST_LISTED)
    .execute();
  return rows.map(fromRow);
}

/** The job of this id, or of which this is the only beginning; null where there is none, or several. */
export async function findJob(store: Store, id: string): Promise<NotedJob | null> {
  const exact = await sqlOf(store).selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  if (exact) return fromRow(exact);
  if (!/^[0-9a-f-]{4,36}$/.test(id)) return null;
  const [row, other] = await sqlOf(store)
    .selectFrom('jobs')
    .selectAll()
    .where('id', 'like', `${id}%`)
    .limit(2)
    .execute();
  return row && !other ? fromRow(row) : null;
}

/**
 * Jobs that nobody works on any more are failed ones. `sure`: only of processes that have ended on this machine, and not of
 * those of which nothing is known. Gives their ids.
 */
export async function cutInterrupted(store: Store, { sure }: { sure: boolean }): Promise<string[]> {
  // By process, not by job: there may be a hundred thousand that wait.
  const open = await sqlOf(store)
    .selectFrom('jobs')
    .select(['owner', 'state'])
    .distinct()
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  const cut: string[] = [];
  for (const { owner, state } of open) {
    const life = lifeOf(owner);
    if (life === 'alive' || (sure && life === 'unknown')) continue;
    const message = `The program ended ${state === 'running' ? 'while it worked on this' : 'before it began this'}. Start it again.`;
    const set = {
      state: 'failed' as const,
      // A team's server begins it again by itself (studio/api/team/go-on.ts); not what failed in another way.
      error: JSON.stringify({ code: 'INTERRUPTED', message, details: { cut: true } }),
      finished_at: new Date().toISOString(),
      owner: null,
    };
    // Those that ended well between the two have another state.
    const rows = await sqlOf(store)
      .updateTable('jobs')
      .set(set)
      .where('owner', owner === null ? 'is' : '=', owner)
      .where('state', '=', state)
      .returning('id')
      .execute();
    for (const { id } of rows) cut.push(id);
  }
  return cut;
}

/** Whether one of these processes is known to have ended. */
export const hasEnded = (owners: readonly (string | null)[]): boolean =>
  [...new Set(owners)].some((owner) => lifeOf(owner) === 'dead');

function lifeOf(owner: string | null): Liveness {
  const holder = parseHolder(owner);
  return holder ? livenessOf(holder) : 'dead';
}

/** Removes what is over and older than the last `MOST_KEPT`. */
export async function forgetOldJobs(store: Store, most: number = MOST_KEPT): Promise<void> {
  const oldest = await sqlOf(store)
    .selectFrom('jobs')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await sqlOf(store)
    .deleteFrom('jobs')
    .where('created_at', '<=', oldest.created_at)
    .where('state', 'not in', ['waiting', 'running'])
    .execute();
}

/** Asks whichever process works on it to stop. */
export async function askToStop(store: Store, id: string): Promise<void> {
  await sqlOf(store)
    .updateTable('jobs')
    .set({ stop_asked_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute();
}

/** The ids of work that is to stop. */
export async function askedToStop(store: Store): Promise<string[]> {
  const rows = await sqlOf(store)
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .where('stop_asked_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** False when it is being done again already: of two who ask, one begins it. */
export async function claimAgain(store: Store, id: string): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(store)
    .updateTable('jobs')
    .set({ next: '' })
    .where('id', '=', id)
    .where('next', 'is', null)
    .where('state', 'in', ['failed', 'cancelled'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** By which job it is done again; null: it could not be begun. */
export async function setNext(store: Store, id: string, next: string | null): Promise<void> {
  await sqlOf(store).updateTable('jobs').set({ next }).where('id', '=', id).execute();
}

/** A program that ended in the middle of beginning it again has left this claim. */
export async function dropClaims(store: Store): Promise<void> {
  await sqlOf(store).updateTable('jobs').set({ next: null }).where('next', '=', '').execute();
}

function fromRow(row: Selectable<JobsTable>): NotedJob {
  const noted = objectOf(row.error);
  const error = noted && ({ details: {}, ...noted } as ErrorBody); // Its code and message are checked with the job.
  const { recordings, result = null } = (objectOf(row.result) ?? {}) as Partial<JobResult>; // Written by `updateJob`.
  const job = jobSchema.parse({
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    progress: row.progress,
    message: row.message,
    error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    person: row.person,
    ...(recordings && { recordings }),
  });
  const call = row.call === null || row.input === null ? null : callOf(row.call, row.input, row.mark);
  return { job, owner: row.owner, call, failure: isActive(job) ? null : error, result, next: row.next };
}

function callOf(name: string, text: string, mark: string | null): JobCall | null {
  const input = objectOf(text);
  return input && { name, input, mark };
}

/** The object that a text is; null for anything else. */
function objectOf(text: string | null): Record<string, unknown> | null {
  const value: unknown = text === null ? null : JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : null;
}
