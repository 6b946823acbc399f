import type { ReviewAct } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkStore } from '../workbench/store.ts';
import { makeChoosing } from './choosing.ts';
import { makeSettling } from './settling.ts';
import type { ComparedSide } from './sides.ts';
import { type WrittenValue, withTransaction } from './standing.ts';
import type { CompareActions, CompareState, CompareStore } from './store.ts';

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
  const tell = (act: ReviewAct): void => {
    ask(act).catch((error: Error) => actions.say(error.message));
  };
  const choosing = makeChoosing({ work, compare, actions });
  const { rows, select, by, end, next } = choosing;

  return {
    rows,
    select,
    by,
    end,
    next,
    ...makeSettling({ work, compare, actions, choosing, tell, nameOf }),
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
