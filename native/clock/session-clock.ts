/**
 * The session clock (C1): integer microseconds since the session's start on the OS's monotonic clock, the one behind
 * `process.hrtime` (Linux CLOCK_MONOTONIC, Windows QueryPerformanceCounter, macOS mach_absolute_time).
 */
export type SessionClock = {
  source: string;
  /** The session's zero on the OS's monotonic clock, ns. */
  startNs: bigint;
  /** The wall clock at the session's zero, ms since 1970. */
  startedAtMs: number;
  /** Microseconds now. */
  now(): number;
  /** A reading of the OS's monotonic clock in ns as session microseconds. */
  fromNs(ns: bigint): number;
};

const SOURCES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'CLOCK_MONOTONIC',
  win32: 'QueryPerformanceCounter',
  darwin: 'mach_absolute_time',
};

/** A session clock from its zero, so that another thread or process of this machine can share it. */
export function sessionClock(startNs: bigint, startedAtMs: number): SessionClock {
  return {
    source: SOURCES[process.platform] ?? 'hrtime',
    startNs,
    startedAtMs,
    now: () => Number((process.hrtime.bigint() - startNs) / 1000n),
    fromNs: (ns) => Number((ns - startNs) / 1000n),
  };
}

/** A session clock that starts now. */
export function startSessionClock(): SessionClock {
  return sessionClock(process.hrtime.bigint(), Date.now());
}
