import { openHands } from '../../native/index.ts';
import { openWindows } from '../../native/linux/place-windows.ts';
import type { Arranged, ArrangeOrder } from './arrange.ts';
import { screenAtRest } from './at-rest.ts';

/** A process on a stage's display: waits for windows, places them, and tells when the screen has come to rest. */

const LOOK_MS = 100;
/** The screen is at rest when nothing changed for this long, ms. */
const STILL_MS = 1200;
/** A screen that is never at rest (a clock, a film) is taken as it is after this long, ms. */
const NEVER_STILL_MS = 15_000;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const tell = (message: Arranged): void => void process.send?.(message);

process.once('message', async (order: ArrangeOrder) => {
  try {
    const windows = openWindows();
    while (!windows.managed()) await sleep(LOOK_MS);
    for (const [n, { title, place }] of order.windows.entries()) {
      let window = windows.find(title);
      let told: string | null = null;
      while (window === null) {
        const titles = windows.titles();
        if (titles.join('\n') !== told) tell({ type: 'waiting', window: n, titles });
        told = titles.join('\n');
        await sleep(LOOK_MS);
        window = windows.find(title);
      }
      if (place) windows.place(window, place);
    }
    const hands = await openHands();
    // Out of the way of what the programs show.
    hands.move(order.screen.width - 1, order.screen.height - 1);
    await screenAtRest(hands, order.screen, { stillMs: STILL_MS, lookMs: LOOK_MS, atMostMs: NEVER_STILL_MS });
    tell({ type: 'arranged' });
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
