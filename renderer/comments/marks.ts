import { tr } from '../language/tr.ts';
import type { WorkState } from '../workbench/store.ts';
import { numberedThreads } from './talk.ts';

/** The open comments of a step: how many, whether one is a rejection, and the same in words; '' when there is none. */
type OpenComments = { open: number; rejected: boolean; words: string };

export function openComments(state: Pick<WorkState, 'review' | 'opened' | 'doc'>): (at: number) => OpenComments {
  const steps = new Map<number, { open: number; rejected: boolean }>();
  for (const { thread, at } of numberedThreads(state)) {
    if (!thread.open) continue;
    const now = steps.get(at) ?? { open: 0, rejected: false };
    steps.set(at, { open: now.open + 1, rejected: now.rejected || thread.reason !== null });
  }
  return (at) => {
    const { open, rejected } = steps.get(at) ?? { open: 0, rejected: false };
    if (open === 0) return { open, rejected, words: '' };
    const count = rejected
      ? tr('{open, plural, one {# open comment} other {# open comments}}, rejected', { open })
      : tr('{open, plural, one {# open comment} other {# open comments}}', { open });
    return { open, rejected, words: count };
  };
}
