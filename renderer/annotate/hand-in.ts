import { useState } from 'react';
import { askWho } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { useActions, useTools } from '../workbench/context.ts';
import { nextOpen } from '../workbench/list/rows.ts';
import { useWork, useWorkStore, type WorkState } from '../workbench/store.ts';
import { gapsOf } from './missing.ts';

export type HandIn = {
  /** The act that the key would do now. */
  what: 'submit' | 'withdraw';
  busy: boolean;
  /** It was submitted on this page just now. */
  done: boolean;
  toggle: () => void;
};

/**
 * Submitting the annotation for review, and withdrawing it: refused with the count and the way to what is open while steps
 * are. Where something else is missing the list of it comes first; submitting again submits all the same.
 */
export function useHandIn(): HandIn {
  const store = useWorkStore();
  const actions = useActions();
  const { review } = useTools();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const document = useWork((state) => state.document);
  const submitted = useWork(
    (state) => state.review?.view.documents.find((one) => one.id === state.document)?.submitted != null,
  );
  const mayTakeBack = useWork((state) => state.review?.view.may.withdraw === null);
  const what = submitted && mayTakeBack ? 'withdraw' : 'submit';

  async function toggle(): Promise<void> {
    actions.settle();
    const { doc, at, sync } = store.getState();
    if (!review) {
      askWho();
      return;
    }
    if (busy) return;
    // Of what was sent back the first gesture begins the repair, of which the page may not have heard yet.
    const rests = submitted && !mayResubmit(store.getState());
    if (what === 'submit' && doc.left > 0 && !rests) {
      const open = doc.steps[at]?.state === 'open' ? at : nextOpen(doc.steps, at);
      const flagged = doc.steps.findIndex(({ state }) => state === 'flagged');
      actions.say(
        tr('Not submitted: {left, plural, one {# step is} other {# steps are}} not done. Here is one.', {
          left: doc.left,
        }),
        'info',
      );
      actions.go(open >= 0 ? open : flagged);
      return;
    }
    if (what === 'submit' && store.getState().open !== 'missing' && gapsOf(store.getState()).length > 0) {
      store.setState({ open: 'missing' });
      return;
    }
    setBusy(true);
    try {
      if (what === 'withdraw') await review.ask({ type: 'withdraw', document });
      else {
        // Who only answered what was sent back has changed nothing, which would have begun the repair. A change that is on
        // its way begins it by itself; what is refused here is said when it is submitted.
        const state = store.getState();
        if (mayResubmit(state) && state.sync.pending.queue.length === 0)
          await review.ask({ type: 'begin' }).catch(() => undefined);
        await review.ask({ type: 'submit', document, version: Math.max(sync.pending.version, 1) });
      }
      setDone(what === 'submit');
      if (what === 'submit' && store.getState().open === 'missing') store.setState({ open: null });
    } catch (error) {
      actions.say(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return { what, busy, done: done && submitted, toggle: () => void toggle() };
}

/** It was sent back to those who annotated it, and this is one of them; the page has not heard of a change since. */
export function mayResubmit({ review, document, person }: Pick<WorkState, 'review' | 'document' | 'person'>): boolean {
  if (review?.view.state !== 'rejected' || review.view.may.begin !== null || person === null) return false;
  return review.view.documents.some(({ id, authors }) => id === document && authors.includes(person));
}
