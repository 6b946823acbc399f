import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import type { WorkStore } from '../workbench/store.ts';
import { makeClaiming } from './claiming.ts';
import { makeDeciding } from './deciding.ts';
import { makePlaces } from './places.ts';

/** A reviewer's acts, each done at once: it shows when its key is pressed and is sent by itself. */
export type Reviewing = ReturnType<typeof makeReviewing>;

type Dependencies = { store: WorkStore; sync: ReviewSync; actions: Actions };

export function makeReviewing({ store, sync, actions }: Dependencies) {
  const { say, settle } = actions;
  const { mayDecide, claim } = makeClaiming({ store, sync, say });
  const places = makePlaces({ store, actions });
  const { goTo, goToUndecided } = places;

  function release(): void {
    settle();
    store.setState({ open: null });
    void sync.ask({ type: 'release' }).then(
      () => say(tr('Released without a verdict. What you decided stays.'), 'info'),
      (error: Error) => say(error.message),
    );
  }

  return {
    ...places,
    ...makeDeciding({ store, sync, actions, mayDecide, goTo, goToUndecided }),
    claim,
    release,
    toggleVerdict: () => store.setState(({ open }) => ({ open: open === 'verdict' ? null : 'verdict' })),
    ask: sync.ask,
  };
}
