import type { ReviewItem } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import { REASONS, type Reason } from '../ui/reasons.ts';
import type { Actions } from '../workbench/actions.ts';
import { isFixed } from '../workbench/log/fixes.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkStore } from '../workbench/store.ts';
import { decidedIn, itemInHand } from './in-hand.ts';
import { type ItemPlace, needsDecision, placesOf } from './items.ts';
import { boxesOf, itemOfReason } from './reasons.ts';

const MISSING_BOX = REASONS.find(({ reason }) => reason === 'missing-box')!;

type Dependencies = {
  store: WorkStore;
  sync: ReviewSync;
  actions: Pick<Actions, 'settle' | 'say'>;
  /** True when the person may decide now; else `act` may be done a moment later. */
  mayDecide: (act: () => void) => boolean;
  goTo: (place: ItemPlace | undefined) => void;
  goToUndecided: () => void;
};

/** Decisions on single items: accepted, rejected for a reason, taken back. */
export function makeDeciding({ store, sync, actions, mayDecide, goTo, goToUndecided }: Dependencies) {
  const { getState: get, setState: set } = store;
  const { say } = actions;

  /** The version of the document that is decided on. */
  const version = (): number => Math.max(get().sync.pending.version, 1);

  function decide(item: ReviewItem, verdict: 'accept' | 'fixed' | null): void {
    sync.act({ type: 'decide', item, version: version(), verdict, reason: null, comment: '' });
  }

  /** Enter: accepts what is in hand with all that is said of it, and goes on to the next undecided. */
  function accept(): void {
    actions.settle();
    if (!mayDecide(accept)) return;
    const item = itemInHand(get());
    if (!item) return;
    const { handedIn, sync: annotation, aspect } = get();
    const fixed = isFixed(item, handedIn, annotation.pending.view);
    const now = decidedIn(get())(item);
    const again = needsDecision(now.state) || (now.state === 'rejected' && fixed);
    if (again) decide(item, fixed ? 'fixed' : 'accept');
    if (aspect !== null) {
      set({ aspect: null });
      return;
    }
    goToUndecided();
  }

  /** Opens the reasons; one of them rejects. Where there is only one, it is taken. */
  function askReason(): void {
    actions.settle();
    if (!mayDecide(askReason)) return;
    const { doc, at } = get();
    const item = itemInHand(get());
    const step = doc.steps[at];
    // A box that is not there has one fault.
    if (item?.kind === 'box' && step && boxesOf(step) === 'none') reject(MISSING_BOX, '');
    else if (item) set({ open: 'reject' });
  }

  function reject(reason: Reason, comment: string): void {
    set({ open: null });
    const whole = itemInHand(get());
    if (!whole || !mayDecide(() => reject(reason, comment))) return;
    const item = itemOfReason(whole, reason);
    const text = comment.trim();
    sync.act({ type: 'decide', item, version: version(), verdict: 'reject', reason: reason.reason, comment: text });
    set({ aspect: null });
    goToUndecided();
  }

  /** Takes back the decision on what is in hand; without one, the last that was made, and goes there. */
  function takeBack(): void {
    actions.settle();
    if (!mayDecide(takeBack)) return;
    const { review, person, opened, doc } = get();
    const item = itemInHand(get());
    const mine = (review?.view.decisions ?? []).filter((one) => one.person === person && isThisRound(one.round));
    const here = mine
      .filter((one) => item !== null && speaksOf(one.item, item))
      .sort(byTime)
      .at(-1);
    const last = here ?? mine.sort(byTime).at(-1);
    if (!last) {
      say(tr('There is no decision of yours to undo.'), 'info');
      return;
    }
    decide(last.item, null);
    if (here) return;
    const index = placesOf(doc).findIndex((place) => speaksOf(last.item, place.item));
    if (index >= 0) goTo(placesOf(doc)[index]);
    else say(tr('A decision on something that is gone was undone ({id}).', { id: opened.row.id }), 'info');
  }

  function isThisRound(round: number | undefined): boolean {
    return round === undefined || round === get().review?.view.round;
  }

  return { accept, askReason, reject, takeBack, version };
}

const byTime = (a: { at: string }, b: { at: string }): number => (a.at < b.at ? -1 : 1);

/** Whether a decision is on this item or on a part of it. */
function speaksOf(of: ReviewItem, item: ReviewItem): boolean {
  if ('action' in of && 'action' in item) {
    return of.action === item.action && (item.kind === 'step' || item.kind === of.kind || item.kind === 'removal');
  }
  if ('subtask' in of && 'subtask' in item) return of.kind === item.kind && of.subtask === item.subtask;
  return of.kind === 'goal' && item.kind === 'goal';
}
