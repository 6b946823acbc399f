import { applyChanges, difference as changesBetween, invert, type Records } from '../../core/annotate/document.ts';
import { takeSide } from '../../core/review/compare.ts';
import type { Difference } from '../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkStore } from '../workbench/store.ts';
import { type ComparedSide, documentKind, letterOf } from './sides.ts';
import { hasSay, isUnsettled, TAKE_BACK, type WrittenValue, withTransaction } from './standing.ts';
import {
  adjudicates,
  type CompareActions,
  type CompareState,
  type CompareStore,
  type ComparisonRow,
  comparisonRows,
  nextUnsettled,
  shownRows,
} from './store.ts';

type Dependencies = {
  work: WorkStore;
  compare: CompareStore;
  actions: Actions;
  ask: ReviewSync['ask'];
  nameOf: (side: ComparedSide) => string;
};

/**
 * An adjudicator's acts. Settling writes the value as one transaction of the main document and then tells the log; both
 * wait in this tab's storage and go out again under the same ids, so that neither is lost nor done twice.
 */
export function makeComparing({ work, compare, actions, ask, nameOf }: Dependencies): CompareActions {
  /** Settled here, the last at the end: what undo takes back. */
  const done: string[] = [];

  const rows = (): ComparisonRow[] => {
    const { sync, opened, review } = work.getState();
    const { comparison, sides, written } = compare.getState();
    const settled = review?.view.settled ?? [];
    return comparisonRows({ comparison, sides, written, records: sync.pending.view, steps: opened.steps, settled });
  };
  const rowNow = (): ComparisonRow | undefined =>
    rows().find((row) => row.difference.id === compare.getState().selected);

  function select(id: string): void {
    const { difference } = rows().find((row) => row.difference.id === id) ?? {};
    if (!difference) return;
    if (difference.index !== null) actions.go(difference.index);
    else actions.settle();
    const after = difference.kind === 'keyframe' && difference.id.endsWith(':after');
    work.setState({ side: after ? 'after' : 'before', looking: null });
    compare.setState({ selected: id });
  }

  function moveTo(place: number): void {
    const all = shownRows(rows(), compare.getState());
    const row = all[Math.min(Math.max(place, 0), all.length - 1)];
    if (row) select(row.difference.id);
  }

  function by(n: number): void {
    const { selected } = compare.getState();
    const at = shownRows(rows(), compare.getState()).findIndex(({ difference }) => difference.id === selected);
    moveTo(at + n);
  }

  function next(): void {
    const { kind, selected } = compare.getState();
    const all = rows();
    const found = nextUnsettled(
      all.filter(({ difference }) => kind === null || difference.kind === kind || difference.id === selected),
      selected,
    );
    if (found) {
      select(found.difference.id);
      return;
    }
    const left = all.filter(({ standing }) => isUnsettled(standing)).length;
    const words =
      left === 0
        ? tr('Everything is settled. Approve what was adjudicated (Shift+V).')
        : kind === null
          ? tr('Only this difference is not settled.')
          : tr('No other of this kind is left. {left} of other kinds are: show all (F).', { left });
    actions.say(words, 'info');
  }

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

  function tell(act: ReviewAct): void {
    ask(act).catch((error: Error) => actions.say(error.message));
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
    const label = tr('Take {place} ({side}): {difference}', {
      place: letterOf(place),
      side: nameOf(side),
      difference: documentKind(difference),
    }).slice(0, 200);
    const { opened } = work.getState();
    actions.gesture(label, () => takeSide(recordsNow(), opened.steps, difference, side.document));
    settled(difference, side.document);
  }

  const recordsNow = (): Records => work.getState().sync.pending.view;

  function settled(difference: Difference, side: string | null): void {
    const transaction = compare.getState().written.get(difference.id)?.at(-1)?.id ?? null;
    tell({ type: 'settle', difference: difference.id, side, transaction });
    done.push(difference.id);
    next();
  }

  /** With the value as it stands: a side's, when it says the same, else a third one. */
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
    actions.gesture(`${TAKE_BACK}: ${documentKind(difference)}`, () =>
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

  return {
    rows,
    select,
    by,
    end: (which) => moveTo(which === 'first' ? 0 : Number.POSITIVE_INFINITY),
    next,
    take,
    settle,
    takeBack,
    undo,
    claim() {
      const may = work.getState().review?.view.may.claim;
      if (may === null) tell({ type: 'claim' });
      else actions.say(may ?? tr('Choose your name first (Alt+P).'), 'info');
    },
    release: () => tell({ type: 'release' }),
    async approve() {
      actions.settle();
      const { pending } = work.getState().sync;
      const version = Math.max(pending.version, 1);
      await ask({ type: 'verdict', verdict: 'approve', version, reasons: [], comment: '' });
    },
    ask: (asking: CompareState['asking']) => compare.setState({ asking }),
  };
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

/**
 * Follows the main document: gestures of this page as they are made, also those of fields and of the picture, and those that
 * were waiting when it was opened. Gives the way to stop.
 */
export function followWrites(work: WorkStore, compare: CompareStore): () => void {
  const seen = new Set<string>();
  function follow(): void {
    const { sync, opened } = work.getState();
    const { comparison } = compare.getState();
    let written: WrittenValue = compare.getState().written;
    for (const item of sync.pending.queue) {
      if (item.kind !== 'tx' || seen.has(item.tx.id)) continue;
      seen.add(item.tx.id);
      written = withTransaction(written, opened.steps, comparison.differences, item.tx);
    }
    if (written !== compare.getState().written) compare.setState({ written });
  }
  follow();
  return work.subscribe(follow);
}
