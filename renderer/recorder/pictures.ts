import { useQuery } from '@tanstack/react-query';
import type { ScreenPictures } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';

/** Often enough to see what one does, seldom enough to cost nothing that is noticed. */
const EVERY_MS = 3000;
const NONE: ScreenPictures = { displays: [], windows: [], view: null };

/**
 * Small pictures of the screen, taken anew while the page is looked at, without what these lists leave out. They are kept
 * nowhere: not on the disk, and not here once the page is left.
 */
export function useScreenPictures(lists: { exclude: string[]; only: string[] }, enabled: boolean): ScreenPictures {
  const { exclude, only } = lists;
  const query = useQuery({
    queryKey: ['screen-pictures', exclude, only],
    queryFn: ({ signal }) => client.recorder.pictures({ exclude, only }, { signal }),
    refetchInterval: EVERY_MS,
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
  return (enabled ? query.data : undefined) ?? NONE;
}
