import { AsyncLocalStorage } from 'node:async_hooks';
import { fairLine } from './jobs/fair-line.ts';

/** How long one piece of work may keep everybody else waiting, ms. */
const SLICE_MS = 10;
let since = performance.now();
const line = fairLine<() => void>();
let waiting = 0;
/** For whom the work at hand is done. */
const asker = new AsyncLocalStorage<string>();

/**
 * Called between pieces of long work, and before each request: lets others in when nobody was let in for a while. The database
 * answers without a turn of the loop, so waiting for it is no pause for others. Of several that wait one goes on in each turn of
 * the loop: fifty requests at once are fifty pieces of work, not one. Askers take turns (`inTurnsOf`), and what one asker waits for
 * goes on in the order in which it came.
 */
export function breathe(): Promise<void> {
  if (waiting === 0 && performance.now() - since < SLICE_MS) return Promise.resolve();
  return new Promise((goOn) => {
    line.put(asker.getStore() ?? '', goOn);
    if (++waiting === 1) setImmediate(letOneIn);
  });
}

/** `work`, and all that it begins, has its pauses in the turns of this asker: four hundred requests of one keep another's waiting for one of them. */
export const inTurnsOf = <T>(who: string, work: () => T): T => asker.run(who, work);

function letOneIn(): void {
  since = performance.now();
  waiting--;
  line.next()?.();
  // Asked for within a turn's own immediates, this is one of the next turn.
  if (waiting > 0) setImmediate(letOneIn);
}
