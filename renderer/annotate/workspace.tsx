import { CloseButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconCircleDashed, IconFold } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { toError } from '../app/api.ts';
import { booleanSetting, useChangeSettings, useSettings } from '../app/settings.ts';
import classes from './annotate.module.css';
import { Bar } from './bar.tsx';
import { useActions, useTools } from './context.ts';
import { HistoryDrawer } from './form/history-drawer.tsx';
import { RemoveDialog } from './form/remove-dialog.tsx';
import { StepForm } from './form/step-form.tsx';
import { SubtaskForm } from './form/subtask-form.tsx';
import { STATE_WORDS, StepList } from './list/step-list.tsx';
import { loadPanes, type Panes, savePanes } from './panes.ts';
import { KeyIcon, Splitter } from './parts.tsx';
import { Stage } from './stage/stage.tsx';
import { StageBar } from './stage/stage-bar.tsx';
import { useWork, useWorkStore } from './store.ts';
import { Timeline } from './timeline/timeline.tsx';
import { useWorkspaceKeys } from './use-keys.ts';
import { SourcePanel } from './video/source-panel.tsx';

const NOTICE_MS = 7_000;
const TURN_MS = 750;

/** The page once everything is here: list, picture, form, timeline. */
export function Workspace(props: { autoAdvance: { current: boolean } }): ReactNode {
  const actions = useActions();
  const { focus, run } = useTools();
  const settings = useSettings();
  const change = useChangeSettings();
  const autoAdvance = booleanSetting(settings, 'autoAdvance', true);
  props.autoAdvance.current = autoAdvance;
  const toggleAutoAdvance = (): void =>
    void change({ autoAdvance: !autoAdvance }).catch((error: unknown) =>
      actions.say(`The switch was not stored. ${toError(error).message}`),
    );
  useWorkspaceKeys({ toggleAutoAdvance });
  const source = useWork((state) => state.open === 'source');
  const [panes, setPanes] = useState(loadPanes);
  const size = (next: Partial<Panes>): void => {
    const all = { ...panes, ...next };
    setPanes(all);
    savePanes(all);
  };
  useEffect(() => void focus.go('list'), [focus]);

  return (
    <div className={classes.workspace}>
      <Bar autoAdvance={autoAdvance} onAutoAdvance={toggleAutoAdvance} />
      <div className={classes.panes}>
        <div className={classes.pane} style={{ width: panes.left }}>
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
        </div>
        <Splitter
          label="Width of the list"
          direction="columns"
          value={panes.left}
          least={180}
          most={620}
          onChange={(left) => size({ left })}
        />
        <div className={classes.middle}>
          <StageBar />
          <Stage />
        </div>
        {source && <SourcePanel />}
        <Splitter
          label="Width of the form"
          direction="columns"
          value={panes.right}
          least={260}
          most={640}
          after
          onChange={(right) => size({ right })}
        />
        <div className={classes.pane} style={{ width: panes.right }}>
          <StepForm />
        </div>
      </div>
      <Timeline />
      <RemoveDialog />
      <HistoryDrawer />
      <Flipping />
      <Notices />
      <Spoken />
    </div>
  );
}

/** Before and after in turn, while that is on. */
function Flipping(): null {
  const store = useWorkStore();
  const flipping = useWork((state) => state.flipping);
  useEffect(() => {
    if (!flipping) return;
    const timer = setInterval(
      () => store.setState(({ side }) => ({ side: side === 'before' ? 'after' : 'before' })),
      TURN_MS,
    );
    return () => clearInterval(timer);
  }, [flipping, store]);
  return null;
}

/** What went wrong stays until it is closed; the rest goes by itself. */
function Notices(): ReactNode {
  const actions = useActions();
  const notices = useWork((state) => state.notices);
  useEffect(() => {
    const passing = notices.filter((notice) => notice.tone === 'info').at(-1);
    if (!passing) return;
    const timer = setTimeout(() => actions.dismiss(passing.id), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notices, actions]);
  return (
    <div className={classes.notices}>
      {notices.map((notice) => (
        <div
          key={notice.id}
          className={classes.notice}
          data-tone={notice.tone}
          role={notice.tone === 'bad' ? 'alert' : 'status'}
        >
          <span className={classes.noticeText}>{notice.text}</span>
          <CloseButton size="sm" aria-label="Close the message" onClick={() => actions.dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}

/** The step in hand, for people who hear the page. */
function Spoken(): ReactNode {
  const words = useWork((state) => {
    const step = state.doc.steps[state.at];
    if (!step) return '';
    return `Step ${state.at + 1} of ${state.doc.steps.length}: ${step.narration.slice(0, 200)}, ${STATE_WORDS[step.state]}`;
  });
  return (
    <div className="visually-hidden" aria-live="polite" data-testid="spoken">
      {words}
    </div>
  );
}
