import { useQuery } from '@tanstack/react-query';
import { queries } from '../client/queries.ts';

/**
 * Whether there is anything to make questions of. While nothing is approved they are made of every state: the questions of
 * approved recordings alone would be none.
 */
export function useAskable(ws: string): { some: boolean; nothingApproved: boolean } {
  const recordings = useQuery(queries.recordings(ws)).data ?? [];
  const some = recordings.length > 0;
  return { some, nothingApproved: some && !recordings.some(({ state }) => state === 'approved') };
}
