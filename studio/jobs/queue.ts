import { randomUUID } from 'node:crypto';
import type { Selectable, Updateable } from 'kysely';
import { type Job, jobSchema } from '../../schemas/api/models.ts';
import { type ErrorBody, errorBody, StudioError } from '../../schemas/errors.ts';
import { describeHolder, isAlive, parseHolder } from '../files/process-id.ts';
import type { JobsTable } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { createHub } from './hub.ts';

/**
 * The work of a job. `report` takes 0 to 1 and what is being done; the answer's message, and the recordings that came of it,
 * are shown with the finished job. `result` is for whoever asks for it, in full.
 */
export type Work = (tools: {
  signal: AbortSignal;
  report(progress: number, message?: string): void;
}) => Promise<string | null | { message: string; recordings?: string[]; result?: Readonly<Record<string, unknown>> }>;

/**
 * Lanes of jobs: in each, one job at a time, in the order they came. What is looked for in a whole data set takes minutes, and
 * a model hours; recordings that come in do not wait for it, nor their pictures and playback copies. Kinds that are not named
 * here come after each other in the first lane.
 */
const LANES: readonly ReadonlySet<string>[] = [
  new Set(['import', 'arrival', 'prepare', 'playback']),
  new Set(['duplicates', 'freeze', 'export', 'validate', 'archive', 'questions']),
  new Set(['score', 'judge']),
  new Set(['count']),
  new Set(['play', 'verify']),
];

/** Long work of one workspace, in lanes. */
export type Jobs = {
  add(kind: string, subject: string, work: Work): Promise<Job>;
  /** The newest first. */
  list(): Promise<Job[]>;
  /** Throws USAGE for a job that is unknown or over. */
  cancel(id: string): Promise<void>;
  /** Each change of a job, until `signal`. */
  watch(signal?: AbortSignal): AsyncIterableIterator<Job>;
  /** Resolves with the job when it is over. Throws USAGE when it is none of this process. */
  finished(id: string): Promise<Job>;
  /** Why it failed, with the details that the list lacks; null when it did not, or was begun by another process. */
  failure(id: string): ErrorBody | null;
  /** What finished work gave in full; null where it gave none, or was done by another process. */
  result(id: string): Readonly<Record<string, unknown>> | null;
  /** Stops what runs and waits for it. */
  close(): Promise<void>;
};

const MOST_LISTED = 200;
/** Progress is written and told at most this often, ms. */
const REPORT_MS = 200;
/** How a job ended could not be written: tried again after so long, ms. */
const SAVE_AGAIN_MS = 2000;

