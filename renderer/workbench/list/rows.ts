import type { StepView, SubtaskView } from '../../../core/annotate/view.ts';

/** The list as flat rows, so that it can be drawn in part: each subtask, then its steps unless it is folded. */
export type Row = { kind: 'subtask'; index: number } | { kind: 'step'; index: number } | { kind: 'goal'; index: 0 };

export function rowsOf(
  subtasks: readonly Pick<SubtaskView, 'from' | 'to' | 'record'>[],
  folded: ReadonlySet<string>,
  /** On the review page the goal is decided on too. */
  { goal = false } = {},
): Row[] {
  const rows: Row[] = goal ? [{ kind: 'goal', index: 0 }] : [];
  subtasks.forEach((subtask, index) => {
    rows.push({ kind: 'subtask', index });
    if (folded.has(subtask.record.id)) return;
    for (let step = subtask.from; step < subtask.to; step++) rows.push({ kind: 'step', index: step });
  });
  return rows;
}

/** The row of a step, or of its subtask when that is folded. */
export function rowOfStep(
  rows: readonly Row[],
  subtasks: readonly Pick<SubtaskView, 'from' | 'to'>[],
  step: number,
): number {
  const subtask = subtasks.findIndex((one) => step >= one.from && step < one.to);
  const head = rows.findIndex((row) => row.kind === 'subtask' && row.index === subtask);
  if (head === -1) return -1;
  const at = head + 1 + step - (subtasks[subtask]?.from ?? 0);
  const row = rows[at];
  return row?.kind === 'step' && row.index === step ? at : head;
}

/** The next step that wants work after `from` (then from the start); -1 when every one is done. */
export function nextOpen(steps: readonly Pick<StepView, 'state'>[], from: number): number {
  for (let n = 1; n <= steps.length; n++) {
    const at = (from + n) % steps.length;
    if (steps[at]!.state === 'open') return at;
  }
  return -1;
}

/** The first step of the next subtask (1) or of this one, or when there already, of the one before (-1). */
export function subtaskJump(
  subtasks: readonly Pick<SubtaskView, 'from' | 'to'>[],
  at: number,
  direction: 1 | -1,
): number {
  const now = subtasks.findIndex((one) => at >= one.from && at < one.to);
  if (now === -1) return at;
  if (direction === 1) return subtasks[now + 1]?.from ?? at;
  return at > subtasks[now]!.from ? subtasks[now]!.from : (subtasks[now - 1]?.from ?? at);
}
