import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { tr } from '../language/tr.ts';
import { usePageBar } from '../ui/page-bar.ts';
import { useActions, useTools } from './context.ts';
import { HistoryDrawer } from './form/history-drawer.tsx';
import { loadPanes, type Panes, savePanes } from './panes.ts';
import { Splitter } from './parts.tsx';
import { BoxSheet } from './sheet/box-sheet.tsx';
import { Stage, type StageProps } from './stage/stage.tsx';
import { StageBar } from './stage/stage-bar.tsx';
import { type Notice, useWork, useWorkStore, type WorkState } from './store.ts';
import { type MomentsOf, Timeline } from './timeline/timeline.tsx';
import { Unstored } from './unstored.tsx';
import { SourcePanel } from './video/source-panel.tsx';
import classes from './workbench.module.css';

const NOTICE_MS = 7_000;
const TURN_MS = 750;

/** Comments on the recording; the workbench gives each part its place. */
export type Remarks = {
  /** Over the picture. */
  pins: NonNullable<StageProps['pins']>;
  /** Ctrl and a click on a pixel of the picture; null while nobody was chosen. */
  onPin: NonNullable<StageProps['onPin']> | null;
  /** Beside the picture, while it is open. */
  panel: ReactNode;
  /** On the timeline. */
  moments: MomentsOf;
};

/** A recording at work, whatever is done with it: list, picture, form, timeline, each page giving its own. */
export function WorkLayout(props: {
  /** In the room that the frame has for it. */
  bar: ReactNode;
  /** Over the panes. */
  strip?: ReactNode;
  left: ReactNode;
  right: ReactNode;
  /** More over the picture, or a picture that is only looked at. */
  stage?: Pick<StageProps, 'marks' | 'readOnly'>;
  remarks: Remarks;
  /** Beside the picture, while it is open. */
  aside?: ReactNode;
  /** Instead of the timeline. */
  below?: ReactNode;
  /** The step in hand, in words, for people who hear the page; a selector, so that it alone is drawn when it changes. */
  spoken: (state: WorkState) => string;
  children?: ReactNode;
}): ReactNode {
  const { remarks } = props;
  const { focus } = useTools();
  const source = useWork((state) => state.open === 'source');
  const threads = useWork((state) => state.open === 'threads' && state.review !== null);
  const sheet = useWork((state) => state.sheet.is === 'shown');
  const sheetTop = useRef(0);
  const [panes, setPanes] = useState(loadPanes);
  const size = (next: Partial<Panes>): void => {
    const all = { ...panes, ...next };
    setPanes(all);
    savePanes(all);
  };
  useEffect(() => {
    const onResize = (): void => setPanes(loadPanes());
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  useEffect(() => void focus.go('list'), [focus]);
  const room = usePageBar();
  return (
    <div className={classes.workspace}>
      {room === null ? null : createPortal(props.bar, room)}
      {props.strip}
      <Unstored />
      <div className={classes.panes}>
        <div className={classes.pane} style={{ width: panes.left }}>
          {props.left}
        </div>
        <Splitter
          label={tr('Width of the list')}
          direction="columns"
          value={panes.left}
          least={160}
          most={620}
          onChange={(left) => size({ left })}
        />
        <div className={classes.middle}>
          {sheet ? (
            <BoxSheet top={sheetTop} />
          ) : (
            <>
              <StageBar />
              <Stage {...props.stage} pins={remarks.pins} onPin={remarks.onPin} />
            </>
          )}
          <Notices />
        </div>
        {source && <SourcePanel />}
        {threads && remarks.panel}
        {props.aside}
        <Splitter
          label={tr('Width of the form')}
          direction="columns"
          value={panes.right}
          least={240}
          most={640}
          after
          onChange={(right) => size({ right })}
        />
        <div className={classes.pane} style={{ width: panes.right }}>
          {props.right}
        </div>
      </div>
      {props.below ?? <Timeline moments={remarks.moments} />}
      <HistoryDrawer />
      {props.children}
      <Flipping />
      <Spoken words={props.spoken} />
    </div>
  );
}

function Spoken({ words }: { words: (state: WorkState) => string }): ReactNode {
  return (
    <div className="visually-hidden" aria-live="polite" data-testid="spoken">
      {useWork(words)}
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

/**
 * Over the foot of the picture, where no control is. A notice of something that went wrong stays until it is closed. The others
 * go by themselves, let the pointer through to the picture, and nearly vanish where it comes: a target may lie below them.
 */
function Notices(): ReactNode {
  const all = useWork((state) => state.notices);
  const step = useWork((state) => state.doc.steps[state.at]?.step.id);
  const notices = useMemo(() => all.filter((notice) => notice.step === undefined || notice.step === step), [all, step]);
  const place = useRef<HTMLDivElement>(null);
  const [pointedAt, setPointedAt] = useState(false);
  useEffect(() => {
    const over = place.current?.parentElement;
    if (notices.length === 0 || !over) return;
    const look = ({ clientX, clientY }: PointerEvent): void => {
      const { left, right, top, bottom } = place.current?.getBoundingClientRect() ?? new DOMRect();
      setPointedAt(clientX >= left && clientX <= right && clientY >= top && clientY <= bottom);
    };
    const away = (): void => setPointedAt(false);
    over.addEventListener('pointermove', look);
    over.addEventListener('pointerleave', away);
    return () => {
      over.removeEventListener('pointermove', look);
      over.removeEventListener('pointerleave', away);
    };
  }, [notices]);
  return (
    <div ref={place} className={classes.notices} data-pointed-at={pointedAt || undefined}>
      {notices.map((notice) => (
        <NoticeLine key={notice.id} {...notice} />
      ))}
    </div>
  );
}

function NoticeLine({ id, tone, text }: Notice): ReactNode {
  const actions = useActions();
  useEffect(() => {
    if (tone !== 'info') return;
    const timer = setTimeout(() => actions.dismiss(id), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [id, tone, actions]);
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className={classes.noticeText}>{text}</span>
      <CloseButton size="sm" aria-label={tr('Close the message')} onClick={() => actions.dismiss(id)} />
    </div>
  );
}
