import * as edit from '../../../core/annotate/edit.ts';
import { stepIndex } from '../../../core/annotate/subtasks.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Proposal } from '../../../schemas/annotation.ts';
import { english, tr } from '../../language/tr.ts';
import type { Sync } from '../document/sync.ts';
import type { GestureOptions, Gestures } from './gestures.ts';
import { keepPlaces } from './proposal-places.ts';

/** No more proposals than there are digits to take them with. */
const PROPOSALS = 5;

type Dependencies = {
  gestures: Gestures;
  sync: Sync;
  askProposals: (action: string) => Promise<readonly Proposal[]>;
};

/** Proposals of names and boxes: asked for in time, taken by a digit. */
export function makeProposing({ gestures, sync, askProposals }: Dependencies) {
  const { gesture, records, stepNow, say } = gestures;
  const { getState: get, setState: set } = gestures.store;
  /** A digit pressed before its proposals came: taken when they do. */
  const awaited = new Map<string, number>();
  const asking = new Map<string, Promise<void>>();
  /** The document's version when a step's proposals were asked for. */
  const askedAt = new Map<string, number>();

  /**
   * Asks for a step's proposals. Those asked ahead are asked again when the document has changed since (what was just named
   * is proposed next), and replaced unless the step has been worked on in the meantime.
   */
  function propose(action: string): Promise<void> {
    const { version } = sync.state().pending;
    const running = asking.get(action);
    if (running) return running;
    if (get().proposals.has(action) && askedAt.get(action) === version) return Promise.resolve();
    const view = (): StepView | undefined => get().doc.steps[stepIndex(get().opened.steps).get(action) ?? -1];
    const before = view();
    const known = get().proposals.has(action);
    askedAt.set(action, version);
    const asked = askProposals(action)
      .catch(() => get().proposals.get(action) ?? [])
      .then((found) => {
        asking.delete(action);
        if (!known || view() === before) {
          const shown = stepNow()?.step.id === action ? get().proposals.get(action) : undefined;
          const list = keepPlaces(shown ?? [], found, PROPOSALS);
          set((state) => ({ proposals: new Map(state.proposals).set(action, list) }));
        }
        const digit = awaited.get(action);
        awaited.delete(action);
        if (digit !== undefined) take(action, digit, { aside: true });
      });
    asking.set(action, asked);
    return asked;
  }

  /** Takes proposal `n` (from 1) of the step in hand. */
  function takeProposal(n: number): void {
    const step = stepNow();
    if (!step) return;
    const action = step.step.id;
    if (!get().proposals.has(action)) {
      awaited.set(action, n);
      void propose(action);
      return;
    }
    take(action, n);
  }

  function take(action: string, n: number, how?: GestureOptions): void {
    const proposal = get().proposals.get(action)?.[n - 1];
    if (!proposal) {
      say(tr('No suggestion {n} for this step.', { n }), 'info', action);
      return;
    }
    gesture(english('Take suggestion'), () => edit.takeProposal(records(), action, proposal), how);
  }

  return { propose, takeProposal };
}
