import { isDeepStrictEqual } from 'node:util';
import { endWithDisplay, openHands, openStageWindows } from '../../../native/index.ts';
import { keepCompiledCode } from '../../../native/process/keep-compiled.ts';
import { hearParent, tellParent } from '../../../native/process/serve.ts';
import { protocol } from '../../../native/process/supervise.ts';
import type { Rect } from '../../../schemas/events.ts';
import { type Arranged, type ArrangeOrder, isPlacedAs } from './arrange.ts';
import { screenAtRest } from './at-rest.ts';

/** A process on a stage's display: waits for windows, places them, and tells when the screen has come to rest. */

const LOOK_MS = 100;
/** The screen is at rest when nothing changed for this long, ms. */
const STILL_MS = 1200;
/** A screen that is never at rest (a clock, a film) is taken as it is after this long, ms. */
const NEVER_STILL_MS = 15_000;
/** How often windows that went elsewhere are put back: LibreOffice may make its own as large as the screen a moment later. */
const MOST_PUT_BACK = 4;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const tell = (message: Arranged): void => void tellParent(message);
/** Tells the last message, after which the process that started this one ends it. */
function tellLast(message: Arranged): void {
  keepCompiledCode();
  tell(message);
}

hearParent(protocol<ArrangeOrder>({ arrange: true }), async (order) => {
  try {
    await endWithDisplay();
    const windows = await openStageWindows();
    while (!windows.managed()) await sleep(LOOK_MS);
    const placed: { window: string; place: Rect }[] = [];
    for (const [n, { title, place, raise }] of order.windows.entries()) {
      let window = windows.find(title);
      let told: string | null = null;
      while (window === null) {
        const titles = windows.titles();
        if (titles.join('\n') !== told) tell({ type: 'waiting', window: n, titles });
        told = titles.join('\n');
        await sleep(LOOK_MS);
        window = windows.find(title);
      }
      if (raise) windows.raise(window);
      if (!place) continue;
      windows.place(window, place);
      placed.push({ window, place });
    }
    const hands = await openHands();
    // Out of the way of what the programs show.
    hands.move(order.screen.width - 1, order.screen.height - 1);
    // Where no program runs nothing is going to change.
    const rest = async () =>
      order.programs &&
      screenAtRest(hands, order.screen, { stillMs: STILL_MS, lookMs: LOOK_MS, atMostMs: NEVER_STILL_MS });
    await rest();
    let away = placed.map((one) => ({ ...one, was: null as Rect | null }));
    for (let n = 0; n < MOST_PUT_BACK && away.length > 0; n++) {
      away = away.flatMap(({ window, place, was }) => {
        const is = windows.bounds(window);
        // One that stayed as it was when it was put back has a size of its own.
        const stays = is === null || isPlacedAs(is, place) || isDeepStrictEqual(is, was);
        return stays ? [] : [{ window, place, was: is }];
      });
      for (const { window, place } of away) windows.place(window, place);
      if (away.length > 0) await rest();
    }
    tellLast({ type: 'arranged' });
  } catch (error) {
    tellLast({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
