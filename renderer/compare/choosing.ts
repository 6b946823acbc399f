import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { WorkStore } from '../workbench/store.ts';
import { isUnsettled } from './standing.ts';
import { type CompareStore, type ComparisonRow, comparisonRows, nextUnsettled, shownRows } from './store.ts';

type Dependencies = { work: WorkStore; compare: CompareStore; actions: Pick<Actions, 'go' | 'settle' | 'say'> };

/** Which difference is in hand, and going from one to another. */
export function makeChoosing({ work, compare, actions }: Dependencies) {
  const rows = (): ComparisonRow[] => {
    const { sync, opened, review } = work.getState();
    const { comparison, sides, written } = compare.getState();
    const settled = review?.view.settled ?? [];
    return comparisonRows({ comparison, sides, written, records: sync.pending.view, steps: opened.steps, settled });
  };

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

  return {
    rows,
    rowNow: () => rows().find((row) => row.difference.id === compare.getState().selected),
    select,
    by,
    end: (which: 'first' | 'last') => moveTo(which === 'first' ? 0 : Number.POSITIVE_INFINITY),
    next,
  };
}
