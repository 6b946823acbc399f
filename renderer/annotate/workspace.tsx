import { IconBookmark, IconLayoutGrid, IconPlus, IconSchool } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { toError } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { booleanSetting, useChangeSettings, useSettings } from '../client/settings.ts';
import { CommentDialog } from '../comments/comment-dialog.tsx';
import { useRemarks } from '../comments/remarks.tsx';
import { StepThreads } from '../comments/step-threads.tsx';
import { useCommentKeys } from '../comments/use-comment-keys.ts';
import { tr } from '../language/tr.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { addsSteps } from '../workbench/add-step.ts';
import { useActions, useTools } from '../workbench/context.ts';
import { AddStepDialog } from '../workbench/form/add-step.tsx';
import { RemoveDialog } from '../workbench/form/remove-dialog.tsx';
import { StepForm } from '../workbench/form/step-form.tsx';
import { SubtaskForm } from '../workbench/form/subtask-form.tsx';
import { WorkLayout } from '../workbench/layout.tsx';
import { ListFoot } from '../workbench/list/list-foot.tsx';
import { STATE_WORDS } from '../workbench/list/marks.ts';
import { StepList } from '../workbench/list/step-list.tsx';
import { KeyIcon } from '../workbench/parts.tsx';
import { readOnlyNow, useWork, useWorkStore, type WorkState } from '../workbench/store.ts';
import { useAnnotatorKeys, useEditKeys, useSheetKeys, useViewKeys } from '../workbench/use-keys.ts';
import { Bar } from './bar.tsx';
import { useHandIn } from './hand-in.ts';
import { useStepMarks } from './marks.ts';
import { MarksPanel, useHasMoments } from './marks-panel.tsx';
import { useGoToGaps } from './missing.ts';
import { MissingPanel } from './missing-panel.tsx';
import { PlaceInAddress } from './place.ts';
import { Strip } from './strip.tsx';

/** The annotation page once everything is here. */
export function AnnotationWorkspace(props: { autoAdvance: { current: boolean } }): ReactNode {
  const actions = useActions();
  const settings = useSettings();
  const change = useChangeSettings();
  const autoAdvance = booleanSetting(settings, 'autoAdvance', true);
  props.autoAdvance.current = autoAdvance;
  const toggleAutoAdvance = (): void =>
    void change({ autoAdvance: !autoAdvance }).catch((error: unknown) =>
      actions.say(tr('The switch was not stored. {message}', { message: toError(error).message })),
    );
  const store = useWorkStore();
  const { run } = useTools();
  const boxes = useWork((state) => state.sheet.is === 'shown');
  const adds = useWork((state) => addsSteps(state) && readOnlyNow(state) === null);
  const askStep = (): void => store.setState({ open: 'add-step' });
  const [, navigate] = useLocation();
  const exportSkill = (): void => {
    const { ws, opened } = store.getState();
    navigate(paths.skill(ws, opened.row.task, opened.row.id));
  };

  const handIn = useHandIn();
  const gaps = useGoToGaps();
  const listed = useWork((state) => state.open === 'missing');
  const marked = useWork((state) => state.open === 'marks');
  const toggleMarks = (): void => store.setState(({ open }) => ({ open: open === 'marks' ? null : 'marks' }));
  const hasMoments = useHasMoments() || marked;
  useHandlers('annotate', { 'annotate.skill': exportSkill, 'annotate.marks': toggleMarks });
  const marks = useStepMarks();
  const remarks = useRemarks();
  useViewKeys(useSheetKeys());
  useEditKeys();
  useAnnotatorKeys({
    toggleAutoAdvance,
    handIn: handIn.toggle,
    missing: gaps.toggle,
    nextMissing: gaps.next,
    addStep: { run: askStep, enabled: adds },
  });
  useCommentKeys();
  return (
    <WorkLayout
      bar={<Bar handIn={handIn} />}
      spoken={spokenWords}
      remarks={remarks}
      left={
        <>
          <Strip handedIn={handIn.done} />
          <SubtaskForm />
          <StepList marks={marks} counts />
          <ListFoot
            previous={tr('Previous step')}
            next={tr('Next step')}
            open={{ command: 'annotate.nextOpen', label: tr('Next open step') }}
          >
            <KeyIcon
              command="annotate.boxes"
              label={tr('All boxes')}
              pressed={boxes}
              onClick={() => run('annotate.boxes')}
            >
              <IconLayoutGrid size={15} aria-hidden />
            </KeyIcon>
            <KeyIcon command="annotate.skill" label={tr('Export as skill')} onClick={exportSkill}>
              <IconSchool size={15} aria-hidden />
            </KeyIcon>
            {hasMoments && (
              <KeyIcon command="annotate.marks" label={tr('Marks and voice')} pressed={marked} onClick={toggleMarks}>
                <IconBookmark size={15} aria-hidden />
              </KeyIcon>
            )}
            {adds && (
              <KeyIcon command="annotate.addStep" label={tr('Add step')} onClick={askStep}>
                <IconPlus size={15} aria-hidden />
              </KeyIcon>
            )}
          </ListFoot>
        </>
      }
      aside={listed ? <MissingPanel gaps={gaps} handIn={handIn} /> : marked && <MarksPanel />}
      right={<StepForm above={<StepThreads />} autoAdvance={{ on: autoAdvance, toggle: toggleAutoAdvance }} />}
    >
      <PlaceInAddress />
      <RemoveDialog />
      <AddStepDialog />
      <CommentDialog />
    </WorkLayout>
  );
}

function spokenWords({ doc, at }: WorkState): string {
  const step = doc.steps[at];
  if (!step) return '';
  return tr('Step {number} of {steps}: {narration}, {state}', {
    number: at + 1,
    steps: doc.steps.length,
    narration: step.narration.slice(0, 200),
    state: STATE_WORDS[step.state],
  });
}
