import { useMemo } from 'react';
import { type Page, useWork, type WorkState } from '../annotate/store.ts';
import { decidedIn } from './actions.ts';
import { type ItemState, itemOfStep, needsDecision } from './items.ts';
import { judgementOf } from './judging.ts';
import { numberedThreads } from './talk.ts';
import { ITEM_STATE_WORDS } from './words.ts';

/** How a row of the list is marked: its dot, the same in words, open comments and whether one of them is a rejection. */
export type RowMark = { dot: string; words: string; open: number; rejected: boolean };

type RowMarks = {
  goal: () => RowMark;
  /** Null where subtasks are not decided on. */
  subtask: (index: number) => RowMark | null;
  step: (index: number) => RowMark;
};

export const STATE_WORDS = { open: 'open', done: 'done', flagged: 'flagged', removed: 'removed' } as const;

type Marked = Pick<WorkState, 'page' | 'judging' | 'review' | 'handedIn' | 'sync' | 'doc' | 'opened' | 'person'>;

export function marksOf(state: Marked): RowMarks {
  const { doc, judging } = state;
  const threads = new Map<number, { open: number; rejected: boolean }>();
  for (const { thread, at } of numberedThreads(state)) {
    if (!thread.open) continue;
    const now = threads.get(at) ?? { open: 0, rejected: false };
    threads.set(at, { open: now.open + 1, rejected: now.rejected || thread.reason !== null });
  }
  const none = { open: 0, rejected: false };
  const said = (at: number): string => {
    const { open, rejected } = threads.get(at) ?? none;
    if (open === 0) return '';
    return `, ${open === 1 ? '1 open comment' : `${open} open comments`}${rejected ? ', rejected' : ''}`;
  };
  if (pageOf(state) === 'annotate') {
    const step = (at: number): RowMark => {
      const dot = doc.steps[at]?.state ?? 'open';
      return { dot, words: `${STATE_WORDS[dot]}${said(at)}`, ...(threads.get(at) ?? none) };
    };
    return { goal: () => ({ dot: 'open', words: '', ...none }), subtask: () => null, step };
  }
  if (judging)
    return { goal: () => ({ dot: 'open', words: '', ...none }), subtask: () => null, step: judgedStep(state) };
  const decided = decidedIn(state);
  const mark = (dot: ItemState): RowMark => ({ dot, words: ITEM_STATE_WORDS[dot], ...none });
  return {
    goal: () => mark(decided({ kind: 'goal' }).state),
    subtask(index) {
      const first = doc.subtasks[index]?.record.first;
      if (first === undefined) return null;
      const title = decided({ kind: 'title', subtask: first }).state;
      const edge = index === 0 ? title : decided({ kind: 'edge', subtask: first }).state;
      return mark([title, edge].find((one) => one === 'rejected') ?? [title, edge].find(needsDecision) ?? edge);
    },
    step(at) {
      const step = doc.steps[at]!;
      const { state: dot } = decided(itemOfStep(step));
      const removed = step.removal && needsDecision(dot) ? 'removed, ' : '';
      return { dot, words: `${removed}${ITEM_STATE_WORDS[dot]}${said(at)}`, ...(threads.get(at) ?? none) };
    },
  };
}

const pageOf = ({ page, review }: Marked): Page => (review === null ? 'annotate' : page);

function judgedStep(state: Marked): (at: number) => RowMark {
  return (at) => {
    const judgement = judgementOf(state, at);
    const none = { open: 0, rejected: false };
    if (!judgement) return { dot: 'open', words: 'not judged', ...none };
    const { grounded, error } = judgement;
    if (error) {
      return error.recoverable
        ? { dot: 'recovered', words: `${error.kind} error, recoverable`, ...none }
        : { dot: 'error', words: `${error.kind} error`, ...none };
    }
    return grounded === false
      ? { dot: 'error', words: 'not grounded', ...none }
      : { dot: 'grounded', words: 'grounded', ...none };
  };
}

export function useRowMarks(): RowMarks {
  const page = useWork((state) => state.page);
  const judging = useWork((state) => state.judging);
  const review = useWork((state) => state.review);
  const handedIn = useWork((state) => state.handedIn);
  const sync = useWork((state) => state.sync);
  const doc = useWork((state) => state.doc);
  const opened = useWork((state) => state.opened);
  const person = useWork((state) => state.person);
  return useMemo(
    () => marksOf({ page, judging, review, handedIn, sync, doc, opened, person }),
    [page, judging, review, handedIn, sync, doc, opened, person],
  );
}
