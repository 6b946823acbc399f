import { toRecords } from '../../core/annotate/document.ts';
import type { StoredTransaction } from '../../schemas/annotation.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import { client, toError } from '../client/api.ts';
import { onHealed } from '../client/connection.ts';
import { openEarly as askRecording } from '../client/early.ts';
import { activeCommands } from '../ui/keys/store.ts';
import { makeActions } from './actions.ts';
import { makeFocus, type Tools } from './context.ts';
import { queueCheck, queueStorage } from './document/storage.ts';
import { openSync, type Sync } from './document/sync.ts';
import { counted, loadEffort, saveEffort } from './effort.ts';
import { followStep } from './form/follow.ts';
import { firstPicture, likelyFrame } from './frames/first.ts';
import { makePictures } from './frames/pictures.ts';
import { loadFrame, transportOf } from './load.ts';
import { finishAct } from './log/finish.ts';
import { documentAsHandedIn } from './log/fixes.ts';
import { actCheck, actStorage } from './log/storage.ts';
import { openReviewSync, type ReviewSync } from './log/sync.ts';
import { reviewTransportOf } from './log/transport.ts';
import { createWorkStore, type Page, shownFrame, type WorkState, type WorkStore } from './store.ts';
import { withDocument } from './with-document.ts';

export type OpenDocument = { store: WorkStore; tools: Tools; close: () => void };

/** The place where a page begins, from the step on that this tab had in hand (null: none); null: as always. */
export type Begin = (state: WorkState, kept: number | null) => Pick<WorkState, 'at' | 'stop'> | null;

type OpenOptions = {
  ws: string;
  recording: string;
  page: Page;
  /** Null: nobody was chosen; then there is no review. */
  person: string | null;
  /** Null: the one that the person would work in. */
  document: string | null;
  autoAdvance: { current: boolean };
  begin?: Begin | undefined;
};

/** Reads everything of a recording that a page needs, and keeps it the same as the studio's from then on. */
export async function openRecording(options: OpenOptions): Promise<OpenDocument> {
  const { ws, recording, page, person } = options;
  const asker = person === null ? {} : { person };
  const asked = askRecording(ws, recording, person);
  // It may fail while the review is waited for; it is reported below.
  asked.catch(() => {});
  const review = person === null ? null : await client.review.get({ ws, recording, person, since: '' });
  const id = options.document ?? (page === 'annotate' ? (review?.own ?? recording) : recording);
  const atKey = `${page}:at:${ws}:${id}`;
  const pictures = makePictures((i, signal) => loadFrame(ws, recording, i, signal));
  // On its way while the document is read and the page is drawn for the first time; a guess that was wrong is given up.
  asked.then((data) => pictures.want(likelyFrame(data, sessionStorage.getItem(atKey)), null)).catch(() => {});
  const [data, document, check, checkOfActs] = await Promise.all([
    asked,
    client.annotation.get({ ws, recording, document: id, ...asker }),
    queueCheck(sessionStorage, ws, id),
    person === null ? null : actCheck(sessionStorage, ws, recording, person),
  ]).catch((error: unknown) => {
    pictures.close();
    throw error;
  });
  const handedIn = page === 'review' && review ? await readHandedIn(ws, review, document, person) : null;

  const effortKey = `annotate:effort:${ws}:${id}`;
  let store: WorkStore | null = null;
  let reviewSync: ReviewSync | null = null;
  let say = (_text: string): void => {};
  let showChanged = (_stored: StoredTransaction): void => {};
  const sync = openSync({
    transport: transportOf({ ws, recording, document: id, person }),
    storage: queueStorage(sessionStorage, ws, id, check),
    document,
    newId: () => crypto.randomUUID(),
    onNotice: (text) => say(text),
    onUndone: (stored) => showChanged(stored),
    onChange: (state) => {
      store?.setState((before) => withDocument(before, state));
      // A decision on what was just fixed waits until the fix is stored.
      if (state.pending.queue.length === 0) reviewSync?.wake();
    },
  });
  if (review && person !== null) {
    reviewSync = openReviewSync({
      transport: reviewTransportOf(client.review, { ws, recording, person }, review),
      storage: actStorage(sessionStorage, ws, recording, person, checkOfActs),
      person,
      review,
      newId: () => crypto.randomUUID(),
      now: () => new Date().toISOString(),
      finish: (act) => finishAct(act, sync.state().pending, store?.getState().handedIn ?? handedIn),
      onChange: (state) => store?.setState({ review: state }),
      onNotice: (text) => say(text),
    });
  }
  const made = createWorkStore(ws, data, sync.state(), loadEffort(effortKey), {
    page,
    document: id,
    person,
    handedIn,
    review: reviewSync?.state() ?? null,
  });
  store = made;
  const actions = makeActions({
    store: made,
    sync,
    newId: () => crypto.randomUUID(),
    now: () => performance.now(),
    askProposals: (action) => client.annotation.proposals({ ws, recording, document: id, action, ...asker }),
    askGrow: (action, x, y) => client.annotation.grow({ ws, recording, document: id, action, x, y, ...asker }),
    askReject: (draft, rejected) => client.drafts.reject({ ws, recording, document: id, draft, rejected, ...asker }),
    autoAdvance: () => page === 'annotate' && options.autoAdvance.current,
  });
  say = actions.say;
  showChanged = actions.showChanged;
  startWhereLeft(made, atKey, options.begin);
  const picture = firstPicture(pictures, data.frames[shownFrame(made.getState())]?.[0] ?? -1);
  // Names to complete are a help: without them everything else works.
  void client.annotation
    .vocabulary({ ws, software: data.row.software, ...asker })
    .then((vocabulary) => made.setState({ vocabulary }))
    .catch((reason: unknown) => console.warn(toError(reason).message));

  // So are drafts of models, which who reviews does not see.
  const readDrafts = (): void => {
    if (page !== 'annotate') return;
    client.drafts
      .of({ ws, recording, document: id, ...asker })
      .then((drafts) => made.setState({ drafts }))
      .catch((reason: unknown) => console.warn(toError(reason).message));
  };
  readDrafts();

  const form = followStep(made, picture);
  const focus = makeFocus(form.catchUp);
  const stop = watchPage({ store: made, sync, reviewSync, settle: actions.settle, effortKey });
  return {
    store: made,
    tools: {
      actions,
      pictures,
      frames: data.frames,
      focus,
      review: reviewSync,
      run: (command) =>
        activeCommands()
          .find((one) => one.id === command)
          ?.run(null),
    },
    close() {
      actions.settle();
      stop();
      form.stop();
      sync.close();
      reviewSync?.close();
      pictures.close();
    },
  };
}

