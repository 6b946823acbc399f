/** Where the browser tells of no idle time: when a piece of work begins, and how long it may take, ms. */
const SOON = 50;
const A_PIECE = 10;

/**
 * Works once the page has nothing else to do, at the latest `within` ms from now; `left`: for how much longer, ms. Gives what
 * calls it off. Safari has no requestIdleCallback.
 */
export function whenIdle(work: (left: () => number) => void, within: number): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback((deadline) => work(() => deadline.timeRemaining()), { timeout: within });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(() => {
    const end = performance.now() + A_PIECE;
    work(() => end - performance.now());
  }, SOON);
  return () => clearTimeout(timer);
}
