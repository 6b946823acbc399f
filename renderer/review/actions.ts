import type { ReviewItem } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import type { Reason } from '../ui/reasons.ts';
import type { Actions } from '../workbench/actions.ts';
import { isFixed } from '../workbench/log/fixes.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { Aspect, WorkState, WorkStore } from '../workbench/store.ts';
import {
  aspectsOf,
  type Decided,
  type ItemPlace,
  itemOfStep,
  needsDecision,
  nextUndecided,
  placeNow,
  placesOf,
  statesOf,
} from './items.ts';
import { itemOfReason } from './reasons.ts';

/** A reviewer's acts, each done at once: it shows when its key is pressed and is sent by itself. */
export type Reviewing = ReturnType<typeof makeReviewing>;

type Dependencies = { store: WorkStore; sync: ReviewSync; actions: Actions };

export function makeReviewing({ store, sync, actions }: Dependencies) {
  const { getState: get, setState: set } = store;
  const { say } = actions;

  const places = (): ItemPlace[] => placesOf(get().doc);
  const decided = (): ((item: ReviewItem) => Decided) => decidedIn(get());

  function goTo(place: ItemPlace | undefined): void {
    if (!place) return;
    actions.go(place.at);
    set({ stop: place.stop, aspect: null });
  }

  function goBy(by: number): void {
    const all = places();
    const { at, stop } = get();
    const to = Math.min(Math.max(placeNow(all, at, stop) + by, 0), all.length - 1);
    goTo(all[to]);
  }

  function goToUndecided(): void {
    const all = places();
    const { at, stop } = get();
    const to = nextUndecided(all, decided(), placeNow(all, at, stop));
    if (to >= 0) goTo(all[to]);
    else say(tr('Everything is decided. Give the verdict on the whole recording (Shift+V).'), 'info');
  }

  /** The item that a decision speaks of now: one aspect of the step, the step, or the stop. */
  function itemNow(): ReviewItem | null {
    return itemInHand(get());
  }

  /** While the recording is being taken up: what was in hand then, and what was asked for meanwhile. */
  let claiming: { item: string; waiting: (() => void)[] } | null = null;
  const inHand = (): string => JSON.stringify(itemNow());

  /**
   * True when the person may decide; takes the recording up for review first when that is all that is missing. What is asked
   * for (`act`) while it is being taken up is done after it, in the same order.
   */
  function mayDecide(act: () => void): boolean {
    const { review, person } = get();
    if (claiming) {
      claiming.waiting.push(act);
      return false;
    }
    if (!review) {
      say(tr('Choose your name first (Alt+P).'), 'info');
      return false;
    }
    if (holdsClaim(review.view, person)) {
      if (review.view.may.decide === null) return true;
      say(review.view.may.decide, 'info');
      return false;
    }
    if (review.view.may.claim === null) void claim();
    else say(review.view.may.claim, 'info');
    return false;
  }

  async function claim(): Promise<void> {
    if (claiming) return;
    const mine = { item: inHand(), waiting: [] as (() => void)[] };
    claiming = mine;
    try {
      await sync.ask({ type: 'claim' });
      // Opened before it was handed in: from here on nobody but the reviewer changes it.
      if (get().handedIn === null) set({ handedIn: get().sync.pending.server });
    } catch (error) {
      mine.waiting.length = 0;
      say(error instanceof Error ? error.message : String(error));
    } finally {
      claiming = null;
    }
    // Who has moved on meanwhile meant another item.
    if (mine.item === inHand()) for (const act of mine.waiting) act();
  }

  function decide(item: ReviewItem, verdict: 'accept' | 'fixed' | null): void {
    sync.act({ type: 'decide', item, version: versionNow(), verdict, reason: null, comment: '' });
  }

  const versionNow = (): number => Math.max(get().sync.pending.version, 1);

  /** Enter: accepts what is in hand with all that is said of it, and goes on to the next undecided. */
  function accept(): void {
    actions.settle();
    if (!mayDecide(accept)) return;
    const item = itemNow();
    if (!item) return;
    const { handedIn, sync: annotation, aspect } = get();
    const fixed = isFixed(item, handedIn, annotation.pending.view);
    const now = decided()(item);
    const again = needsDecision(now.state) || (now.state === 'rejected' && fixed);
    if (again) decide(item, fixed ? 'fixed' : 'accept');
    if (aspect !== null) {
      set({ aspect: null });
      return;
    }
    goToUndecided();
  }

  /** Opens the reasons; one of them rejects. */
  function askReason(): void {
    actions.settle();
    if (mayDecide(askReason) && itemNow()) set({ open: 'reject' });
  }

  function reject(reason: Reason, comment: string): void {
    set({ open: null });
    const whole = itemNow();
    if (!whole || !mayDecide(() => reject(reason, comment))) return;
    const item = itemOfReason(whole, reason);
    const text = comment.trim();
    sync.act({ type: 'decide', item, version: versionNow(), verdict: 'reject', reason: reason.reason, comment: text });
    set({ aspect: null });
    goToUndecided();
  }

  /** Takes back the decision on what is in hand; without one, the last that was made, and goes there. */
  function takeBack(): void {
    actions.settle();
    if (!mayDecide(takeBack)) return;
    const { review, person, opened, doc } = get();
    const item = itemNow();
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

  function lookAt(aspect: Aspect): void {
    const { doc, at, stop, aspect: now } = get();
    const step = doc.steps[at];
    if (!step || !aspectsOf(step).includes(aspect)) {
      say(
        tr(
          'This step has no {aspect, select, element {element} box {box} narration {narration} text {text} other {removal}} to look at.',
          { aspect },
        ),
        'info',
      );
      return;
    }
    set({ aspect: stop === null && now === aspect ? null : aspect, stop: null });
  }

  function lookAtSubtask(kind: 'edge' | 'title'): void {
    const { doc, at } = get();
    const subtask = doc.steps[at]?.subtask ?? -1;
    const found = places().find(({ stop }) => stop?.kind === kind && stop.subtask === subtask);
    if (found) goTo(found);
    else say(tr('The first subtask begins with the recording: there is no edge to decide on.'), 'info');
  }

  function release(): void {
    actions.settle();
    set({ open: null });
    void sync.ask({ type: 'release' }).then(
      () => say(tr('Released without a verdict. What you decided stays.'), 'info'),
      (error: Error) => say(error.message),
    );
  }

  return {
    goBy,
    goTo,
    goToEnd: (end: 'first' | 'last') => goTo(end === 'first' ? places()[0] : places().at(-1)),
    goToUndecided,
    accept,
    askReason,
    reject,
    takeBack,
    lookAt,
    lookAtSubtask,
    claim,
    release,
    toggleVerdict: () => set(({ open }) => ({ open: open === 'verdict' ? null : 'verdict' })),
    ask: sync.ask,
    version: versionNow,
  };
}

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

export function decidedIn({ review, handedIn, sync }: Pick<WorkState, 'review' | 'handedIn' | 'sync'>) {
  return statesOf({ review: review?.view ?? { decisions: [], round: 1 }, handedIn, now: sync.pending.view });
}

/** Where a reviewer goes on: the first undecided place from step `from` on, else of the whole, else the first of all. */
export function placeToGoOn(state: WorkState, from: number): ItemPlace | null {
  const places = placesOf(state.doc);
  const decided = decidedIn(state);
  const open = places.filter(({ item }) => needsDecision(decided(item).state));
  return open.find(({ at }) => at >= from) ?? open[0] ?? places[0] ?? null;
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
