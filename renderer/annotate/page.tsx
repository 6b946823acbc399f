import { Loader } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StoredTransaction } from '../../schemas/annotation.ts';
import { client, toError } from '../app/api.ts';
import { onHealed } from '../app/connection.ts';
import { activeCommands } from '../app/keys/store.ts';
import { ErrorPanel, usePageTitle } from '../app/ui/parts.tsx';
import { makeActions } from './actions.ts';
import classes from './annotate.module.css';
import { makeFocus, type Tools, ToolsContext } from './context.ts';
import { queueStorage } from './document/storage.ts';
import { openSync } from './document/sync.ts';
import { counted, type EffortLog, NO_EFFORT } from './effort.ts';
import { makePictures } from './frames/pictures.ts';
import { loadFrame, transportOf } from './load.ts';
import { createWorkStore, documentOf, StoreContext, type WorkStore } from './store.ts';
import { idleGaps } from './timeline/gaps.ts';
import { Workspace } from './workspace.tsx';

type Opened = { store: WorkStore; tools: Tools; close: () => void };

/** The annotation workspace of one recording: opened once, then kept the same as the studio's document by itself. */
export function AnnotatePage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const autoAdvance = useRef(true);
  usePageTitle(opened ? `${opened.store.getState().opened.row.task} · Annotate` : 'Annotate');

  useEffect(() => {
    void attempt;
    let live = true;
    let close = (): void => {};
    setError(null);
    openRecording(ws, recording, autoAdvance)
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
  }, [ws, recording, attempt]);

  useEffect(() => {
    if (error !== null) return onHealed(() => setAttempt((n) => n + 1));
  }, [error]);

  if (error !== null) {
    return (
      <div className={classes.failed}>
        <h1 className="visually-hidden">Recording {recording}</h1>
        <ErrorPanel
          error={error}
          what={`The recording ${recording} cannot be opened.`}
          onRetry={() => setAttempt((n) => n + 1)}
        />
      </div>
    );
  }
  if (!opened) {
    return (
      <div className={classes.loading}>
        <Loader size="sm" aria-label="Opening the recording" role="status" />
      </div>
    );
  }
  return (
    <StoreContext value={opened.store}>
      <ToolsContext value={opened.tools}>
        <Workspace autoAdvance={autoAdvance} />
      </ToolsContext>
    </StoreContext>
  );
}

async function openRecording(ws: string, recording: string, autoAdvance: { current: boolean }): Promise<Opened> {
  const [data, document] = await Promise.all([
    client.recordings.open({ ws, recording }),
    client.annotation.get({ ws, recording }),
  ]);
  const effortKey = `annotate:effort:${ws}:${recording}`;
  let store: WorkStore | null = null;
  let say = (_text: string): void => {};
  let showChanged = (_stored: StoredTransaction): void => {};
  const sync = openSync({
    transport: transportOf(ws, recording),
    storage: queueStorage(sessionStorage, ws, recording),
    document,
    newId: () => crypto.randomUUID(),
    onNotice: (text) => say(text),
    onUndone: (stored) => showChanged(stored),
    onChange: (state) => {
      store?.setState(({ opened, sync: before, doc }) => ({
        sync: state,
        doc: before.pending.view === state.pending.view ? doc : documentOf(opened, state),
      }));
    },
  });
  const made = createWorkStore(ws, data, sync.state(), loadEffort(effortKey));
  store = made;
  const pictures = makePictures((i, signal) => loadFrame(ws, recording, i, signal));
  const actions = makeActions({
    store: made,
    sync,
    newId: () => crypto.randomUUID(),
    now: () => performance.now(),
    askProposals: (action) => client.annotation.proposals({ ws, recording, action }),
    askGrow: (action, x, y) => client.annotation.grow({ ws, recording, action, x, y }),
    autoAdvance: () => autoAdvance.current,
  });
  say = actions.say;
  showChanged = actions.showChanged;
  startWhereLeft(made, `annotate:at:${ws}:${recording}`);
  // Names to complete are a help: without them everything else works.
  void client.annotation
    .vocabulary({ ws, software: data.row.software })
    .then((vocabulary) => made.setState({ vocabulary }))
    .catch((reason: unknown) => console.warn(toError(reason).message));

  const stop = watchPage(made, sync, actions.settle, effortKey);
  return {
    store: made,
    tools: {
      actions,
      pictures,
      frames: data.frames,
      gaps: idleGaps(data.steps, data.span),
      focus: makeFocus(),
      run: (id) =>
        activeCommands()
          .find((command) => command.id === id)
          ?.run(null),
    },
    close() {
      actions.settle();
      stop();
      sync.close();
      pictures.close();
    },
  };
}

