import { useMemo } from 'react';
import { openComments } from '../comments/marks.ts';
import { NO_MARK, type RowMarks, STATE_WORDS } from '../workbench/list/marks.ts';
import { useWork } from '../workbench/store.ts';

/** Marks of an annotator's list: how far each step is, and the open comments on it. */
export function useStepMarks(): RowMarks {
  const review = useWork((state) => state.review);
  const doc = useWork((state) => state.doc);
  const opened = useWork((state) => state.opened);
  return useMemo(() => {
    const comments = openComments({ review, doc, opened });
    return {
      goal: () => NO_MARK,
      subtask: () => null,
      step(at) {
        const dot = doc.steps[at]?.state ?? 'open';
        const { words, open, rejected } = comments(at);
        return { dot, words: words === '' ? STATE_WORDS[dot] : `${STATE_WORDS[dot]}, ${words}`, open, rejected };
      },
    };
  }, [review, doc, opened]);
}
