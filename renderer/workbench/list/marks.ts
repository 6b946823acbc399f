import { tr } from '../../language/tr.ts';

/** How a row of the list is marked: its dot, the same in words, open comments and whether one of them is a rejection. */
export type RowMark = { dot: string; words: string; open: number; rejected: boolean };

/** The marks that a page gives to the list, by the rows' places. */
export type RowMarks = {
  goal: () => RowMark;
  /** Null where subtasks are not decided on. */
  subtask: (index: number) => RowMark | null;
  step: (index: number) => RowMark;
};

export const STATE_WORDS = {
  open: tr('open'),
  done: tr('done'),
  flagged: tr('flagged'),
  removed: tr('removed'),
} as const;

export const NO_MARK: RowMark = { dot: 'open', words: '', open: 0, rejected: false };