/** The step that was in hand, kept for this tab; else the first that is not done. */
function startWhereLeft(store: WorkStore, key: string): void {
  const { doc } = store.getState();
  const kept = sessionStorage.getItem(key);
  const at =
    kept === null
      ? doc.steps.findIndex((step) => step.state === 'open')
      : doc.steps.findIndex((step) => step.step.id === kept);
  store.setState({ at: Math.max(at, 0) });
  store.subscribe((state, before) => {
    const id = state.doc.steps[state.at]?.step.id;
    if (state.at !== before.at && id !== undefined) sessionStorage.setItem(key, id);
  });
}

/** What the page as a whole tells: it is hidden, it is left, keys and presses are made. */
function watchPage(
  store: WorkStore,
  sync: ReturnType<typeof openSync>,
  settle: () => void,
  effortKey: string,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const stopHealed = onHealed(() => sync.retry());
  const onVisibility = (): void => {
    if (document.hidden) settle();
    sync.follow(!document.hidden);
  };
  const onCount =
    (what: 'key' | 'pointer') =>
    (event: Event): void => {
      if (event instanceof KeyboardEvent && (event.repeat || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)))
        return;
      const { at, doc } = store.getState();
      const action = doc.steps[at]?.step.id;
      if (action) store.setState(({ effort }) => ({ effort: counted(effort, action, what, performance.now()) }));
    };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  window.addEventListener('pagehide', settle, { signal });
  // The stream may not notice by itself: it is opened anew, which tells.
  const again = (): void => {
    sync.follow(false);
    sync.follow(!document.hidden);
  };
  window.addEventListener('offline', again, { signal });
  window.addEventListener('online', again, { signal });
  window.addEventListener(
    'beforeunload',
    (event) => {
      settle();
      if (store.getState().sync.unkept && store.getState().sync.pending.queue.length > 0) event.preventDefault();
    },
    { signal },
  );
  // Before anything else, so that the key that confirms a step counts for it.
  document.addEventListener('keydown', onCount('key'), { signal, capture: true });
  document.addEventListener('pointerdown', onCount('pointer'), { signal, capture: true });
  const unsubscribe = store.subscribe((state, before) => {
    if (state.effort.done !== before.effort.done) saveEffort(effortKey, state.effort);
  });
  return () => {
    controller.abort();
    stopHealed();
    unsubscribe();
  };
}

function loadEffort(key: string): EffortLog {
  try {
    const done: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (typeof done !== 'object' || done === null) return NO_EFFORT;
    const entries = Object.entries(done).filter(([, value]) => isEffort(value));
    return { done: Object.fromEntries(entries), now: null };
  } catch {
    return NO_EFFORT;
  }
}

function isEffort(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('ms' in value && 'keys' in value && 'pointer' in value))
    return false;
  return [value.ms, value.keys, value.pointer].every((one) => typeof one === 'number');
}

function saveEffort(key: string, log: EffortLog): void {
  try {
    localStorage.setItem(key, JSON.stringify(log.done));
  } catch {
    // No room: the medians of this visit are lost with the page, nothing else.
  }
}
