import { Loader } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { onHealed } from '../client/connection.ts';
import { usePersonId } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel, usePageTitle } from '../ui/parts.tsx';
import { ToolsContext } from './context.ts';
import { type Begin, type OpenDocument, openRecording } from './open.ts';
import { type Page, StoreContext, useWork } from './store.ts';
import classes from './workbench.module.css';

/** A recording that is opened once for a page, by who is chosen, then kept the same as the studio's by itself. */
export function OpenedRecordingPage(props: {
  ws: string;
  recording: string;
  page: Page;
  title: string;
  document: string | null;
  autoAdvance: RefObject<boolean>;
  /** Must stay the same function. */
  begin?: Begin;
  children: ReactNode;
}): ReactNode {
  const { ws, recording, page, document, autoAdvance, begin } = props;
  const person = usePersonId(ws);
  const [opened, setOpened] = useState<OpenDocument | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    void attempt;
    let live = true;
    let close = (): void => {};
    setError(null);
    openRecording({ ws, recording, page, person, document, autoAdvance, begin })
      .then((one) => {
        if (!live) return one.close();
        close = one.close;
        setOpened(one);
      })
      .catch((reason: unknown) => live && setError(reason));
    return () => {
      live = false;
      close();
      setOpened(null);
    };
  }, [ws, recording, page, person, document, autoAdvance, begin, attempt]);

  useEffect(() => {
    if (error !== null) return onHealed(() => setAttempt((n) => n + 1));
  }, [error]);

  if (error !== null) {
    return (
      <div className={classes.failed}>
        <Named title={props.title} />
        <h1 className="visually-hidden">{tr('Recording {recording}', { recording })}</h1>
        <ErrorPanel
          error={error}
          what={tr('The recording {recording} cannot be opened.', { recording })}
          onRetry={() => setAttempt((n) => n + 1)}
        />
      </div>
    );
  }
  if (!opened) {
    return (
      <div className={classes.loading}>
        <Named title={props.title} />
        <Loader size="sm" aria-label={tr('Opening the recording')} role="status" />
      </div>
    );
  }
  return (
    <StoreContext value={opened.store}>
      <ToolsContext value={opened.tools}>
        <NamedByWork title={props.title} />
        {props.children}
      </ToolsContext>
    </StoreContext>
  );
}

function Named({ title }: { title: string }): null {
  usePageTitle(title);
  return null;
}

/** The window says how far the work is, so that it can be read off among other tabs. */
function NamedByWork({ title }: { title: string }): null {
  const task = useWork((state) => state.opened.row.task);
  const done = useWork(({ doc }) => doc.done);
  const steps = useWork(({ doc }) => doc.done + doc.left);
  usePageTitle(steps === 0 ? `${task} · ${title}` : `${done}/${steps} · ${task} · ${title}`);
  return null;
}
