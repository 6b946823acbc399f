/** How long one piece of work may keep everybody else waiting, ms. */
const SLICE_MS = 10;
let since = performance.now();
const waiting: (() => void)[] = [];

/**
 * Called between pieces of long work, and before each request: lets others in when nobody was let in for a while. The database
 * answers without a turn of the loop, so waiting for it is no pause for others. Of several that wait one goes on in each turn of
 * the loop, in the order in which they came: fifty requests at once are fifty pieces of work, not one.
 */
export function breathe(): Promise<void> {
  if (waiting.length === 0 && performance.now() - since < SLICE_MS) return Promise.resolve();
  return new Promise((goOn) => {
    waiting.push(goOn);
    if (waiting.length === 1) setImmediate(letOneIn);
  });
}

function letOneIn(): void {
  since = performance.now();
  waiting.shift()?.();
  // Asked for within a turn's own immediates, this is one of the next turn.
  if (waiting.length > 0) setImmediate(letOneIn);
}
