import type { Records } from '../../core/annotate/document.ts';
import type { DocumentView, StepView } from '../../core/annotate/view.ts';
import { itemKey } from '../../core/review/items.ts';
import type { Decision, ReviewState } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { isFixed } from '../workbench/log/fixes.ts';
import type { Aspect, Stop } from '../workbench/store.ts';

/** The items that a reviewer goes through, in order: the goal, then each subtask's edge and title, then its steps. */
export type ItemPlace = {
  item: ReviewItem;
  /** The step whose picture is shown with it. */
  at: number;
  /** Null: the step itself. */
  stop: Stop | null;
};

/** The first subtask begins with the recording, so its edge is nobody's decision. A removed step is its removal. */
export function placesOf(doc: Pick<DocumentView, 'steps' | 'subtasks'>): ItemPlace[] {
  const places: ItemPlace[] = [{ item: { kind: 'goal' }, at: 0, stop: { kind: 'goal' } }];
  const begins = new Map(doc.subtasks.map((subtask, index) => [subtask.from, index]));
  doc.steps.forEach((step, at) => {
    const subtask = begins.get(at);
    if (subtask !== undefined) {
      const id = doc.subtasks[subtask]!.record.first;
      if (subtask > 0) places.push({ item: { kind: 'edge', subtask: id }, at, stop: { kind: 'edge', subtask } });
      places.push({ item: { kind: 'title', subtask: id }, at, stop: { kind: 'title', subtask } });
    }
    places.push({ item: itemOfStep(step), at, stop: null });
  });
  return places;
}

export function itemOfStep({ step, removal }: Pick<StepView, 'step' | 'removal'>): ReviewItem {
  return { kind: removal ? 'removal' : 'step', action: step.id };
}

/** The aspects of a step, to be looked at one by one. */
export function aspectsOf({ step, removal }: Pick<StepView, 'step' | 'removal'>): Aspect[] {
  if (removal) return ['removal'];
  const keyed = step.kind === 'type' || step.kind === 'press' || step.kind === 'wait';
  const pointed: Aspect[] = keyed && step.kind !== 'type' ? [] : ['element'];
  return [
    ...pointed,
    ...(keyed ? [] : (['box'] as const)),
    'narration',
    ...(step.kind === 'type' ? (['text'] as const) : []),
    'removal',
  ];
}

/**
 * - `undecided`: not looked at, or changed by the reviewer since.
 * - `again`: it was decided, but somebody else has changed it since, or it was rejected in an earlier round.
 */
export type ItemState = 'undecided' | 'again' | 'accepted' | 'fixed' | 'rejected';

export type Decided = { state: ItemState; decision: Decision | null };
/** The sources of a decision: decisions by item, the document as it was submitted and as it is now. */
export type Judged = {
  review: Pick<ReviewState, 'decisions' | 'round'>;
  handedIn: Records | null;
  now: Records;
};

const UNDECIDED: Decided = { state: 'undecided', decision: null };

/** Each item's state by its key; a step is rejected when anything said of it is. */
export function statesOf({ review, handedIn, now }: Judged): (item: ReviewItem) => Decided {
  const byKey = new Map(review.decisions.map((decision) => [itemKey(decision.item), decision]));
  const own = (item: ReviewItem): Decided => {
    const decision = byKey.get(itemKey(item));
    if (!decision) return UNDECIDED;
    return { state: stateOf(decision, review.round, isFixed(item, handedIn, now)), decision };
  };
  return (item) => {
    const whole = own(item);
    if (item.kind !== 'step') return whole;
    const { action } = item;
    // An item that was put right and then accepted with its step is not rejected any more.
    const putRight = (part: ReviewItem, at: string): boolean =>
      whole.decision !== null && whole.decision.at >= at && isFixed(part, handedIn, now);
    for (const kind of ['element', 'box', 'narration', 'text', 'removal'] as const) {
      const part = own({ kind, action });
      if (part.state === 'rejected' && !putRight({ kind, action }, part.decision?.at ?? '')) return part;
    }
    return whole;
  };
}

function stateOf(decision: Decision, round: number, fixed: boolean): ItemState {
  const earlier = decision.round !== undefined && decision.round < round;
  if (decision.stale) return 'again';
  if (decision.verdict === 'reject') return earlier ? 'again' : 'rejected';
  // A decision of an earlier round: the item stands as it did then, or the decision would be stale.
  if (!earlier && fixed !== (decision.verdict === 'fixed')) return 'undecided';
  return decision.verdict === 'fixed' ? 'fixed' : 'accepted';
}

export const needsDecision = (state: ItemState): boolean => state === 'undecided' || state === 'again';

/** How far the review is: places decided, and of these rejected. */
export type ReviewProgress = { total: number; decided: number; rejected: number };

export function reviewProgress(places: readonly ItemPlace[], decided: (item: ReviewItem) => Decided): ReviewProgress {
  const states = places.map(({ item }) => decided(item).state);
  return {
    total: places.length,
    decided: states.filter((state) => !needsDecision(state)).length,
    rejected: states.filter((state) => state === 'rejected').length,
  };
}

/** Where in `places` the page is: the stop when there is one, else the step in hand. */
export function placeNow(places: readonly ItemPlace[], at: number, stop: Stop | null): number {
  return places.findIndex((place) => place.at === at && sameStop(place.stop, stop));
}

function sameStop(a: Stop | null, b: Stop | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && ('subtask' in a ? a.subtask : -1) === ('subtask' in b ? b.subtask : -1);
}

/** The next place that wants a decision after `from` (then from the start); -1 when none does. */
export function nextUndecided(
  places: readonly ItemPlace[],
  decided: (item: ReviewItem) => Decided,
  from: number,
): number {
  for (let n = 1; n <= places.length; n++) {
    const at = (from + n) % places.length;
    if (needsDecision(decided(places[at]!.item).state)) return at;
  }
  return -1;
}
