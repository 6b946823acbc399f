import { IconChevronDown, IconChevronUp, IconCircleDashed, IconFold } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import annotate from '../annotate/annotate.module.css';
import { useTools } from '../annotate/context.ts';
import { RemoveDialog } from '../annotate/form/remove-dialog.tsx';
import { SubtaskForm } from '../annotate/form/subtask-form.tsx';
import { WorkLayout } from '../annotate/layout.tsx';
import { StepList } from '../annotate/list/step-list.tsx';
import { KeyIcon } from '../annotate/parts.tsx';
import { useWork, type WorkState } from '../annotate/store.ts';
import { decidedIn, itemInHand } from './actions.ts';
import { ReviewBar } from './bar.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import { JudgeForm } from './judge-form.tsx';
import { marksOf } from './marks.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { ReviewForm } from './review-form.tsx';
import { ReviewStrip } from './strip.tsx';
import { useReviewKeys } from './use-review-keys.ts';
import { VerdictDialog } from './verdict-dialog.tsx';
import { ITEM_STATE_WORDS, itemWords } from './words.ts';

/** The review page once everything is here. */
export function ReviewWorkspace(): ReactNode {
  const { run } = useTools();
  const judging = useWork((state) => state.judging);
  useReviewKeys();
  const previous = judging ? 'Previous step' : 'Previous item';
  return (
    <WorkLayout
      bar={<ReviewBar />}
      strip={<ReviewStrip />}
      spoken={spokenWords}
      left={
        <>
          {!judging && <SubtaskForm />}
          <StepList />
          <div className={annotate.listFoot}>
            <KeyIcon command="annotate.previous" label={previous} onClick={() => run('annotate.previous')}>
              <IconChevronUp size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command="annotate.next"
              label={judging ? 'Next step' : 'Next item'}
              onClick={() => run('annotate.next')}
            >
              <IconChevronDown size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon
              command={judging ? 'judge.next' : 'review.next'}
              label={judging ? 'Next step that is not judged' : 'Next undecided'}
              onClick={() => run(judging ? 'judge.next' : 'review.next')}
            >
              <IconCircleDashed size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon command="annotate.fold" label="Fold or unfold the subtask" onClick={() => run('annotate.fold')}>
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
