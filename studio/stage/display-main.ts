import { openHands, openStageKeyboard, openTitles } from '../../native/index.ts';
import { tellParent } from '../files/tell-parent.ts';
import { screenAtRest } from './at-rest.ts';
import type { DisplayCall, FromDisplay, StageDisplayCalls, ToDisplay } from './display.ts';
import { type Doer, doerOf } from './do-act.ts';

/** The process that holds a stage's display, of its environment, and does what it is asked, one call after the other. */

type Answers = {
  [C in DisplayCall]: (...asked: StageDisplayCalls[C]['asks']) => Promise<StageDisplayCalls[C]['gives']>;
};

async function open(): Promise<Answers> {
  const hands = await openHands();
  process.once('exit', () => hands.releaseAll());
  const windows = await openTitles();
  const keyboard = await openStageKeyboard();
  // Opened with the first act: a layout that was changed since then counts.
  let doer: Doer | null = null;
  const acting = (): Doer => {
    doer ??= doerOf(hands, keyboard);
    return doer;
  };
  return {
    layout: async () => keyboard.layout(),
    do: (act) => acting().act(act),
    answered: (atMostMs) => hands.answered(atMostMs),
    rest: (rect, times) => screenAtRest(hands, rect, times),
    look: async (rect) => hands.look(rect),
    titles: async () => [...windows.titles()],
    screen: async () => windows.screen(),
    async release() {
      acting().release();
      return null;
    },
  };
}

process.once('disconnect', () => process.exit(1));
// Ctrl+C in a terminal reaches every process there; the one that started this one hears it too, and ends it.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => process.exit(1));

const opened = open();
opened.catch(() => undefined); // Told at each call.
let last: Promise<void> = Promise.resolve();
process.on('message', (asked: ToDisplay) => {
  last = last.then(() => answer(asked));
});

async function answer(asked: ToDisplay): Promise<void> {
  const tell = (message: FromDisplay): Promise<void> => tellParent(message);
  try {
    const answers = await opened;
    // Cast: which call it is decides what it is asked with.
    const call = answers[asked.call] as (...words: readonly unknown[]) => Promise<unknown>;
    await tell({ n: asked.n, gives: await call(...asked.with) });
  } catch (error) {
    await tell({ n: asked.n, fails: error instanceof Error ? error.message : String(error) });
  }
}
