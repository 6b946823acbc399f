import { Button } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { useWork, type WorkState } from './store.ts';
import { StripLine } from './strip.tsx';

/** The recording that is open waits for a review which whoever is here may give, or has begun. */
export function awaitsMyReview({ review, person }: Pick<WorkState, 'review' | 'person'>): boolean {
  if (review === null || person === null) return false;
  const { may, claim } = review.view;
  return may.claim === null || (claim?.person === person && claim.role === 'review');
}

/** The line of a recording's own page that leads to its review. */
export function ReviewHere(): ReactNode {
  const [, go] = useLocation();
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const begun = useWork((state) => state.review?.view.claim != null);
  return (
    <StripLine
      tone="quiet"
      icon={<IconClipboardCheck size={16} aria-hidden />}
      action={
        <Button size="compact-xs" onClick={() => go(paths.review(ws, recording))}>
          {tr('Review')}
        </Button>
      }
    >
      {begun ? tr('You are reviewing this recording.') : tr('Waiting for your review. Here you can only look at it.')}
    </StripLine>
  );
}
