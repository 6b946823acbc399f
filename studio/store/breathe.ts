import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long one piece of work may keep everybody else waiting, ms. */
const SLICE_MS = 10;
let since = performance.now();

/**
 * Called between pieces of long work: lets requests and other work in when nobody was let in for a while. The database
 * answers without a turn of the loop, so waiting for it is no pause for others.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - since < SLICE_MS) return;
  await nextTurn();
  since = performance.now();
}
