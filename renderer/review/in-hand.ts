import type { ReviewItem } from '../../schemas/review.ts';
import type { WorkState } from '../workbench/store.ts';
import { type Decided, type ItemPlace, itemOfStep, needsDecision, placesOf, statesOf } from './items.ts';

/** What the reviewer has in hand, how it is decided, and where to go on, by the page's state. */

/** The item that a decision would speak of: an aspect, the step in hand, or the stop between steps. */
export function itemInHand({
  doc,
  at,
  stop,
  aspect,
}: Pick<WorkState, 'doc' | 'at' | 'stop' | 'aspect'>): ReviewItem | null {
  const step = doc.steps[at];
  if (stop?.kind === 'goal') return { kind: 'goal' };
  if (stop) {
    const subtask = doc.subtasks[stop.subtask];
    return subtask ? { kind: stop.kind, subtask: subtask.record.first } : null;
  }
  if (!step) return null;
  return aspect === null ? itemOfStep(step) : { kind: aspect, action: step.step.id };
}

export function decidedIn({
  review,
  handedIn,
  sync,
}: Pick<WorkState, 'review' | 'handedIn' | 'sync'>): (item: ReviewItem) => Decided {
  return statesOf({ review: review?.view ?? { decisions: [], round: 1 }, handedIn, now: sync.pending.view });
}

/** Where a reviewer goes on: the first undecided place from step `kept` on, else of the whole, else the first of all. */
export function placeToGoOn(state: WorkState, kept: number | null): ItemPlace | null {
  const places = placesOf(state.doc);
  const decided = decidedIn(state);
  const open = places.filter(({ item }) => needsDecision(decided(item).state));
  return open.find(({ at }) => at >= (kept ?? 0)) ?? open[0] ?? places[0] ?? null;
}
