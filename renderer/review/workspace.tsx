import type { ReactNode } from 'react';
import { CommentDialog } from '../comments/comment-dialog.tsx';
import { useRemarks } from '../comments/remarks.tsx';
import { itemWords } from '../comments/words.ts';
import { tr } from '../language/tr.ts';
import { RemoveDialog } from '../workbench/form/remove-dialog.tsx';
import { SubtaskForm } from '../workbench/form/subtask-form.tsx';
import { WorkLayout } from '../workbench/layout.tsx';
import { ListFoot } from '../workbench/list/list-foot.tsx';
import { StepList } from '../workbench/list/step-list.tsx';
import { useWork, type WorkState } from '../workbench/store.ts';
import { ReviewBar } from './bar.tsx';
import { useReviewing } from './context.ts';
import { decidedIn, itemInHand } from './in-hand.ts';
import { JudgeForm } from './judge-form.tsx';
import { marksOf, useReviewMarks } from './marks.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { ReviewForm } from './review-form.tsx';
import { ReviewStrip } from './strip.tsx';
import { useReviewKeys } from './use-review-keys.ts';
import { VerdictDialog } from './verdict-dialog.tsx';
import { ITEM_STATE_WORDS } from './words.ts';

/** The review page once everything is here. */
export function ReviewWorkspace(): ReactNode {
  const judging = useWork((state) => state.judging);
  const { reviewing } = useReviewing();
  const marks = useReviewMarks();
  const remarks = useRemarks();
  useReviewKeys();
  return (
    <WorkLayout
      bar={<ReviewBar />}
      spoken={spokenWords}
      remarks={remarks}
      left={
        <>
          <ReviewStrip />
          {!judging && <SubtaskForm />}
          <StepList marks={marks} counts={false} {...(!judging && { onGoal: () => reviewing.goToEnd('first') })} />
          <ListFoot
            previous={judging ? tr('Previous step') : tr('Previous item')}
            next={judging ? tr('Next step') : tr('Next item')}
            open={
              judging
                ? { command: 'judge.next', label: tr('Next step that is not judged') }
                : { command: 'review.next', label: tr('Next undecided') }
            }
          />
        </>
      }
      right={judging ? <JudgeForm /> : <ReviewForm />}
    >
      <RemoveDialog />
      <CommentDialog />
      <RejectDialog />
      <VerdictDialog />
    </WorkLayout>
  );
}

function spokenWords(state: WorkState): string {
  const item = itemInHand(state);
  if (!item) return '';
  const step = state.doc.steps[state.at];
  if (state.judging)
    return `${itemWords(item, state)}: ${step?.narration.slice(0, 200)}, ${marksOf(state).step(state.at).words}`;
  const text =
    item.kind === 'goal'
      ? state.doc.goal
      : 'subtask' in item
        ? state.doc.subtasks.find(({ record }) => record.first === item.subtask)?.title
        : step?.narration;
  return `${itemWords(item, state)}: ${(text ?? '').slice(0, 200)}, ${ITEM_STATE_WORDS[decidedIn(state)(item).state]}`;
}
