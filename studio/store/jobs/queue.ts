import { randomUUID } from 'node:crypto';
import { plural } from '../../../core/words.ts';
import { log, passedOver } from '../../../native/log/log.ts';
import { isActive, isPreparing } from '../../../schemas/api/job-state.ts';
import type { Job } from '../../../schemas/api/models.ts';
import { type ErrorBody, errorBody, StudioError } from '../../../schemas/errors.ts';
import { describeHolder } from '../../files/process-id.ts';
import {
  askedToStop,
  askToStop,
  claimAgain,
  cutInterrupted,
  dropClaims,
  findJob,
  forgetOldJobs,
  hasEnded,
  insertJob,
  insertJobUpTo,
  type JobCall,
  type JobResult,
  latestJobs,
  type NotedJob,
  setNext,
  updateJob,
} from '../jobs.ts';
import type { Store } from '../store.ts';
import type { Workspace } from '../workspace.ts';
import { type CallMarks, NO_MARKS } from './call-marks.ts';
import { type FairLine, fairLine } from './fair-line.ts';
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
 * Lanes of jobs: in each, one job at a time, in the order they came; those of members of a team in turns. A search through a
 * whole data set takes minutes, and a model hours; recordings that come in do not wait for it, nor for the films of others that
 * came before them. Kinds that are not named here come after each other in the first lane.
 */
const LANES: readonly ReadonlySet<string>[] = [
  new Set(['import', 'arrival']),
  new Set(['prepare', 'playback']),
  new Set(['duplicates', 'freeze', 'export', 'validate', 'archive', 'questions']),
  new Set(['score', 'judge']),
  new Set(['ask-judges', 'sample']),
  new Set(['model-run']),
  new Set(['count']),
  new Set(['instances']),
  new Set(['texts']),
  new Set(['keep']),
  new Set(['push', 'material']),
  new Set(['play', 'verify']),
];

/**
 * The call of the API that began a job, as it can be made again: never with a secret, since it is kept with the workspace.
 * `person`: who asked. `most`: how many of theirs may wait or be at work, in all processes of the workspace.
 */
export type AskedBy = {
  name: string;
  input: Readonly<Record<string, unknown>>;
  person?: string | undefined;
  most?: number | undefined;
};

/** A job with all that was noted of it. */
export type JobWithCall = Pick<NotedJob, 'job' | 'failure' | 'result' | 'next'> & {
  call: Pick<JobCall, 'name' | 'input'> | null;
};

