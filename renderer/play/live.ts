import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Job } from '../../schemas/api/models.ts';
import type { LivePlay } from '../../schemas/api/play.ts';
import { client } from '../client/api.ts';

/** The next picture is asked for so long after the last one came, ms. */
const PAUSE_MS = 500;

/** What the stage of a play shows while it goes on. */
export function useLivePlay(ws: string, recording: string, job: Job | null): LivePlay | null {
  const running = job?.state === 'running';
  const live = useQuery({
    queryKey: ['of', ws, 'recordings', recording, 'live', job?.id],
    queryFn: ({ signal }) => client.play.live({ ws, recording }, { signal }),
    enabled: running,
    refetchInterval: PAUSE_MS,
    gcTime: 0,
  });
  return running ? (live.data ?? null) : null;
}

/** Whether the page goes to steps by itself: until the person has gone to one (`stray`), then not before `again`. */
export type Follow = { strayed: boolean; stray: () => void; again: () => void };

/** Calls `show` with each step that a play begins, while the page may go there. The next play is followed again. */
export function useFollow(job: Job | null, step: string | null, show: (step: string) => void): Follow {
  const [of, setOf] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [strayed, setStrayed] = useState(false);
  if (job !== null && job.id !== of) {
    setOf(job.id);
    setShown(null);
    setStrayed(false);
  } else if (job !== null && step !== null && step !== shown && !strayed) {
    setShown(step);
    show(step);
  }
  return { strayed, stray: () => setStrayed(true), again: () => setStrayed(false) };
}
