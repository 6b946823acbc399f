import { useMemo } from 'react';
import { openComments } from '../comments/marks.ts';
import { tr } from '../language/tr.ts';
import { NO_MARK, type RowMark, type RowMarks } from '../workbench/list/marks.ts';
import { useWork, type WorkState } from '../workbench/store.ts';
import { decidedIn } from './in-hand.ts';
import { type ItemState, itemOfStep, needsDecision } from './items.ts';
import { judgementOf } from './judging.ts';
import { ITEM_STATE_WORDS, kindOfErrorWords } from './words.ts';

type Marked = Pick<WorkState, 'judging' | 'review' | 'handedIn' | 'sync' | 'doc' | 'opened' | 'person'>;

/** Marks of a reviewer's list: what is decided, or while one judges, how each step was judged. */
export function marksOf(state: Marked): RowMarks {
  const { doc, judging } = state;
  if (judging) return { goal: () => NO_MARK, subtask: () => null, step: judgedStep(state) };
  const comments = openComments(state);
  const decided = decidedIn(state);
  const mark = (dot: ItemState): RowMark => ({ ...NO_MARK, dot, words: ITEM_STATE_WORDS[dot] });
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
      const removed = step.removal && needsDecision(dot) ? tr('removed') : '';
      const { words, open, rejected } = comments(at);
      return {
        dot,
        words: [removed, ITEM_STATE_WORDS[dot], words].filter((one) => one !== '').join(', '),
        open,
        rejected,
      };
    },
  };
}

function judgedStep(state: Marked): (at: number) => RowMark {
  return (at) => {
    const judgement = judgementOf(state, at);
    if (!judgement) return { ...NO_MARK, words: tr('not judged') };
    const { grounded, error } = judgement;
    if (error) {
      return error.recoverable
        ? { ...NO_MARK, dot: 'recovered', words: `${kindOfErrorWords(error.kind)}, ${tr('recoverable')}` }
        : { ...NO_MARK, dot: 'error', words: kindOfErrorWords(error.kind) };
    }
    return grounded === false
      ? { ...NO_MARK, dot: 'error', words: tr('not grounded') }
      : { ...NO_MARK, dot: 'grounded', words: tr('grounded') };
  };
}

export function useReviewMarks(): RowMarks {
  const judging = useWork((state) => state.judging);
  const review = useWork((state) => state.review);
  const handedIn = useWork((state) => state.handedIn);
  const sync = useWork((state) => state.sync);
  const doc = useWork((state) => state.doc);
  const opened = useWork((state) => state.opened);
  const person = useWork((state) => state.person);
  return useMemo(
    () => marksOf({ judging, review, handedIn, sync, doc, opened, person }),
    [judging, review, handedIn, sync, doc, opened, person],
  );
}
