import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkStore } from '../workbench/store.ts';
import { itemInHand } from './in-hand.ts';

type Dependencies = { store: WorkStore; sync: ReviewSync; say: Actions['say'] };

/** Takes a recording up for review, with the first decision on it at the latest. */
export function makeClaiming({ store, sync, say }: Dependencies) {
  const { getState: get, setState: set } = store;
  /** While the recording is being taken up: what was asked for meanwhile, and the item that was in hand then. */
  let claiming: { item: string; act: () => void }[] | null = null;
  const inHand = (): string => JSON.stringify(itemInHand(get()));

  /**
   * True when the person may decide; takes the recording up for review first when that is all that is missing. What is asked
   * for (`act`) while it is being taken up is done after it, in the same order, as far as it meant the item that is in hand then.
   */
  function mayDecide(act: () => void): boolean {
    const { review, person } = get();
    if (claiming) {
      claiming.push({ item: inHand(), act });
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
    const waiting: { item: string; act: () => void }[] = [];
    claiming = waiting;
    try {
      await sync.ask({ type: 'claim' });
      // Opened before it was submitted: from here on nobody but the reviewer changes it.
      if (get().handedIn === null) set({ handedIn: get().sync.pending.server });
    } catch (error) {
      waiting.length = 0;
      say(error instanceof Error ? error.message : String(error));
    } finally {
      claiming = null;
    }
    // Before they moved on, a person meant another item.
    const now = inHand();
    for (const { item, act } of waiting) if (item === now) act();
  }

  return { mayDecide, claim };
}
