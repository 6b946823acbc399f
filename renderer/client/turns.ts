/**
 * A browser has six connections to a server for all its windows together, unless they speak HTTP/2, and an open stream holds one
 * until it is closed: with six windows side by side nothing else would be answered. So the windows share a few places for streams,
 * and where more are wanted they take turns.
 */

/** Places for streams: of the six connections one is left for the picture of a stage, and one for everything else. */
const PLACES = Array.from({ length: 4 }, (_, n) => `studio-stream-${n}`);
/** How long a stream may stay open though another waits, ms: in the window that is worked in, and in another. */
const IN_HAND_MS = 10_000;
const BESIDE_MS = 3000;
const LOOK_MS = 1000;

type Locks = Pick<LockManager, 'request' | 'query'>;

/** Where turns are needed: null where streams share one connection, or the browser knows no locks (a page without TLS). */
export function placesForStreams(): Locks | null {
  if (typeof document === 'undefined') return null;
  const [page] = performance.getEntriesByType('navigation');
  const protocol = page instanceof PerformanceNavigationTiming ? page.nextHopProtocol : '';
  return /^h[23]/.test(protocol) ? null : (navigator.locks ?? null);
}

/**
 * Waits until there is a place for one more stream. `makeWay` is called when another stream waits and this one had its time. Gives
 * what frees the place. Throws what the signal is aborted with.
 */
export async function takeTurn(locks: Locks, signal: AbortSignal, makeWay: () => void): Promise<() => void> {
  const over = Promise.withResolvers<void>();
  const place = await firstFree(locks, signal, over.promise);
  const began = performance.now();
  const timer = setInterval(async () => {
    const mine = performance.now() - began;
    if (mine < (document.hasFocus() ? IN_HAND_MS : BESIDE_MS)) return;
    const { pending = [] } = await locks.query();
    if (pending.some(({ name }) => name === place)) makeWay();
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    over.resolve();
  };
}

/** The place that is free first, held until `until`. */
function firstFree(locks: Locks, signal: AbortSignal, until: Promise<void>): Promise<string> {
  const got = Promise.withResolvers<string>();
  const rest = new AbortController();
  const asked = AbortSignal.any([signal, rest.signal]);
  let isTaken = false;
  for (const place of PLACES)
    locks
      .request(place, { signal: asked }, () => {
        // Two may be free at the same moment.
        if (isTaken) return undefined;
        isTaken = true;
        rest.abort();
        got.resolve(place);
        return until;
      })
      .catch((error: unknown) => {
        if (!isTaken) got.reject(error);
      });
  return got.promise;
}
