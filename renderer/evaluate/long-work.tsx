import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import { untilDone } from '../client/changes.ts';
import { queries } from '../client/queries.ts';
import { JobRow } from '../jobs/tray.tsx';

type Work<T> = {
  /** Begins it; `onDone` is called when it ended well and whoever began it is still there. */
  begin(onDone: (made: T) => void): void;
  isPending: boolean;
  error: unknown;
  made: T | undefined;
  /** How far it is, with a stop; null before it began and after. */
  progress: ReactNode;
};

/**
 * Long work that a dialog begins and waits for. Closing the dialog leaves it to the list of long work; a failure comes with
 * every detail, such as the lines that could not be taken.
 */
export function useLongWork<T>(ws: string, start: () => Promise<{ job: Job; made: T }>): Work<T> {
  const cache = useQueryClient();
  const [job, setJob] = useState<Job | null>(null);
  const work = useMutation({
    mutationFn: async () => {
      const { job: begun, made } = await start();
      setJob(begun);
      await cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey });
      await untilDone(cache, ws, begun, setJob);
      return made;
    },
    onSettled: () => setJob(null),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['of', ws] }),
  });
  return {
    begin: (onDone) => work.mutate(undefined, { onSuccess: onDone }),
    isPending: work.isPending,
    error: work.error,
    made: work.data,
    progress: job && isActive(job) ? <JobRow ws={ws} job={job} /> : null,
  };
}
