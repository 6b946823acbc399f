import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { log, passedOver } from '../../native/log/log.ts';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import { type ErrorBody, errorBody, StudioError } from '../../schemas/errors.ts';
import { describeHolder } from '../files/process-id.ts';
import { failInterrupted, insertJob, latestJobs, updateJob } from '../store/jobs.ts';
import type { Tables } from '../store/tables.ts';
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
  new Set(['texts']),
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
  /** The full result of finished work; null where it gave none, or was done by another process. */
  result(id: string): Readonly<Record<string, unknown>> | null;
  /** Stops what runs and waits for it. */
  close(): Promise<void>;
};

/** Progress is written and told at most this often, ms. */
const REPORT_MS = 200;
/** How a job ended could not be written: tried again after so long, ms. */
const SAVE_AGAIN_MS = 2000;

export async function openJobs({ db }: Workspace): Promise<Jobs> {
  await failInterrupted(db);
  return new JobLanes(db);
}

/** A job that was begun by this process. */
type Begun = {
  job: Job;
  work: Work;
  control: AbortController;
  over: Promise<Job>;
  settle(job: Job): void;
  failure: ErrorBody | null;
  result: Readonly<Record<string, unknown>> | null;
};

class JobLanes implements Jobs {
  readonly #db: Kysely<Tables>;
  readonly #mine = new Map<string, Begun>();
  readonly #hub = createHub<Job>();
  readonly #owner = JSON.stringify(describeHolder(randomUUID(), process.pid));
  /** The end of each lane's last job. */
  readonly #lanes = LANES.map((): Promise<void> => Promise.resolve());
  #closing = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async add(kind: string, subject: string, work: Work): Promise<Job> {
    if (this.#closing) throw new StudioError('CANCELLED', 'The studio is closing; nothing new is begun.', {});
    const job: Job = {
      id: randomUUID(),
      kind,
      subject,
      state: 'waiting',
      progress: 0,
      message: null,
      error: null,
      createdAt: now(),
    };
    await insertJob(this.#db, job, this.#owner);
    const { promise: over, resolve: settle } = Promise.withResolvers<Job>();
    const begun: Begun = { job, work, control: new AbortController(), over, settle, failure: null, result: null };
    this.#mine.set(job.id, begun);
    this.#hub.publish({ ...job });
    const answer = { ...job };
    const lane = laneOf(kind);
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(() => this.#run(begun));
    return answer;
  }

  async list(): Promise<Job[]> {
    const jobs = await latestJobs(this.#db);
    return jobs.map((job) => ({ ...job, ...this.#mine.get(job.id)?.job }));
  }

  async cancel(id: string): Promise<void> {
    const begun = this.#mine.get(id);
    if (!begun || !isActive(begun.job)) {
      throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" is at work here; it may be over already.`, {
        job: id,
      });
    }
    begun.control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
  }

  watch(signal?: AbortSignal): AsyncIterableIterator<Job> {
    return this.#hub.subscribe(signal);
  }

  finished(id: string): Promise<Job> {
    const begun = this.#mine.get(id);
    if (begun) return begun.over;
    throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" was begun here.`, { job: id });
  }

  failure(id: string): ErrorBody | null {
    return this.#mine.get(id)?.failure ?? null;
  }

  result(id: string): Readonly<Record<string, unknown>> | null {
    return this.#mine.get(id)?.result ?? null;
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const { control, job } of this.#mine.values()) {
      if (isActive(job)) control.abort(new StudioError('CANCELLED', 'The studio was closed.', {}));
    }
    await Promise.all(this.#lanes);
    this.#hub.close();
  }

  async #run(begun: Begun): Promise<void> {
    const { job, work, control, settle } = begun;
    const facts = { job: job.id, name: job.kind, ...(isRecordingId(job.subject) && { recording: job.subject }) };
    const startedAt = performance.now();
    log.info('job began', facts);
    let told = Number.NEGATIVE_INFINITY;
    let saving: Promise<void> = Promise.resolve();
    try {
      control.signal.throwIfAborted();
      job.state = 'running';
      await this.#save(job, { started_at: now() });
      // Stopped meanwhile: work that only listens for the signal would never hear it.
      control.signal.throwIfAborted();
      const answer = await work({
        signal: control.signal,
        report: (progress, text) => {
          job.progress = Math.min(1, Math.max(0, progress));
          if (text !== undefined) job.message = text;
          if (performance.now() - told < REPORT_MS) return;
          told = performance.now();
          saving = this.#save({ ...job }, {}).catch(passedOver('progress not stored', { job: job.id, name: job.kind }));
        },
      });
      const { result = null, ...said } = typeof answer === 'object' && answer !== null ? answer : { message: answer };
      begun.result = result;
      Object.assign(job, { state: 'done', progress: 1, ...said });
    } catch (error) {
      const body = errorBody(error);
      const { code, message } = body;
      if (!control.signal.aborted) log.warn('job failed', { ...facts, code, error });
      // Work that was asked to stop counts as stopped, whatever its result.
      if (control.signal.aborted) Object.assign(job, { state: 'cancelled', message: 'Stopped.' });
      else {
        Object.assign(job, { state: 'failed', error: { code, message } });
        begun.failure = body;
      }
    }
    log.info('job ended', { ...facts, why: job.state, ms: performance.now() - startedAt });
    await saving;
    await this.#saveEnd({ ...job });
    settle({ ...job });
  }

  async #save(job: Job, more: Parameters<typeof updateJob>[2]): Promise<void> {
    // Told first: on a full disk, which may be why it failed, nothing can be written, and a page would wait for ever.
    this.#hub.publish({ ...job });
    await updateJob(this.#db, job, more);
  }

  /** How a job ended is written when it can be; until then the list has it from memory. */
  async #saveEnd(job: Job): Promise<void> {
    try {
      await this.#save(job, { finished_at: now(), owner: null });
    } catch (error) {
      log.warn('end of a job not stored', { job: job.id, name: job.kind, error });
      if (!this.#closing) setTimeout(() => void this.#saveEnd(job), SAVE_AGAIN_MS).unref();
    }
  }
}

/** Other subjects are names that a person gave: they are not for the log. */
const isRecordingId = (subject: string): boolean => /^\d{8}-\d{6}-[a-z0-9]{8}$/.test(subject);

const now = (): string => new Date().toISOString();
const laneOf = (kind: string): number =>
  Math.max(
    0,
    LANES.findIndex((kinds) => kinds.has(kind)),
  );
