import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { Records } from '../../core/annotate/document.ts';
import { boxId, GOAL_ID, keyframeId, labelId, reasoningId, removalId } from '../../core/annotate/ids.ts';
import type { Comparison, Difference } from '../../schemas/api/review-models.ts';
import { useWork, type WorkState } from '../workbench/store.ts';
import type { ComparedSide } from './sides.ts';
import { isUnsettled, type Standing, standingOf, type WrittenValue } from './standing.ts';

/** The state of the page of comparing, beside the open main document (annotate/store.ts). */
export type CompareState = {
  comparison: Comparison;
  sides: readonly ComparedSide[];
  /** By transactions of the main document since its adjudication began. */
  written: WrittenValue;
  /** The difference in hand, by its id: it stays when the list is filtered. */
  selected: string | null;
  kind: Difference['kind'] | null;
  onlyOpen: boolean;
  figures: boolean;
  asking: 'approve' | 'release' | null;
};
export type CompareStore = StoreApi<CompareState>;

const FIGURES = 'compare:figures';

export function createCompareStore(given: Pick<CompareState, 'comparison' | 'sides' | 'written'>): CompareStore {
  return createStore<CompareState>(() => ({
    ...given,
    selected: null,
    kind: null,
    onlyOpen: false,
    figures: localStorage.getItem(FIGURES) !== 'hidden',
    asking: null,
  }));
}

/** Shows the agreement or makes room for the picture; kept for the next time. */
export function toggleFigures(store: CompareStore): void {
  const figures = !store.getState().figures;
  store.setState({ figures });
  try {
    localStorage.setItem(FIGURES, figures ? 'shown' : 'hidden');
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

/** A difference and where it stands. `number`: its place among all, from 1. */
export type ComparisonRow = { difference: Difference; standing: Standing; number: number };

type Now = Pick<CompareState, 'comparison' | 'sides' | 'written'> & {
  records: Records;
  steps: WorkState['opened']['steps'];
  settled: readonly { difference: string; side: string | null }[];
};

export function comparisonRows({ comparison, sides, written, records, steps, settled }: Now): ComparisonRow[] {
  const subtasks = new Map([...records].filter(([, record]) => record.kind === 'subtask'));
  return comparison.differences.map((difference, place) => {
    const some = recordsOf(records, subtasks, difference);
    const now = { records: some, steps, sources: sides, settled, written };
    return { difference, standing: standingOf(difference, now), number: place + 1 };
  });
}

/** Those records of the document that a difference may be about: comparing a thousand differences copies none of the rest. */
function recordsOf(records: Records, subtasks: Records, { kind, action }: Difference): Records {
  if (kind === 'subtask' || kind === 'title') return subtasks;
  const ids =
    action === null
      ? [GOAL_ID]
      : [
          labelId(action),
          removalId(action),
          reasoningId(action),
          ...(['target', 'end'] as const).map((role) => boxId(action, role)),
          ...(['before', 'after'] as const).map((role) => keyframeId(action, role)),
        ];
  return new Map(
    ids.flatMap((id) => {
      const record = records.get(id);
      return record ? [[id, record] as const] : [];
    }),
  );
}

/** The differences that the list shows. The one in hand stays in it until one goes on, also when it no longer fits. */
export function shownRows(
  rows: readonly ComparisonRow[],
  state: Pick<CompareState, 'kind' | 'onlyOpen' | 'selected'>,
): ComparisonRow[] {
  return rows.filter(
    ({ difference, standing }) =>
      difference.id === state.selected ||
      ((state.kind === null || difference.kind === state.kind) && (!state.onlyOpen || isUnsettled(standing))),
  );
}

/** The next row after `from` that is not settled, around the end; null when none is but perhaps this one. */
export function nextUnsettled(rows: readonly ComparisonRow[], from: string | null): ComparisonRow | null {
  const at = rows.findIndex(({ difference }) => difference.id === from);
  const ahead = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return ahead.find(({ standing }) => isUnsettled(standing)) ?? null;
}

export const CompareContext = createContext<{ store: CompareStore; actions: CompareActions } | null>(null);

/** A person's acts on the page, each done at once. See actions.ts. */
export type CompareActions = {
  rows: () => ComparisonRow[];
  select: (id: string) => void;
  by: (n: number) => void;
  end: (which: 'first' | 'last') => void;
  next: () => void;
  take: (place: number) => void;
  settle: () => void;
  takeBack: () => void;
  undo: () => void;
  claim: () => void;
  release: () => void;
  approve: () => Promise<void>;
  ask: (what: CompareState['asking']) => void;
};

export function useComparing(): { store: CompareStore; actions: CompareActions } {
  const found = useContext(CompareContext);
  if (!found) throw new Error('Nothing is compared here.');
  return found;
}

export function useCompare<T>(select: (state: CompareState) => T): T {
  return useStore(useComparing().store, select);
}

/** Whether the person adjudicates this recording now: may write in the main document and settle. */
export function adjudicates({ review, person }: Pick<WorkState, 'review' | 'person'>): boolean {
  const claim = review?.view.claim;
  return claim != null && claim.role === 'adjudicate' && claim.person === person;
}

/** Whether what was adjudicated is worth showing: somebody adjudicates, or has. */
export function isAdjudicated({ review }: Pick<WorkState, 'review'>): boolean {
  return review?.view.claim?.role === 'adjudicate' || (review?.view.settled.length ?? 0) > 0;
}

export const useAdjudicates = (): boolean => useWork(adjudicates);