/** Long work of one workspace, in lanes. */
export type Jobs = {
  /**
   * `asked`: left out where no call of a person began it. It is noted before it begins. `turn`: the member of a team whose turn it
   * takes, where that is not who asked. Throws TOO_MANY_TRIES.
   */
  add(kind: string, subject: string, work: Work, asked?: AskedBy | null, turn?: string): Promise<Job>;
  /** The newest first. */
  list(): Promise<Job[]>;
  /** By its id or the beginning of it. Throws USAGE for one that is not there. */
  get(id: string): Promise<JobWithCall>;
  /** Also work of another process on this workspace. Throws USAGE for a job that is unknown or over. */
  cancel(id: string): Promise<void>;
  /**
   * Begins one that failed or was stopped as it was begun, by `begin`, and gives what that gives. Throws USAGE where it
   * cannot be, or somebody did already.
   */
  again(id: string, begin: (call: Pick<JobCall, 'name' | 'input'>) => Promise<Job>): Promise<Job>;
  /** Each change of a job, until `signal`. */
  watch(signal?: AbortSignal): AsyncIterableIterator<Job>;
  /** Resolves with the job when it is over. Throws USAGE when it is none of this process. */
  finished(id: string): Promise<Job>;
  /** Why it failed, with the details that the list lacks; null when it did not. */
  failure(id: string): Promise<ErrorBody | null>;
  /** The full result of finished work; null where it gave none. */
  result(id: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Stops what runs and waits for it. */
  close(): Promise<void>;
};

/** Progress is written and told at most this often, ms. */
const REPORT_MS = 200;
/** How a job ended could not be written: tried again after so long, ms. */
const SAVE_AGAIN_MS = 2000;

/** How often it is looked whether another process asks for a stop, while there is work, ms. */
const ASKED_MS = 700;
/** A call, a failure or a result that is longer is not written, characters; it is there while this process holds the job. */
const MOST_KEPT = 250_000;

/** So many jobs that are over, with all that came of them, are held beside what the database has of them. */
const MOST_HELD = 1000;

/** `atOnce`: how many jobs of a lane go on at the same time, now; `mostHeld`: of those that are over, in memory. */
export async function openJobs(
  { store }: Pick<Workspace, 'store'>,
  marks: CallMarks = NO_MARKS,
  atOnce: () => number = () => 1,
  mostHeld: number = MOST_HELD,
): Promise<Jobs> {
  const cut = await cutInterrupted(store, { sure: false });
  if (cut.length > 0) log.warn('jobs cut', { count: cut.length });
  await dropClaims(store);
  await forgetOldJobs(store);
  return new JobLanes(store, marks, atOnce, mostHeld);
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

type Lane = { waiting: FairLine<Begun>; running: Set<Promise<void>> };

class JobLanes implements Jobs {
  readonly #store: Store;
  readonly #mine = new Map<string, Begun>();
  /** The ones among them that are over and written, the oldest first. */
  readonly #over: string[] = [];
  #active = 0;
  readonly #mostHeld: number;
  readonly #hub = createHub<Job>();
  readonly #owner = JSON.stringify(describeHolder(randomUUID(), process.pid));
  readonly #lanes = LANES.map((): Lane => ({ waiting: fairLine(), running: new Set() }));
  readonly #atOnce: () => number;
  readonly #marks: CallMarks;
  #closing = false;
  #looking: NodeJS.Timeout | null = null;

  constructor(store: Store, marks: CallMarks, atOnce: () => number, mostHeld: number) {
    this.#mostHeld = mostHeld;
    this.#store = store;
    this.#atOnce = atOnce;
    this.#marks = marks;
  }

  async add(
    kind: string,
    subject: string,
    work: Work,
    asked: AskedBy | null = null,
    turn = asked?.most === undefined ? '' : (asked.person ?? ''),
  ): Promise<Job> {
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
      startedAt: null,
      finishedAt: null,
      person: asked?.person ?? null,
    };
    const { promise: over, resolve: settle } = Promise.withResolvers<Job>();
    const begun: Begun = { job, work, control: new AbortController(), over, settle, failure: null, result: null };
    this.#mine.set(job.id, begun);
    try {
      await this.#note(job, asked);
    } catch (error) {
      this.#mine.delete(job.id);
      throw error;
    }
    this.#active++;
    this.#hub.publish({ ...job });
    this.#lookForStops();
    const answer = { ...job };
    const lane = this.#lanes[laneOf(kind)]!;
    lane.waiting.put(turn, begun);
    // The asker has the answer before the first news of the work.
    queueMicrotask(() => this.#begin(lane));
    return answer;
  }

  /** Counted and noted as one whole: a hundred that come at once, at several servers, see each other. */
  async #note(job: Job, asked: AskedBy | null): Promise<void> {
    const call = asked && this.#callOf(job, asked);
    const { person, most } = asked ?? {};
    if (person === undefined || most === undefined) return insertJob(this.#store, job, this.#owner, call);
    const noted = (): Promise<boolean> => insertJobUpTo(this.#store, most, job, this.#owner, call);
    if (await noted()) return;
    // Those of a server that was killed are nobody's work any more.
    const cut = await cutInterrupted(this.#store, { sure: true });
    if (cut.length > 0 && (await noted())) return;
    const message = `${plural(most, 'job')} of yours wait or are at work. Begin more when some of them are over, or stop some on the page Jobs.`;
    throw new StudioError('TOO_MANY_TRIES', message, { seconds: 60 });
  }

  #begin(lane: Lane): void {
    // When all is stopped, those that wait are over at once.
    const most = this.#closing ? Number.POSITIVE_INFINITY : Math.max(1, this.#atOnce());
    while (lane.running.size < most) {
      const begun = lane.waiting.next();
      if (!begun) return;
      const work = this.#run(begun).finally(() => {
        lane.running.delete(work);
        this.#begin(lane);
      });
      lane.running.add(work);
    }
  }

  async list(): Promise<Job[]> {
    let noted = await latestJobs(this.#store);
    // Those of another process, which may have been killed.
    const others = noted.filter(({ job }) => isActive(job) && !this.#mine.has(job.id));
    if (hasEnded(others.map(({ owner }) => owner))) {
      const cut = await cutInterrupted(this.#store, { sure: true });
      if (cut.length > 0) noted = await latestJobs(this.#store);
    }
    return noted.map((one) => this.#whole(one).job);
  }

  async get(id: string): Promise<JobWithCall> {
    const noted = await findJob(this.#store, id);
    if (!noted) {
      const message = `No job "${id.slice(0, 60)}" is known here, or its beginning fits several. \`jobs list\` has their ids.`;
      throw new StudioError('USAGE', message, { job: id });
    }
    return this.#whole(noted);
  }

  async cancel(id: string): Promise<void> {
    const begun = this.#mine.get(id);
    if (begun && isActive(begun.job)) {
      begun.control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
      return;
    }
    await cutInterrupted(this.#store, { sure: true });
    const noted = begun ? null : await findJob(this.#store, id);
    if (!noted || !isActive(noted.job)) {
      throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" is at work here; it may be over already.`, {
        job: id,
      });
    }
    await askToStop(this.#store, noted.job.id);
  }

  async again(id: string, begin: (call: Pick<JobCall, 'name' | 'input'>) => Promise<Job>): Promise<Job> {
    const { job, call } = await this.get(id);
    const wanted = call ?? callOfPreparing(job);
    if (isActive(job) || job.state === 'done') {
      const why = isActive(job) ? 'it is not over yet' : 'it is done';
      throw new StudioError('USAGE', `This job cannot be begun again: ${why}.`, { job: job.id });
    }
    if (!wanted || !(await claimAgain(this.#store, job.id))) {
      const why = wanted
        ? 'somebody did that already'
        : 'how it was begun is not known here. Begin it anew where it was begun';
      throw new StudioError('USAGE', `This job cannot be begun again: ${why}.`, { job: job.id });
    }
    let next: string | null = null;
    try {
      const begun = await begin(wanted);
      next = begun.id;
      return begun;
    } finally {
      await setNext(this.#store, job.id, next);
    }
  }

  watch(signal?: AbortSignal): AsyncIterableIterator<Job> {
    return this.#hub.subscribe(signal);
  }

  finished(id: string): Promise<Job> {
    const begun = this.#mine.get(id);
    if (begun) return begun.over;
    throw new StudioError('USAGE', `No job "${id.slice(0, 60)}" was begun here.`, { job: id });
  }

  async failure(id: string): Promise<ErrorBody | null> {
    const begun = this.#mine.get(id);
    return begun ? begun.failure : ((await findJob(this.#store, id))?.failure ?? null);
  }

  async result(id: string): Promise<Readonly<Record<string, unknown>> | null> {
    const begun = this.#mine.get(id);
    return begun ? begun.result : ((await findJob(this.#store, id))?.result ?? null);
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const { control, job } of this.#mine.values()) {
      if (isActive(job)) control.abort(new StudioError('CANCELLED', 'The studio was closed.', {}));
    }
    for (const lane of this.#lanes) this.#begin(lane);
    for (const { running } of this.#lanes) while (running.size > 0) await Promise.all(running);
    if (this.#looking) clearInterval(this.#looking);
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
      job.startedAt = now();
      await this.#save(job, {});
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
    job.finishedAt = now();
    this.#active--;
    log.info('job ended', { ...facts, why: job.state, ms: performance.now() - startedAt });
    await saving;
    await this.#saveEnd({ ...job }, begun);
    settle({ ...job });
  }

  async #save(job: Job, more: Parameters<typeof updateJob>[2]): Promise<void> {
    // Told first: on a full disk, which may be why it failed, nothing can be written, and a page would wait for ever.
    this.#hub.publish({ ...job });
    await updateJob(this.#store, job, more);
  }

  /** How a job ended is written when it can be; until then the list has it from memory. */
  async #saveEnd(job: Job, begun: Begun): Promise<void> {
    const { recordings } = job;
    const made: JobResult = { ...(recordings && { recordings }), ...(begun.result && { result: begun.result }) };
    const nothing = Object.keys(made).length === 0;
    const result = nothing ? null : (kept(made) ?? kept(recordings ? { recordings } : {}));
    const error = begun.failure && kept(begun.failure);
    try {
      await this.#save(job, { owner: null, result, ...(error !== null && { error }) });
      this.#over.push(job.id);
      if (this.#over.length > this.#mostHeld) this.#mine.delete(this.#over.shift()!);
    } catch (error) {
      log.warn('end of a job not stored', { job: job.id, name: job.kind, error });
      if (!this.#closing) setTimeout(() => void this.#saveEnd(job, begun), SAVE_AGAIN_MS).unref();
    }
  }

  #callOf(job: Job, { name, input }: AskedBy): JobCall | null {
    return kept(input) === null ? null : { name, input, mark: this.#marks.of({ id: job.id, name, input }) };
  }

  /** With what is known here alone: how it stands now, and whether it can be begun again. */
  #whole({ job, call, next, failure, result }: NotedJob): JobWithCall {
    const mine = this.#mine.get(job.id);
    const now: Job = { ...job, ...mine?.job };
    const own = call && this.#marks.isOwn({ id: job.id, ...call }, call.mark) ? call : null;
    const isOver = now.state === 'failed' || now.state === 'cancelled';
    const again = isOver && next === null && (own ?? callOfPreparing(now)) !== null;
    return {
      job: { ...now, ...(again && { again }) },
      call: own,
      failure: mine ? mine.failure : failure,
      result: mine ? mine.result : result,
      next: next === '' ? null : next,
    };
  }

  /** Another process can only write down that it wants a stop. */
  #lookForStops(): void {
    this.#looking ??= setInterval(() => {
      if (this.#active === 0) {
        if (this.#looking) clearInterval(this.#looking);
        this.#looking = null;
        return;
      }
      askedToStop(this.#store).then((ids) => {
        for (const id of ids) this.#mine.get(id)?.control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
      }, passedOver('stops not read'));
    }, ASKED_MS).unref();
  }
}

/** As text; null where it is too long to be kept. */
function kept(value: object): string | null {
  const text = JSON.stringify(value);
  return text.length <= MOST_KEPT ? text : null;
}

/** Nothing but the recording is needed to make its pictures. */
const callOfPreparing = (job: Job): Pick<JobCall, 'name' | 'input'> | null =>
  isPreparing(job) ? { name: 'recordings.prepare', input: { recording: job.subject } } : null;

/** Other subjects are names that a person gave: they are not for the log. */
const isRecordingId = (subject: string): boolean => /^\d{8}-\d{6}-[a-z0-9]{8}$/.test(subject);

const now = (): string => new Date().toISOString();
const laneOf = (kind: string): number =>
  Math.max(
    0,
    LANES.findIndex((kinds) => kinds.has(kind)),
  );
