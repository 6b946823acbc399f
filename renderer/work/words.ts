import type { WorkItem } from '../../schemas/api/review-models.ts';
import { plural } from '../ui/format.ts';

/** A piece of work in words: what is to be done, and why it is given. */
export const WORK_NAMES: Readonly<Record<WorkItem['kind'], string>> = {
  repair: 'Repair',
  adjudicate: 'Adjudicate',
  review: 'Review',
  annotate: 'Annotate',
};

export function whyGiven(
  item: Pick<WorkItem, 'kind' | 'mine' | 'open' | 'document' | 'recording' | 'steps' | 'done'>,
): string {
  const { kind, mine, open, steps, done } = item;
  switch (kind) {
    case 'repair':
      return open > 0
        ? `It was sent back with ${plural(open, 'open comment')} for you to answer or put right.`
        : 'It was sent back to you. Put it right and hand it in again.';
    case 'adjudicate':
      return mine
        ? 'You have taken it up. Settle what is left between the replicas.'
        : 'Everybody who annotated it blind has handed in. Somebody who did not decides where they differ.';
    case 'review':
      return mine
        ? 'You have taken it up. Decide what is left.'
        : 'It was handed in by somebody else and waits for a review.';
    case 'annotate': {
      if (!mine) return 'It waits to be annotated.';
      const left = steps !== null && done !== null ? steps - done : null;
      if (left === null) return 'You have begun it.';
      return left === 0
        ? 'Every step is done. Hand it in.'
        : `You have begun it; ${plural(left, 'step is', 'steps are')} left.`;
    }
  }
}
