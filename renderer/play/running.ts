import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import type { Pace } from '../../schemas/play.ts';
import { client } from '../client/api.ts';
import { whileActive } from '../client/changes.ts';
import { askerOf, queries } from '../client/queries.ts';
import { toError } from '../ui/errors.ts';

/** The play or verification of this recording that goes on or waits, and the last one that failed while this page was open. */
export type RunningPlay = {
  job: Job | null;
  failed: Job | null;
  start: (pace: Pace) => void;
  /** Plays it several times, and without a step that matters. */
  verify: (pace: Pace) => void;
  stop: () => void;
  starting: boolean;
  /** Somebody else made what it would run, and this person has not agreed to it: `go` begins it when they have. */
  asking: { go: () => void; giveUp: () => void } | null;
  error: unknown;
};

/** `onOver`: a play ended, with its own recording where there is one. */
export function useRunning(ws: string, recording: string, onOver: (played: string | null) => void): RunningPlay {
  const cache = useQueryClient();
  const [mine, setMine] = useState<string | null>(null);
  const jobs = useQuery({
    ...queries.jobs(ws),
    refetchInterval: whileActive,
  });
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey });
  const job = jobs.data?.find((one) => isOf(one, recording) && isActive(one)) ?? null;
  const last = jobs.data?.find((one) => one.id === mine) ?? null;

  const start = useMutation({
    mutationFn: (pace: Pace) => client.play.start({ ws, recording, pace, ...askerOf(ws) }),
    onSuccess: (made) => setMine(made.id),
    onSettled: refresh,
  });
  const verify = useMutation({
    mutationFn: (pace: Pace) => client.play.verify({ ws, recording, pace, ...askerOf(ws) }),
    onSuccess: (made) => setMine(made.id),
    onSettled: refresh,
  });
  const stop = useMutation({
    mutationFn: async () => (job ? client.jobs.cancel({ ws, job: job.id }) : undefined),
    onSettled: refresh,
  });
  const refused = [start, verify].find(({ error }) => error !== null && toError(error).code === 'NOT_AGREED');
  // One that was begun in another window is told of here, too.
  const before = useRef<string | null>(null);
  useEffect(() => {
    const ended = before.current;
    before.current = job?.id ?? null;
    if (ended === null || ended === job?.id) return;
    onOver(jobs.data?.find((one) => one.id === ended)?.recordings?.[0] ?? null);
  }, [job?.id, jobs.data, onOver]);
  return {
    job,
    failed: job === null && last?.state === 'failed' ? last : null,
    start: (pace) => start.mutate(pace),
    verify: (pace) => verify.mutate(pace),
    stop: () => stop.mutate(),
    starting: start.isPending || verify.isPending,
    asking: refused
      ? { go: () => refused.variables && refused.mutate(refused.variables), giveUp: refused.reset }
      : null,
    error: refused ? stop.error : (start.error ?? verify.error ?? stop.error),
  };
}

const isOf = ({ kind, subject }: Job, recording: string): boolean =>
  (kind === 'play' || kind === 'verify') && subject === recording;
