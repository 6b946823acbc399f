import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { WorkItem } from '../../schemas/api/review-models.ts';
import { paths } from './paths.ts';
import { askWho, usePersonId } from './person.ts';
import { queries } from './queries.ts';

/** The page on which a piece of work is done. */
export function placeOfWork(ws: string, item: Pick<WorkItem, 'kind' | 'recording' | 'document'>): string {
  if (item.kind === 'review') return paths.review(ws, item.recording);
  if (item.kind === 'adjudicate') return paths.compare(ws, item.recording);
  return paths.annotate(ws, item.recording, item.document === item.recording ? null : item.document);
}

/**
 * Goes on to what the queue says is next, from anywhere; to the queue itself when nothing is, or when it cannot be read
 * (it says why). Asks who one is first.
 */
export function useNextWork(ws: string | null): () => Promise<void> {
  const cache = useQueryClient();
  const [location, go] = useLocation();
  const person = usePersonId(ws);
  return async () => {
    if (ws === null) return;
    if (person === null) {
      askWho();
      return;
    }
    const items = await cache.fetchQuery({ ...queries.work(ws, person), staleTime: 0 }).catch(() => []);
    go(nextPlace(ws, items, location));
  };
}

/** The first piece of work, or the second when the first is the page one is on (it was put off); else the queue. */
export function nextPlace(ws: string, items: readonly WorkItem[], location: string): string {
  const here = items.find((item) => placeOfWork(ws, item).split('?')[0] !== location);
  return here ? placeOfWork(ws, here) : paths.work(ws);
}
