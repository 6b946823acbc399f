/** Waiting for conditions instead of for times: a slow machine waits longer, a fast one does not. */

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type UntilOptions = {
  /** Default 60,000 ms: generous, for slow machines; a condition that holds returns at once. */
  timeoutMs?: number;
  /** Default 50 ms. */
  everyMs?: number;
  /** Said in the error when time is up: what was there instead. */
  seen?: () => string;
};

/** Polls until `condition` gives something true and returns it. Throws with `what` when the time is up. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 50, seen }: UntilOptions = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    // A truthy value is neither null nor undefined nor false, which the compiler cannot see for a free T.
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) {
      throw new Error(`waited ${timeoutMs} ms for ${what}${seen ? `; seen instead: ${seen()}` : ''}`);
    }
    await sleep(everyMs);
  }
}

/** A seeded generator of numbers in [0, 1) (mulberry32), so that a random test can be run again from its printed seed. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** CLOCK_MONOTONIC now, µs: the clock behind a recording's `clock.startNs`, so that both can be compared. */
export const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n);
