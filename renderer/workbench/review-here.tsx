import { IconClipboardCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { useTools } from './context.ts';
import { KeyButton } from './parts.tsx';
import { useWork, type WorkState } from './store.ts';
import { StripLine } from './strip.tsx';

/** The recording that is open waits for a review which whoever is here may give, or has begun. */
export function awaitsMyReview({ review, person }: Pick<WorkState, 'review' | 'person'>): boolean {
  if (review === null || person === null) return false;
  const { may, claim } = review.view;
  return may.claim === null || (claim?.person === person && claim.role === 'review');
}

/** The line of a recording's own page that leads to its review, which it starts unless it is begun. */
export function ReviewHere(): ReactNode {
  const [, go] = useLocation();
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const begun = useWork((state) => state.review?.view.claim != null);
  const { review } = useTools();
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    // Somebody else may have been quicker: the review's page says so.
    if (!begun) await review?.ask({ type: 'claim' }).catch(() => undefined);
    go(paths.review(ws, recording));
  };
  useHandlers('annotate.edit.work', { 'annotate.review': () => void start() });
  return (
    <StripLine
      tone="quiet"
      icon={<IconClipboardCheck size={16} aria-hidden />}
      action={
        <KeyButton
          command="annotate.review"
          main
          variant="filled"
          label={begun ? tr('Review') : tr('Start review')}
          disabled={busy}
          onClick={() => void start()}
        />
      }
    >
      {begun ? tr('You are reviewing this recording.') : tr('Waiting for your review. Here you can only look at it.')}
    </StripLine>
  );
}
