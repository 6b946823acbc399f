import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { RejectReason, ReviewAct } from '../../schemas/review.ts';
import { useActions, useTools } from '../workbench/context.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { useReviewing } from './context.ts';
import { decidedIn } from './in-hand.ts';
import { placesOf, type ReviewProgress, reviewProgress } from './items.ts';

/** Acts on the recording as a whole, and how far its review is. */

export function useProgress(): ReviewProgress {
  const doc = useWork((state) => state.doc);
  const review = useWork((state) => state.review);
  const handedIn = useWork((state) => state.handedIn);
  const sync = useWork((state) => state.sync);
  return useMemo(
    () => reviewProgress(placesOf(doc), decidedIn({ review, handedIn, sync })),
    [doc, review, handedIn, sync],
  );
}

/** Sends one act of the whole recording and closes the dialog when it is done. */
export function useWhole() {
  const store = useWorkStore();
  const { review } = useTools();
  const cache = useQueryClient();
  const ws = useWork((state) => state.ws);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function send(act: ReviewAct): Promise<unknown> {
    if (!review || busy) return null;
    setBusy(true);
    setError(null);
    try {
      await review.ask(act);
      store.setState({ open: null });
      void cache.invalidateQueries({ queryKey: ['of', ws] });
      return null;
    } catch (reason) {
      setError(reason);
      return reason;
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, send };
}

/**
 * The verdict that follows when everything is decided: sent back when something is rejected, else approved. `verdict` is
 * null while something is open, or somebody else reviews it.
 */
export function useClearVerdict(progress: ReviewProgress) {
  const actions = useActions();
  const { reviewing } = useReviewing();
  const mine = useWork(({ review, person, judging }) => {
    const view = review?.view ?? null;
    return !judging && holdsClaim(view, person) && view?.claim?.role === 'review';
  });
  const review = useWork((state) => state.review);
  const { busy, send } = useWhole();
  const all = mine && progress.total > 0 && progress.decided === progress.total;
  const verdict = !all ? null : progress.rejected > 0 ? ('reject' as const) : ('approve' as const);
  const give = async (): Promise<void> => {
    actions.settle();
    if (verdict === null) return;
    const reasons = verdict === 'reject' ? rejectedFor(review?.view.decisions ?? [], review?.view.round ?? 1) : [];
    const refused = await send({ type: 'verdict', verdict, version: reviewing.version(), reasons, comment: '' });
    if (refused instanceof Error) actions.say(refused.message);
  };
  return { verdict, busy, give: () => void give() };
}

/** The reasons of what was rejected in this round, each once: what is sent back with. */
export function rejectedFor(
  decisions: readonly { verdict: string; reason: RejectReason | null; round?: number | undefined }[],
  round: number,
): RejectReason[] {
  const found = decisions
    .filter((one) => one.verdict === 'reject' && (one.round ?? round) === round)
    .flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return [...new Set(found)];
}
