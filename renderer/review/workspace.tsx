import { IconChevronDown, IconChevronUp, IconCircleDashed, IconFold } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CommentDialog } from '../comments/comment-dialog.tsx';
import { useRemarks } from '../comments/remarks.tsx';
import { itemWords } from '../comments/words.ts';
import { tr } from '../language/tr.ts';
import { useTools } from '../workbench/context.ts';
import { RemoveDialog } from '../workbench/form/remove-dialog.tsx';
import { SubtaskForm } from '../workbench/form/subtask-form.tsx';
import { WorkLayout } from '../workbench/layout.tsx';
import { StepList } from '../workbench/list/step-list.tsx';
import { KeyIcon } from '../workbench/parts.tsx';
import { useWork, type WorkState } from '../workbench/store.ts';
import annotate from '../workbench/workbench.module.css';
import { ReviewBar } from './bar.tsx';
import { useReviewing } from './context.ts';
import { decidedIn, itemInHand } from './in-hand.ts';
import { JudgeForm } from './judge-form.tsx';
import { marksOf, useReviewMarks } from './marks.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { ReviewForm } from './review-form.tsx';
import { useReviewKeys } from './use-review-keys.ts';
import { VerdictDialog } from './verdict-dialog.tsx';
import { ITEM_STATE_WORDS } from './words.ts';

/** The review page once everything is here. */
export function ReviewWorkspace(): ReactNode {
  const { run } = useTools();
  const judging = useWork((state) => state.judging);
  const { reviewing } = useReviewing();
  const marks = useReviewMarks();
  const remarks = useRemarks();
  useReviewKeys();
  const previous = judging ? tr('Previous step') : tr('Previous item');
  return (
    <WorkLayout
      bar={<ReviewBar />}
      spoken={spokenWords}
      remarks={remarks}
      left={
        <>
          {!judging && <SubtaskForm />}
          <StepList marks={marks} counts={false} {...(!judging && { onGoal: () => reviewing.goToEnd('first') })} />
          <div className={annotate.listFoot}>
            <KeyIcon command="annotate.previous" label={previous} onClick={() => run('annotate.previous')}>
              <IconChevronUp size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.next"
              label={judging ? tr('Next step') : tr('Next item')}
              onClick={() => run('annotate.next')}
            >
              <IconChevronDown size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command={judging ? 'judge.next' : 'review.next'}
              label={judging ? tr('Next step that is not judged') : tr('Next undecided')}
              onClick={() => run(judging ? 'judge.next' : 'review.next')}
            >
              <IconCircleDashed size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.fold"
              label={tr('Fold or unfold the subtask')}
              onClick={() => run('annotate.fold')}
            >
              <IconFold size={15} aria-hidden />
            </KeyIcon>
          </div>
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
