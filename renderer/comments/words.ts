import { stepIndex } from '../../core/annotate/subtasks.ts';
import type { DocumentView } from '../../core/annotate/view.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Thread } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import { clock } from '../workbench/frames/times.ts';

const PART: Readonly<Record<ReviewItem['kind'], string>> = {
  step: '',
  element: tr('element'),
  box: tr('box'),
  narration: tr('narration'),
  text: tr('text'),
  removal: tr('removal'),
  edge: tr('beginning'),
  title: tr('title'),
  goal: tr('goal'),
};

type Where = { opened: Pick<OpenedRecording, 'steps' | 'span'>; doc: Pick<DocumentView, 'subtasks'> };

/** `Step 3, box`, `Subtask 2, title`, `The goal`. */
export function itemWords(item: ReviewItem, { opened, doc }: Where): string {
  if (item.kind === 'goal') return tr('The goal');
  if ('subtask' in item) {
    const index = doc.subtasks.findIndex(({ record }) => record.first === item.subtask);
    return `${index < 0 ? tr('A subtask that is gone') : tr('Subtask {number}', { number: index + 1 })}, ${PART[item.kind]}`;
  }
  const step = tr('Step {number}', { number: (stepIndex(opened.steps).get(item.action) ?? -1) + 1 });
  return PART[item.kind] === '' ? step : `${step}, ${PART[item.kind]}`;
}

/** Where a comment is pinned: `Step 3 · at 120, 40 · 0:12.300`. */
export function pinWords({ pin, item }: Pick<Thread, 'pin' | 'item'>, where: Where): string {
  const { action, place, t, role } = pin;
  const parts: string[] = [];
  if (item) parts.push(itemWords(item, where));
  else if (action !== null) parts.push(itemWords({ kind: 'step', action }, where));
  if (place) {
    const at = { x: place[0], y: place[1] };
    parts.push(role === 'after' ? tr('at {x}, {y} after it', at) : tr('at {x}, {y}', at));
  }
  if (t !== null) parts.push(clock(t, where.opened.span.start));
  return parts.join(' · ') || tr('The whole recording');
}