/** The main document as it was submitted, to see what a reviewer fixed. Null when it was not submitted. */
async function readHandedIn(
  ws: string,
  review: ReviewState,
  document: Awaited<ReturnType<typeof client.annotation.get>>,
  person: string | null,
) {
  const { recording, documents } = review;
  const submitted = documents.find((one) => one.person === null)?.submitted ?? null;
  if (submitted === null) return null;
  const limit = Math.min(Math.max(document.version - submitted, 1), 1000);
  const asker = person === null ? {} : { person };
  const later = await client.annotation.history({ ws, recording, limit, ...asker });
  return documentAsHandedIn(toRecords(document.records), document.version, submitted, later);
}

/** The step that was in hand, stored for this tab; else the first that is not done, or where the page begins. */
function startWhereLeft(store: WorkStore, key: string, begin?: Begin): void {
  const { doc } = store.getState();
  const kept = sessionStorage.getItem(key);
  const found = doc.steps.findIndex(({ step, state }) => (kept === null ? state === 'open' : step.id === kept));
  // A video without steps is shown from its first picture on, where one can be added.
  if (doc.steps.length === 0 && store.getState().opened.frames.length > 0) store.setState({ looking: 0 });
  const place = begin?.(store.getState(), kept === null ? null : found);
  store.setState(place ? { at: place.at, stop: place.stop } : { at: Math.max(found, 0) });
  store.subscribe((state, before) => {
    const [id, was] = [state, before].map(({ doc, at }) => doc.steps[at]?.step.id);
    if (id !== was && id !== undefined) sessionStorage.setItem(key, id);
  });
}

type Watched = {
  store: WorkStore;
  sync: Sync;
  reviewSync: ReviewSync | null;
  settle: () => void;
  effortKey: string;
};

/** Listens to the page as a whole: it is hidden, it is left, keys and presses are made. */
function watchPage({ store, sync, reviewSync, settle, effortKey }: Watched): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const stopHealed = onHealed(() => {
    sync.retry();
    reviewSync?.retry();
  });
  const follow = (shown: boolean): void => {
    sync.follow(shown);
    reviewSync?.follow(shown);
  };
  const onVisibility = (): void => {
    if (document.hidden) settle();
    follow(!document.hidden);
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
  // The stream may not notice by itself that the line is gone: opening it again shows it.
  const again = (): void => {
    follow(false);
    follow(!document.hidden);
  };
  window.addEventListener('offline', again, { signal });
  window.addEventListener('online', again, { signal });
  window.addEventListener(
    'beforeunload',
    (event) => {
      settle();
      const state = store.getState();
      const unkept = state.sync.unkept && state.sync.pending.queue.length > 0;
      if (unkept || (state.review?.unkept && state.review.waiting > 0)) event.preventDefault();
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
