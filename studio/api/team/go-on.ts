import { log, passedOver } from '../../../native/log/log.ts';
import type { Job } from '../../../schemas/api/models.ts';
import type { ErrorBody } from '../../../schemas/errors.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { isDatabaseAway } from '../../store/postgres/errors.ts';
import { beginCall } from '../routes/begin-again.ts';
import type { AskedStudio } from '../studio.ts';

/**
 * Jobs of a server that was killed, and those that failed since the database was away for long, are begun again by the servers that
 * are left, or by the next one: each once, for the member who began it, with the rights that they have now.
 */

type GoOn = {
  open: OpenWorkspace;
  workOf(member: string, job: string): Promise<AskedStudio | null>;
  /** Between two looks, ms. */
  lookMs?: number;
  /** A worker may be at it for so long after its server was killed, ms; no job is begun again before. */
  goneMs?: number;
};

const LOOK_MS = 10_000;
/** Longer than the 60 s after which workers stop what nobody asks for (studio/store/postgres/work.ts). */
const GONE_MS = 75_000;
/** A job that ended so many servers, or failed so often, is left to a person. */
const MOST = 3;
const DAY_MS = 86_400_000;
/** They cost money, run programs, or are of one machine: a person begins them again. */
const BY_HAND: ReadonlySet<string> = new Set([
  'runs.model',
  'play.start',
  'play.verify',
  'judges.ask',
  'candidates.ask',
  'evaluate.judge',
  'teamServer.push',
]);

export function goOnWithJobs({ open, workOf, lookMs = LOOK_MS, goneMs = GONE_MS }: GoOn): { close(): void } {
  let looking = false;
  const seen = new Map<string, number>();
  const timer = setInterval(() => {
    if (looking || open.isClosed()) return;
    looking = true;
    goOnOnce({ open, workOf, seen }, open.workspace.work === null ? 0 : goneMs)
      .catch(passedOver('jobs not begun again', { workspace: open.id }))
      .finally(() => {
        looking = false;
      });
  }, lookMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** `seen`: when this process saw first that a job could go on, by a clock that nobody sets, ms. */
type Looking = Pick<GoOn, 'open' | 'workOf'> & { seen: Map<string, number> };

async function goOnOnce({ open, workOf, seen }: Looking, goneMs: number): Promise<void> {
  // The list also says which jobs are nobody's any more.
  const cut = (await open.jobs.list()).filter(mayBeCut);
  for (const id of seen.keys()) if (!cut.some((job) => job.id === id)) seen.delete(id);
  // The oldest first, as they were begun.
  const noted = await Promise.all(cut.reverse().map(({ id }) => open.jobs.get(id)));
  const before = new Map(noted.flatMap(({ job, next }) => (next === null ? [] : [[next, job.id]])));
  for (const { job, call, failure, next } of noted) {
    const age = Date.now() - Date.parse(job.finishedAt ?? job.createdAt);
    if (next !== null || !isCut(failure) || age > DAY_MS) continue;
    const first = seen.get(job.id) ?? performance.now();
    seen.set(job.id, first);
    if (performance.now() - first < goneMs) continue;
    if (!call || !job.again || BY_HAND.has(call.name) || job.person == null) continue;
    if (timesBefore(before, job.id) >= MOST) continue;
    const context = await workOf(job.person, job.id);
    if (context === null || open.isClosed()) continue;
    try {
      const begun = await open.jobs.again(job.id, (known) => beginCall(known, open.id, context));
      log.info('job goes on', { job: begun.id, name: call.name });
    } catch (error) {
      // Another server was first, or it is refused now, which the log says: the job stays as it is.
      log.warn('job does not go on', { job: job.id, name: call.name, error });
    }
  }
}

const CODES: ReadonlySet<string | undefined> = new Set(['INTERRUPTED', 'WORKSPACE_BUSY']);
const mayBeCut = ({ state, error }: Job): boolean => state === 'failed' && CODES.has(error?.code);

/** It failed for nothing of its own: its program ended, or the database was away. */
const isCut = (failure: ErrorBody | null): boolean =>
  failure !== null && (failure.details.cut === true || isDatabaseAway(failure));

/** How many jobs before it were to do the same. */
function timesBefore(before: ReadonlyMap<string, string>, job: string): number {
  let times = 0;
  for (let at = before.get(job); at !== undefined && times < MOST; at = before.get(at)) times++;
  return times;
}
