import { IconChevronDown, IconChevronUp, IconCircleDashed, IconFold } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toError } from '../app/api.ts';
import { booleanSetting, useChangeSettings, useSettings } from '../app/settings.ts';
import { CommentDialog } from '../review/comment-dialog.tsx';
import { StepThreads } from '../review/step-threads.tsx';
import { useCommentKeys } from '../review/use-comment-keys.ts';
import classes from './annotate.module.css';
import { Bar } from './bar.tsx';
import { useActions, useTools } from './context.ts';
import { RemoveDialog } from './form/remove-dialog.tsx';
import { StepForm } from './form/step-form.tsx';
import { SubtaskForm } from './form/subtask-form.tsx';
import { useHandIn } from './hand-in.ts';
import { WorkLayout } from './layout.tsx';
import { STATE_WORDS, StepList } from './list/step-list.tsx';
import { KeyIcon } from './parts.tsx';
import type { WorkState } from './store.ts';
import { Strip } from './strip.tsx';
import { useAnnotatorKeys, useEditKeys, useViewKeys } from './use-keys.ts';

/** The annotation page once everything is here. */
export function Workspace(props: { autoAdvance: { current: boolean } }): ReactNode {
  const actions = useActions();
  const { run } = useTools();
  const settings = useSettings();
  const change = useChangeSettings();
  const autoAdvance = booleanSetting(settings, 'autoAdvance', true);
  props.autoAdvance.current = autoAdvance;
  const toggleAutoAdvance = (): void =>
    void change({ autoAdvance: !autoAdvance }).catch((error: unknown) =>
      actions.say(`The switch was not stored. ${toError(error).message}`),
    );
  const handIn = useHandIn();
  useViewKeys();
  useEditKeys();
  useAnnotatorKeys({ toggleAutoAdvance, handIn: handIn.toggle });
  useCommentKeys();
  return (
    <WorkLayout
      bar={<Bar autoAdvance={autoAdvance} onAutoAdvance={toggleAutoAdvance} handIn={handIn} />}
      strip={<Strip handedIn={handIn.done} />}
      spoken={spokenWords}
      left={
        <>
          <SubtaskForm />
          <StepList />
          <div className={classes.listFoot}>
            <KeyIcon command="annotate.previous" label="Previous step" onClick={() => actions.goBy(-1)}>
              <IconChevronUp size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon command="annotate.next" label="Next step" onClick={() => actions.goBy(1)}>
              <IconChevronDown size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon command="annotate.nextOpen" label="Next open step" onClick={actions.goToOpen}>
              <IconCircleDashed size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon command="annotate.fold" label="Fold or unfold the subtask" onClick={() => run('annotate.fold')}>
              <IconFold size={15} aria-hidden />
            </KeyIcon>
          </div>
        </>
      }
      right={<StepForm above={<StepThreads />} />}
    >
      <RemoveDialog />
      <CommentDialog />
    </WorkLayout>
  );
}

function spokenWords({ doc, at }: WorkState): string {
  const step = doc.steps[at];
  if (!step) return '';
  return `Step ${at + 1} of ${doc.steps.length}: ${step.narration.slice(0, 200)}, ${STATE_WORDS[step.state]}`;
}
