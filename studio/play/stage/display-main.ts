import { endWithDisplay, openHands, openStageKeyboard, openTitles } from '../../../native/index.ts';
import { keepCompiledCode } from '../../../native/process/keep-compiled.ts';
import { serveCalls } from '../../../native/process/serve.ts';
import { screenAtRest } from './at-rest.ts';
import type { StageDisplayCalls } from './display.ts';
import { type Doer, doerOf } from './do-act.ts';

/** The process that holds a stage's display, of its environment, and does what it is asked, one call after the other. */

async function open(): Promise<StageDisplayCalls> {
  await endWithDisplay();
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
    rest: ({ rect, times }) => screenAtRest(hands, rect, times),
    look: async (rect) => hands.look(rect),
    titles: async () => [...windows.titles()],
    screen: async () => windows.screen(),
    release: async () => acting().release(),
  };
}

process.on('SIGTERM', () => process.exit(1));

const opened = open();
// Why it could not be opened is told at each call. Whoever started it ends it.
void opened.then(keepCompiledCode, keepCompiledCode);
let last: Promise<unknown> = Promise.resolve();

/** After all that was asked before. */
function inTurn<T>(work: (display: StageDisplayCalls) => Promise<T>): Promise<T> {
  const done = last.then(async () => work(await opened));
  last = done.catch(() => undefined);
  return done;
}

serveCalls({
  layout: () => inTurn((display) => display.layout(null)),
  do: (act) => inTurn((display) => display.do(act)),
  answered: (atMostMs) => inTurn((display) => display.answered(atMostMs)),
  rest: (asked) => inTurn((display) => display.rest(asked)),
  look: (rect) => inTurn((display) => display.look(rect)),
  titles: () => inTurn((display) => display.titles(null)),
  screen: () => inTurn((display) => display.screen(null)),
  release: () => inTurn((display) => display.release(null)),
} satisfies StageDisplayCalls);