export async function openJobs({ db }: Workspace): Promise<Jobs> {
  type Waiting = {
    job: Job;
    work: Work;
    control: AbortController;
    over: Promise<Job>;
    settle(job: Job): void;
    failure: ErrorBody | null;
    result: Readonly<Record<string, unknown>> | null;
  };
  const mine = new Map<string, Waiting>();
  const hub = createHub<Job>();
  const owner = JSON.stringify(describeHolder(randomUUID(), process.pid));
  const lanes = LANES.map((): Promise<void> => Promise.resolve());
  let closing = false;

  const save = async (
    job: Job,
    more: Pick<Updateable<JobsTable>, 'started_at' | 'finished_at' | 'owner'> = {},
  ): Promise<void> => {
    const { state, progress, message } = job;
    const error = job.error && JSON.stringify(job.error);
    // Told first: on a full disk, which may be why it failed, nothing can be written, and a page would wait for ever.
    hub.publish({ ...job });
    await db
      .updateTable('jobs')
      .set({ state, progress, message, error, ...more })
      .where('id', '=', job.id)
      .execute();
  };
  /** How a job ended is written when it can be; until then the list has it from memory. */
  const saveEnd = async (job: Job): Promise<void> => {
    try {
      await save(job, { finished_at: now(), owner: null });
    } catch {
      if (!closing) setTimeout(() => void saveEnd(job), SAVE_AGAIN_MS).unref();
    }
  };
  const now = (): string => new Date().toISOString();

  async function run(waiting: Waiting): Promise<void> {
    const { job, work, control, settle } = waiting;
    let told = 0;
    let saving: Promise<void> = Promise.resolve();
    try {
      control.signal.throwIfAborted();
      job.state = 'running';
      await save(job, { started_at: now() });
      // Stopped meanwhile: work that only listens for the signal would never hear it.
      control.signal.throwIfAborted();
      const answer = await work({
        signal: control.signal,
        report(progress, text) {
          job.progress = Math.min(1, Math.max(0, progress));
          if (text !== undefined) job.message = text;
          if (Date.now() - told < REPORT_MS) return;
          told = Date.now();
          saving = save({ ...job }).catch(() => undefined);
        },
      });
      const { result = null, ...said } = typeof answer === 'object' && answer !== null ? answer : { message: answer };
      waiting.result = result;
      Object.assign(job, { state: 'done', progress: 1, ...said });
    } catch (error) {
      const body = errorBody(error);
      const { code, message } = body;
      // Whatever comes out of work that was told to stop, it was stopped.
      if (control.signal.aborted) Object.assign(job, { state: 'cancelled', message: 'Stopped.' });
      else {
        Object.assign(job, { state: 'failed', error: { code, message } });
        waiting.failure = body;
      }
    }
    await saving;
    await saveEnd({ ...job });
    settle({ ...job });
  }

  await failInterrupted();
  async function failInterrupted(): Promise<void> {
    const open = await db
      .selectFrom('jobs')
      .select(['id', 'owner'])
      .where('state', 'in', ['waiting', 'running'])
      .execute();
    for (const { id, owner: by } of open) {
      const holder = parseHolder(by);
      if (holder && isAlive(holder)) continue;
      const error = { code: 'INTERRUPTED', message: 'The program ended while it worked on this. Start it again.' };
      const set = { state: 'failed' as const, error: JSON.stringify(error), finished_at: now(), owner: null };
      await db.updateTable('jobs').set(set).where('id', '=', id).execute();
    }
  }

  return {
    async add(kind, subject, work) {
      if (closing) throw new StudioError('CANCELLED', 'The studio is closing; nothing new is begun.', {});
      const createdAt = now();
      const job: Job = {
        id: randomUUID(),
        kind,
        subject,
        state: 'waiting',
        progress: 0,
        message: null,
        error: null,
        createdAt,
      };
      const row = { id: job.id, kind, subject, state: job.state, progress: 0, created_at: createdAt, owner };
      await db
        .insertInto('jobs')
        .values({ ...row, message: null, error: null, started_at: null, finished_at: null })
        .execute();
      const { promise: over, resolve: settle } = Promise.withResolvers<Job>();
      const waiting: Waiting = { job, work, control: new AbortController(), over, settle, failure: null, result: null };
      mine.set(job.id, waiting);
      hub.publish({ ...job });
      const answer = { ...job };
      const lane = Math.max(
        0,
        LANES.findIndex((kinds) => kinds.has(kind)),
      );
      lanes[lane] = (lanes[lane] ?? Promise.resolve()).then(() => run(waiting));
      return answer;
    },
    async list() {
      const rows = await db.selectFrom('jobs').selectAll().orderBy('created_at', 'desc').limit(MOST_LISTED).execute();
      return rows.map((row) => ({ ...fromRow(row), ...mine.get(row.id)?.job }));
    },
    async cancel(id) {
      const waiting = mine.get(id);
      if (!waiting || !['waiting', 'running'].includes(waiting.job.state)) {
        throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" is at work here; it may be over already.`, {
          job: id,
        });
      }
      waiting.control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
    },
    watch: (signal) => hub.subscribe(signal),
    finished(id) {
      const waiting = mine.get(id);
      if (waiting) return waiting.over;
      throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" was begun here.`, { job: id });
    },
    failure: (id) => mine.get(id)?.failure ?? null,
    result: (id) => mine.get(id)?.result ?? null,
    async close() {
      closing = true;
      for (const { control, job } of mine.values()) {
        if (job.state === 'waiting' || job.state === 'running')
          control.abort(new StudioError('CANCELLED', 'The studio was closed.', {}));
      }
      await Promise.all(lanes);
      hub.close();
    },
  };
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
