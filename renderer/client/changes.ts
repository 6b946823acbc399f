import { type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import type { WorkspaceChange } from '../../schemas/api/recordings.ts';
import { tr } from '../language/tr.ts';
import { client } from './api.ts';
import { queries } from './queries.ts';
import { useStream } from './stream.ts';

/**
 * Follows what changes in a workspace, by one stream for all that a page shows of it: the library, and long work. `ws` null
 * follows nothing.
 */
export function useWorkspaceChanges(ws: string | null): void {
  const cache = useQueryClient();
  const told = useRef(false);
  useStream(
    ws,
    (signal) => {
      // What changed while nothing was followed (a hidden tab, a studio that was away) is asked for.
      if (told.current) void cache.invalidateQueries({ queryKey: ['of', ws] });
      told.current = true;
      return client.recordings.watch({ ws: ws ?? '' }, { signal });
    },
    (change) => ws !== null && take(cache, ws, change),
  );
}

function take(cache: QueryClient, ws: string, { what, job }: WorkspaceChange): void {
  const isStale = (...key: string[]): void => void cache.invalidateQueries({ queryKey: ['of', ws, ...key] });
  if (what === 'jobs' && job) {
    const { queryKey } = queries.jobs(ws);
    cache.setQueryData<Job[]>(queryKey, (jobs) => withJob(jobs, job));
    // A finished job may have changed any list, and whether it can be begun again is in the list alone.
    if (!isActive(job)) refetchSoon(cache, ws);
    return;
  }
  // They are among what recordings came to: a run's end changes their pages, too.
  if (what === 'compositions') isStale('recordings', 'compositions');
  else if (what === 'runs') isStale('recordings', 'live-runs');
  else isStale(what);
  // A task's row counts its recordings, and a software's its tasks.
  if (what === 'recordings') for (const also of ['tasks', 'work', 'dataset']) isStale(also);
  if (what === 'tasks') isStale('software');
}

/** Many jobs may end in a row: what they changed is asked for once. */
const SOON_MS = 400;
const due = new Map<string, ReturnType<typeof setTimeout>>();

function refetchSoon(cache: QueryClient, ws: string): void {
  if (due.has(ws)) return;
  const timer = setTimeout(() => {
    due.delete(ws);
    void cache.invalidateQueries({ queryKey: ['of', ws] });
  }, SOON_MS);
  due.set(ws, timer);
}

/** Where changes are followed, lists need no asking; a line that lets no stream through (a proxy) is asked over so often, ms. */
const ASK_ALL_THE_SAME_MS = 5000;

/** How often the list of long work is asked for where changes are followed. */
export const whileActive = ({ state }: { state: { data?: readonly Job[] | undefined } }): number | false =>
  state.data?.some(isActive) ? ASK_ALL_THE_SAME_MS : false;

/** The job when it is over; `tell` hears each change until then. Its list is the one that the page has. */
export function untilOver(cache: QueryClient, ws: string, begun: Job, tell: (job: Job) => void): Promise<Job> {
  return new Promise((resolve) => {
    const observer = new QueryObserver(cache, { ...queries.jobs(ws), refetchInterval: ASK_ALL_THE_SAME_MS });
    const stop = observer.subscribe(({ data }) => {
      const job = data?.find(({ id }) => id === begun.id);
      if (!job) return;
      tell(job);
      if (isActive(job)) return;
      stop();
      resolve(job);
    });
  });
}

/** The same of a job that is to come to its end. Throws what it failed with, `details` as `data`, as an answer of the studio would. */
export async function untilDone(cache: QueryClient, ws: string, begun: Job, tell: (job: Job) => void): Promise<void> {
  const job = await untilOver(cache, ws, begun, tell);
  if (job.state === 'done') return;
  if (job.state === 'cancelled') throw { code: 'CANCELLED', message: tr('It was stopped.') };
  const failure = await client.jobs.failure({ ws, job: job.id });
  if (failure) throw { code: failure.code, message: failure.message, data: failure.details };
  throw job.error ?? { code: 'INTERNAL', message: tr('It failed without a reason.') };
}

/** The list with a job as it is now: the newest first. Undefined stays so: nobody has asked for the list yet. */
export function withJob(jobs: readonly Job[] | undefined, job: Job): Job[] | undefined {
  if (jobs === undefined) return undefined;
  const isKnown = jobs.some(({ id }) => id === job.id);
  return isKnown ? jobs.map((one) => (one.id === job.id ? job : one)) : [job, ...jobs];
}
