import { useEffect, useMemo, useRef } from 'react';
import { numberedThreads, useTalk } from '../comments/talk.ts';
import type { AddressParts } from '../ui/address.ts';
import { useAddress } from '../ui/use-address.ts';
import { useActions } from '../workbench/context.ts';
import type { Begin } from '../workbench/open.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';

/** The step that an address names, as a place; null when it names none that is there. */
export function stepOfPart(part: string | null | undefined, steps: number): number | null {
  const number = /^\d{1,6}$/.test(part ?? '') ? Number(part) : 0;
  return number >= 1 && number <= steps ? number - 1 : null;
}

/**
 * Where a recording is opened: one that was sent back at its first open rejection, until something of it was changed. Once
 * it was, this tab goes on where it was.
 */
export const placeToRepair: Begin = (state, kept) => {
  const now = state.review?.view.state;
  if (now !== 'rejected' && (now !== 'annotating' || kept !== null)) return null;
  const rejection = numberedThreads(state).find(({ thread }) => thread.open && thread.reason !== null);
  return rejection && rejection.at >= 0 ? { at: rejection.at, stop: null } : null;
};

/**
 * The step in hand and the comment that was gone to stand in the address: `?step=12&comment=…`. Going on by a step takes the
 * address' place; a jump, to a step that is not beside it, leaves the one before for "back". It shows nothing: what it follows
 * changes with each step, and the page around it need not be drawn anew then.
 */
export function PlaceInAddress(): null {
  const store = useWorkStore();
  const actions = useActions();
  const talk = useTalk();
  const at = useWork((state) => state.at);
  const some = useWork((state) => state.opened.steps.length > 0);
  const comment = useWork((state) => state.thread);
  const jumped = useRef(false);
  useEffect(
    () =>
      store.subscribe((state, before) => {
        if (Math.abs(state.at - before.at) > 1) jumped.current = true;
      }),
    [store],
  );
  const parts = useMemo<AddressParts>(() => ({ step: some ? String(at + 1) : null, comment }), [at, some, comment]);
  useAddress(
    parts,
    (said) => {
      const place = stepOfPart(said.step, store.getState().opened.steps.length);
      const thread = numberedThreads(store.getState()).find((one) => one.thread.id === said.comment);
      if (place !== null && place !== store.getState().at) actions.go(place);
      if (thread && talk) talk.show(thread);
      else if (store.getState().thread !== null) store.setState({ thread: null });
    },
    () => {
      const was = jumped.current;
      jumped.current = false;
      return was;
    },
  );
  return null;
}
