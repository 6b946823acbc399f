import { IconArrowBackUp, IconCircleCheck, IconLock, IconUserQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { askWho } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useTools } from '../workbench/context.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { awaitsMyReview, ReviewHere } from '../workbench/review-here.tsx';
import { readOnlyNow, useWork } from '../workbench/store.ts';
import { NextWorkButton, StripLine } from '../workbench/strip.tsx';

/** Over the list when there is something to say: who are you, why nothing can be written, what comes next. */
export function Strip({ handedIn }: { handedIn: boolean }): ReactNode {
  const person = useWork((state) => state.person);
  const readOnly = useWork(readOnlyNow);
  const returned = useWork(
    (state) => state.review?.view.threads.filter(({ open, reason }) => open && reason !== null).length ?? 0,
  );
  const forReview = useWork(awaitsMyReview);
  const blind = useWork(({ review, document, opened }) => review?.view.blind === true || document !== opened.row.id);
  const { run } = useTools();
  if (handedIn) {
    return (
      <StripLine tone="good" icon={<IconCircleCheck size={16} aria-hidden />} action={<NextWorkButton />}>
        {blind
          ? tr('Submitted. It is compared with what others make of it.')
          : tr('Submitted. Someone else will review it.')}
      </StripLine>
    );
  }
  if (forReview) return <ReviewHere />;
  if (readOnly !== null) {
    return (
      <StripLine tone="quiet" icon={<IconLock size={16} aria-hidden />}>
        {tr('Read-only. {reason}', { reason: readOnly })}
      </StripLine>
    );
  }
  if (returned > 0) {
    return (
      <StripLine
        tone="bad"
        icon={<IconArrowBackUp size={16} aria-hidden />}
        action={<KeyButton command="comment.next" label={tr('Next unresolved')} onClick={() => run('comment.next')} />}
      >
        {tr(
          'Sent back: {returned, plural, one {# rejection is} other {# rejections are}} open. Fix or answer each one, then resubmit.',
          { returned },
        )}
      </StripLine>
    );
  }
  if (person === null) {
    return (
      <StripLine
        tone="quiet"
        icon={<IconUserQuestion size={16} aria-hidden />}
        action={
          <CommandButton size="compact-xs" variant="light" command="app.person" onClick={() => askWho()}>
            {tr('Choose your name')}
          </CommandButton>
        }
      >
        {tr('You’re working anonymously. Choose your name to submit this for review.')}
      </StripLine>
    );
  }
  return null;
}
