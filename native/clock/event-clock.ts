import type { SessionClock } from './session-clock.ts';

/**
 * Event times of the operating system on the session clock (C2). Pure but for the clock that is handed in.
 */
type EventClock = {
  /** An event's own time, ms as the hook gives it, to session µs; `receivedUs` is when it reached us (default: now). */
  toSession(hookTimeMs: number, receivedUs?: number): number;
};

const WRAP = 2 ** 32;

/**
 * X11: the server's time is CLOCK_MONOTONIC in ms modulo 2^32 (DIX GetTimeInMillis), the clock behind the session clock.
 * The multiple of 2^32 ms (49.7 days) is the one nearest to now. Result in µs, at the start of that millisecond.
 */
export function x11EventTime(clock: SessionClock, hookTimeMs: number, nowNs: bigint): number {
  const nowMs = nowNs / 1_000_000n;
  const wrap = BigInt(WRAP);
  const inWrap = BigInt(Math.trunc(hookTimeMs)) % wrap;
  let ms = nowMs - (nowMs % wrap) + inWrap;
  if (ms - nowMs > wrap / 2n) ms -= wrap;
  else if (nowMs - ms > wrap / 2n) ms += wrap;
  return clock.fromNs(ms * 1_000_000n);
}

type MinimumOptions = {
  /** The hook's counter starts again at 0 after this many ms: 2^32 for GetTickCount (49.7 days). 0: it never does. */
  wrapMs?: number;
  /**
   * How fast the two clocks may drift apart, µs a second: the minimum is let go at this rate, so that it follows.
   * 0 keeps the smallest for good.
   */
  driftUsPerSecond?: number;
};

/**
 * Elsewhere: offset = running minimum of (receive time - event time). An event can only be received after it happened, so
 * the smallest difference ever seen is the one with the least delay in it; a late delivery changes nothing.
 */
export function minimumOffsetClock(now: () => number, options: MinimumOptions = {}): EventClock {
  const { wrapMs = 0, driftUsPerSecond = 0 } = options;
  let offset: number | null = null;
  let lastMs: number | null = null;
  let turns = 0;
  let lastReceived = 0;
  let newestUs = Number.NEGATIVE_INFINITY;
  let newestT = Number.NEGATIVE_INFINITY;
  return {
    toSession: (hookTimeMs, receivedUs = now()) => {
      let ms = hookTimeMs;
      if (wrapMs > 0) {
        const before: number = lastMs ?? ms;
        // A fall of more than half the range is a wrap; a rise of more than half is a straggler from before it.
        if (before - ms > wrapMs / 2) turns++;
        else if (ms - before > wrapMs / 2 && turns > 0) {
          return Math.round((ms + (turns - 1) * wrapMs) * 1000 + (offset ?? 0));
        }
        lastMs = ms;
        ms += turns * wrapMs;
      }
      const eventUs = ms * 1000;
      if (offset !== null) offset += (Math.max(0, receivedUs - lastReceived) / 1e6) * driftUsPerSecond;
      lastReceived = Math.max(lastReceived, receivedUs);
      const difference = receivedUs - eventUs;
      offset = offset === null ? difference : Math.min(offset, difference);
      // A smaller offset than before must not put this event ahead of one that happened earlier.
      const t = Math.max(Math.round(eventUs + offset), eventUs >= newestUs ? newestT : Number.NEGATIVE_INFINITY);
      if (eventUs >= newestUs) [newestUs, newestT] = [eventUs, t];
      return t;
    },
  };
}

/** macOS's clocks at one moment: mach_absolute_time and mach_continuous_time in ticks, and ns a tick as a fraction. */
export type MachNow = { absolute: bigint; continuous: bigint; numer: number; denom: number };

/**
 * macOS: event times (and avfoundation's) run on mach_absolute_time, which stands still while the machine sleeps;
 * `process.hrtime` runs on mach_continuous_time (libuv), which does not. Both are read together, so the offset is exact.
 * CGEventGetTimestamp is documented in ns but given in ticks by some systems (they differ where a tick is not 1 ns, on
 * Apple silicon 41.7 ns): the reading that is nearer to now is taken. Result: ns on hrtime's clock.
 */
export function machEventNs(hookTime: number, now: MachNow): bigint {
  const toNs = (ticks: bigint): bigint => (ticks * BigInt(now.numer)) / BigInt(now.denom);
  const nowNs = toNs(now.absolute);
  const asNs = BigInt(Math.trunc(hookTime));
  const asTicks = toNs(asNs);
  const distance = (ns: bigint): bigint => (ns > nowNs ? ns - nowNs : nowNs - ns);
  const absoluteNs = distance(asTicks) < distance(asNs) ? asTicks : asNs;
  return absoluteNs + toNs(now.continuous - now.absolute);
}
