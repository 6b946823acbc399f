import { applyChanges, difference as changesBetween, invert, type Records } from '../../core/annotate/document.ts';
import { takeSide } from '../../core/review/compare.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import { MAIN_DOCUMENT, takenLabel, undoneLabel } from '../workbench/labels.ts';
import type { WorkStore } from '../workbench/store.ts';
import type { makeChoosing } from './choosing.ts';
import { type ComparedSide, keptKind, letterOf } from './sides.ts';
import { hasSay } from './standing.ts';
import { adjudicates, type CompareStore, type ComparisonRow } from './store.ts';

type Dependencies = {
  work: WorkStore;
  compare: CompareStore;
  actions: Pick<Actions, 'settle' | 'say' | 'gesture'>;
  choosing: Pick<ReturnType<typeof makeChoosing>, 'rows' | 'rowNow' | 'select' | 'next'>;
  /** Tells the log; a refusal is shown. */
  tell: (act: ReviewAct) => void;
  nameOf: (side: ComparedSide) => string;
};

/** Settling the difference in hand, by a side's value or another one, and taking that back. */
export function makeSettling({ work, compare, actions, choosing, tell, nameOf }: Dependencies) {
  const { rows, rowNow, select, next } = choosing;
  /** Settled here, the last at the end: what undo takes back. */
  const done: string[] = [];

  const recordsNow = (): Records => work.getState().sync.pending.view;

  /** True when one may settle; says otherwise what is missing. */
  function maySettle(): boolean {
    const state = work.getState();
    if (adjudicates(state)) return true;
    const may = state.review?.view.may;
    actions.say(
      may?.claim === null
        ? tr('Start adjudication first (C).')
        : (may?.settle ?? tr('Choose your name first (Alt+P).')),
      'info',
    );
    return false;
  }

  function take(place: number): void {
    const row = rowNow();
    const side = compare.getState().sides[place];
    if (!row || !side || !maySettle()) return;
    const { difference } = row;
    if (!hasSay(difference, side)) {
      actions.say(tr('{place} has removed this step and says nothing of it.', { place: letterOf(place) }), 'info');
      return;
    }
    actions.settle();
    const name = side.person === null ? MAIN_DOCUMENT : nameOf(side);
    const label = takenLabel(letterOf(place), name, keptKind(difference));
    const { opened } = work.getState();
    actions.gesture(label, () => takeSide(recordsNow(), opened.steps, difference, side.document));
    settled(difference, side.document);
  }

  function settled(difference: Difference, side: string | null): void {
    const transaction = compare.getState().written.get(difference.id)?.at(-1)?.id ?? null;
    tell({ type: 'settle', difference: difference.id, side, transaction });
    done.push(difference.id);
    next();
  }

  /** With the value as it is: a side's, when it says the same, else a third one. */
  function settle(): void {
    actions.settle();
    const row = rowNow();
    if (!row || !maySettle()) return;
    const { state, matches } = row.standing;
    if (state === 'settled') next();
    else if (state === 'open') {
      actions.say(
        tr('Nothing was written for this difference. Take a side by its digit, or write a value first.'),
        'info',
      );
    } else settled(row.difference, matches[0] ?? null);
  }

  function takeBack(): void {
    actions.settle();
    const row = rowNow();
    if (!row || !maySettle()) return;
    takeBackOf(row);
  }

  function takeBackOf({ difference, standing }: ComparisonRow): void {
    if (standing.state === 'open') {
      actions.say(tr('This difference is open: there is nothing to undo.'), 'info');
      return;
    }
    const writes = compare.getState().written.get(difference.id) ?? [];
    actions.gesture(undoneLabel(keptKind(difference)), () =>
      changesBetween(recordsNow(), without(recordsNow(), writes)),
    );
    // Nothing was to be written for a side that said what stood there.
    compare.setState(({ written }) => ({ written: new Map([...written].filter(([id]) => id !== difference.id)) }));
    if (standing.state !== 'written') {
      tell({ type: 'settle', difference: difference.id, side: null, transaction: null, back: true });
    }
  }

  function undo(): void {
    actions.settle();
    if (!maySettle()) return;
    const all = rows();
    const here = all.find(({ difference }) => difference.id === compare.getState().selected);
    if (here?.standing.state === 'written') {
      takeBackOf(here);
      return;
    }
    for (let id = done.pop(); id !== undefined; id = done.pop()) {
      const row = all.find(({ difference }) => difference.id === id);
      if (!row || row.standing.state === 'open') continue;
      select(row.difference.id);
      takeBackOf(row);
      return;
    }
    actions.say(
      tr('Nothing was settled since this page was opened. Choose a difference and undo its decision (Backspace).'),
      'info',
    );
  }

  return { take, settle, takeBack, undo };
}

/** The records as they would stand without these transactions; one that no longer can be taken out stays. */
function without(records: Records, writes: readonly { changes: Parameters<typeof invert>[0] }[]): Records {
  return writes.toReversed().reduce((now, { changes }) => {
    try {
      return applyChanges(now, invert(changes));
    } catch {
      return now;
    }
  }, records);
}
