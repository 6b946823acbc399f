import { Anchor } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconClipboardCheck, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { usePersonName } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { holdsClaim } from '../workbench/log/rights.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { NextWorkButton, StripLine } from '../workbench/strip.tsx';
import { useReviewing } from './context.ts';
import { useClearVerdict, useProgress } from './whole.ts';

/** Over the list: take it up, why one may not, the verdict once everything is decided, or what came of it. */
export function ReviewStrip(): ReactNode {
  const progress = useProgress();
  const { reviewing } = useReviewing();
  const ws = useWork((state) => state.ws);
  const review = useWork((state) => state.review?.view ?? null);
  const person = useWork((state) => state.person);
  const judging = useWork((state) => state.judging);
  const recording = useWork((state) => state.opened.row.id);
  const nameOf = usePersonName(ws);
  const { verdict, busy, give } = useClearVerdict(progress);
  useHandlers('annotate.edit.review', { 'review.finish': { run: give, enabled: verdict !== null && !busy } });
  if (!review || judging) return null;
  if (holdsClaim(review, person)) {
    if (verdict !== null) {
      const approve = verdict === 'approve';
      return (
        <StripLine
          tone={approve ? 'good' : 'bad'}
          icon={approve ? <IconCircleCheck size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
          action={
            <KeyButton
              command="review.finish"
              main
              label={approve ? tr('Approve') : tr('Send back')}
              disabled={busy}
              onClick={give}
            />
          }
        >
          {tr('Everything is decided{rejected, plural, =0 {} other {, # rejected}}.', {
            rejected: progress.rejected,
          })}
        </StripLine>
      );
    }
    if (review.claim?.role !== 'adjudicate') return null;
    return (
      <StripLine
        tone="quiet"
        icon={<IconLock size={16} aria-hidden />}
        action={
          <Anchor component={Link} href={paths.compare(ws, recording)} size="sm">
            {tr('Compare the replicas')}
          </Anchor>
        }
      >
        {tr('Several people annotated this blind. Settle where they differ first.')}
      </StripLine>
    );
  }
  if (review.may.claim === null) {
    return (
      <StripLine
        tone="quiet"
        icon={<IconClipboardCheck size={16} aria-hidden />}
        action={
          <CommandButton size="compact-xs" command="review.accept" onClick={() => void reviewing.claim()}>
            {tr('Start review')}
          </CommandButton>
        }
      >
        {tr('Waiting for review. While you review it, nobody else can.')}
      </StripLine>
    );
  }
  if (review.state === 'approved') {
    return (
      <StripLine tone="good" icon={<IconCircleCheck size={16} aria-hidden />} action={<NextWorkButton />}>
        {tr('Approved.')}
      </StripLine>
    );
  }
  if (review.state === 'rejected') {
    return (
      <StripLine tone="bad" icon={<IconArrowBackUp size={16} aria-hidden />} action={<NextWorkButton />}>
        {tr('Sent back to be repaired. Its annotator sees each reason, answers, and resubmits.')}
      </StripLine>
    );
  }
  const by = review.claim && review.claim.person !== person ? nameOf(review.claim.person) : '';
  return (
    <StripLine tone="quiet" icon={<IconLock size={16} aria-hidden />}>
      {by === ''
        ? review.may.claim
        : tr('{person} is reviewing it. You can look at it, comment and judge the trajectory.', { person: by })}
    </StripLine>
  );
}
