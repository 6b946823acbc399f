import type { Pin } from '../../schemas/review.ts';
import { tr } from '../language/tr.ts';
import { useTools } from '../workbench/context.ts';
import type { Point } from '../workbench/geometry.ts';
import type { ReviewSync } from '../workbench/log/sync.ts';
import { shownFrame, useWorkStore, type WorkState, type WorkStore } from '../workbench/store.ts';
import { type Numbered, nextOpenThread, numbered } from './threads.ts';

/** The talk of people about a recording (pattern 15): on both pages, for whoever said who they are. */
export type Talk = ReturnType<typeof makeTalk>;

type Dependencies = {
  store: WorkStore;
  sync: ReviewSync;
  go: (step: number) => void;
  focus: (name: string) => boolean;
  say: (text: string, tone?: 'bad' | 'info') => void;
  /** Stores what is in a field. */
  settle: () => void;
  /** Only threads of the step in hand. */
  sayHere: (text: string) => void;
};

function makeTalk({ store, sync, go, focus, say, settle, sayHere }: Dependencies) {
  const { getState: get, setState: set } = store;
  /** The thread that "next unresolved" went to last. */
  let current: string | null = null;

  /** Opens the writing of a comment: on the step in hand, and on the moment when one is looked at. */
  function write(): void {
    const state = get();
    set({ commenting: pinHere(state, null) });
  }

  /** The comment that was being written. */
  function keep(text: string): void {
    const pin = get().commenting;
    set({ commenting: null });
    if (!pin || text.trim() === '') return;
    sync.act({ type: 'comment', thread: null, pin, text: text.trim() });
  }

  function here(): Numbered[] {
    const { at } = get();
    return numberedThreads(get()).filter((one) => one.at === at);
  }

  /** Goes to its step and picture. */
  function show({ thread, at }: Numbered): void {
    current = thread.id;
    if (at >= 0) go(at);
    set({ thread: thread.id, ...(thread.pin.role === 'after' && { side: 'after' as const }) });
  }

  function resolve(thread: string, open: boolean): void {
    // A button leaves the focus where it is: what was typed to put it right is stored first.
    settle();
    sync.act({ type: open ? 'unresolve' : 'resolve', thread });
  }

  return {
    write,
    keep,
    show,
    /** A place in the shown picture, px of the picture's own frame. */
    pin({ x, y }: Point): void {
      set({ mode: { kind: 'idle' }, commenting: pinHere(get(), [x, y]) });
    },
    answer(thread: string, text: string): void {
      if (text.trim() === '') return;
      const pin = get().review?.view.threads.find((one) => one.id === thread)?.pin;
      if (pin) sync.act({ type: 'comment', thread, pin, text: text.trim() });
    },
    resolve,
    /** Goes to the field for an answer to what is open at the step in hand. */
    answerHere(): void {
      if (!focus('answer')) sayHere(tr('There is no comment at this step to answer.'));
    },
    /** Resolves the first open thread at the step in hand; reopens the last when none is. */
    resolveHere(): void {
      const threads = here().map(({ thread }) => thread);
      const open = threads.find((thread) => thread.open);
      const last = threads.at(-1);
      if (open) resolve(open.id, false);
      else if (last) resolve(last.id, true);
      else sayHere(tr('There is no comment at this step.'));
    },
    next(): void {
      const found = nextOpenThread(numberedThreads(get()), get().at, current);
      if (!found) {
        say(tr('No comment is open any more.'), 'info');
        return;
      }
      show(found);
      const text = found.thread.entries[0]?.text.slice(0, 160) ?? '';
      const { number } = found;
      say(
        text === '' ? tr('Comment {number}: no words', { number }) : tr('Comment {number}: {text}', { number, text }),
        'info',
      );
    },
    togglePanel(): void {
      set(({ open }) => ({ open: open === 'threads' ? null : 'threads' }));
    },
  };
}

const talks = new WeakMap<ReviewSync, Talk>();

/** The talk about the recording that is open; null while nobody was chosen. */
export function useTalk(): Talk | null {
  const store = useWorkStore();
  const { review: sync, actions, focus } = useTools();
  if (!sync) return null;
  const talk =
    talks.get(sync) ??
    makeTalk({
      store,
      sync,
      go: actions.go,
      focus: focus.go,
      say: actions.say,
      settle: actions.settle,
      sayHere: actions.sayHere,
    });
  talks.set(sync, talk);
  return talk;
}

export function numberedThreads({ review, opened, doc }: Pick<WorkState, 'review' | 'opened' | 'doc'>): Numbered[] {
  return review ? numbered(review.view.threads, { opened, doc }) : [];
}

/** The step in hand; the side that is shown when a place is meant; the time when another moment is looked at. */
function pinHere(state: WorkState, place: [number, number] | null): Pin {
  const { at, doc, side, looking, playhead, opened } = state;
  const t = playhead ?? (looking === null ? null : (opened.frames[shownFrame(state)]?.[1] ?? null));
  const action = doc.steps[at]?.step.id ?? null;
  return { action, role: place === null || t !== null ? null : side, place, t };
}
