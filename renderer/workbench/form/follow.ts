import { flushSync } from 'react-dom';
import { isField } from '../../ui/keys/listen.ts';
import type { WorkState } from '../store.ts';

/** In a page that is not painted (another tab in front) the form follows after this. */
const UNPAINTED_MS = 100;

type Followed = Pick<WorkState, 'page' | 'at' | 'formAt'>;
type FollowedStore = {
  getState: () => Followed;
  setState: (next: Pick<Followed, 'formAt'>) => void;
  subscribe: (listener: () => void) => () => void;
};

export type FormFollower = {
  /** The form shows the step in hand from here on, also in the document: before the focus goes to one of its fields. */
  catchUp: () => void;
  stop: () => void;
};

/**
 * The form follows the step in hand (`at`) one painted frame later (`formAt`), so that the next picture does not wait for
 * some dozens of controls, and a held arrow key runs through pictures alone. At once while one types into a field: what is
 * typed next is meant for the step in hand. When the page opens, the form waits for `firstPicture`, which must not reject.
 */
export function followStep(store: FollowedStore, firstPicture: Promise<void> = Promise.resolve()): FormFollower {
  let waits = true;
  let stopped = false;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function cancel(): void {
    cancelAnimationFrame(frame);
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function follow(): void {
    cancel();
    const { at, formAt } = store.getState();
    if (at !== formAt) store.setState({ formAt: at });
  }

  function look(): void {
    const { page, at, formAt } = store.getState();
    if (at === formAt) return;
    // Whoever reviews decides by what the form says.
    if (page !== 'annotate' || (document.activeElement && isField(document.activeElement))) {
      follow();
      return;
    }
    if (waits || timer !== null) return;
    timer = setTimeout(follow, UNPAINTED_MS);
    // A task that is planned in a frame runs after that frame was painted.
    frame = requestAnimationFrame(() => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(follow);
    });
  }

  const unsubscribe = store.subscribe(look);
  look();
  void firstPicture.then(() => {
    waits = false;
    if (!stopped) look();
  });

  return {
    catchUp() {
      cancel();
      const { at, formAt } = store.getState();
      if (at !== formAt) flushSync(() => store.setState({ formAt: at }));
    },
    stop() {
      stopped = true;
      cancel();
      unsubscribe();
    },
  };
}
