import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay, PlayRow } from '../../schemas/api/play.ts';
import { client } from '../client/api.ts';
import { type RunningPlay, useRunning } from './running.ts';

/** The plays of a recording, and the one that is shown. */
export type PlaysOfRecording = {
  list: UseQueryResult<PlayRow[]>;
  running: RunningPlay;
  /** The row of the one that is shown; undefined: none yet. */
  shown: PlayRow | undefined;
  /** What ended just now comes with the list that is read anew. */
  awaited: boolean;
  /** Null: the newest of the whole recording. */
  choose: (id: string | null) => void;
  /** Its pictures and outcomes, while none goes on. */
  opened: OpenedPlay | undefined;
  /** Why it cannot be opened. */
  error: unknown;
};

export function usePlays(ws: string, { row }: OpenedRecording): PlaysOfRecording {
  const cache = useQueryClient();
  const [chosen, choose] = useState<string | null>(null);
  const ofPlays = ['of', ws, 'recordings', row.id, 'plays'] as const;
  const list = useQuery({
    queryKey: ofPlays,
    queryFn: ({ signal }) => client.play.list({ ws, recording: row.id }, { signal }),
  });
  const onOver = useCallback(
    (played: string | null) => {
      choose(played);
      void cache.invalidateQueries({ queryKey: ['of', ws, 'recordings', row.id, 'plays'] });
      void cache.invalidateQueries({ queryKey: ['of', ws, 'tasks', row.task, 'verdict'] });
    },
    [cache, ws, row.id, row.task],
  );
  const running = useRunning(ws, row.id, onOver);
  const known = list.data?.find(({ id }) => id === chosen);
  // Until it has come, no other is shown in its place.
  const awaited = chosen !== null && known === undefined && list.isFetching;
  const shown = known ?? (awaited ? undefined : firstShown(list.data));
  const play = useQuery({
    queryKey: [...ofPlays, shown?.id],
    queryFn: ({ signal }) => client.play.open({ ws, played: shown?.id ?? '' }, { signal }),
    enabled: shown !== undefined,
    staleTime: 60_000,
  });
  const opened = running.job === null && play.data?.id === shown?.id ? play.data : undefined;
  return { list, running, shown, awaited, choose, opened, error: play.error };
}

/** One that left a step out on purpose fails as it should: it is no answer to whether the recording can be played. */
const firstShown = (plays: readonly PlayRow[] = []): PlayRow | undefined =>
  plays.find(({ report }) => report?.leftOut == null) ?? plays[0];
