import type { WorkItem } from '../../schemas/api/review-models.ts';
import { tr } from '../language/tr.ts';

/** A piece of work in words: what is to be done, and why it is given. */
export const WORK_NAMES: Readonly<Record<WorkItem['kind'], string>> = {
  repair: tr('Repair'),
  answer: tr('Answer'),
  adjudicate: tr('Adjudicate'),
  review: tr('Review'),
  annotate: tr('Annotate'),
};

export function whyGiven(
  item: Pick<
    WorkItem,
    'kind' | 'mine' | 'open' | 'asked' | 'document' | 'recording' | 'steps' | 'done' | 'assigned' | 'others'
  >,
  name: (person: string) => string = (person) => person,
): string {
  const others = item.others ?? [];
  if (others.length > 0 && !item.mine) {
    return tr('Assigned to {names}; you may still take it.', { names: others.map(name).join(', ') });
  }
  if (item.assigned && !item.mine && (item.kind === 'annotate' || item.kind === 'review')) {
    return item.kind === 'annotate'
      ? tr('Assigned to you, waiting to be annotated.')
      : tr('Assigned to you, submitted by someone else.');
  }
  const { kind, mine, open, asked, steps, done } = item;
  switch (kind) {
    case 'repair':
      return open > 0
        ? tr('Changes were requested: {open, plural, one {# open comment} other {# open comments}} to fix or answer.', {
            open,
          })
        : tr('Changes were requested. Fix or answer them, then resubmit.');
    case 'answer':
      return tr(
        '{asked, plural, one {A comment mentions you and waits} other {# comments mention you and wait}} for an answer.',
        {
          asked,
        },
      );
    case 'adjudicate':
      return mine
        ? tr('You have started it. Settle what is left between the replicas.')
        : tr('Everybody who annotated it blind has submitted. Somebody who did not decides where they differ.');
    case 'review':
      return mine
        ? tr('You have started it. Decide what is left.')
        : tr('Submitted by someone else and waiting for review.');
    case 'annotate': {
      if (!mine) return tr('Waiting to be annotated.');
      const left = steps !== null && done !== null ? steps - done : null;
      if (left === null) return tr('You have started it.');
      return left === 0
        ? tr('Every step is done. Submit it.')
        : tr('You have started it; {left, plural, one {# step is} other {# steps are}} left.', { left });
    }
  }
}
