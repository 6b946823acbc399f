/** One question to the session's clock: asked and answered in ms of this page's clock, `t` in session µs. */
type ClockSample = { asked: number; answered: number; t: number };

/** This page's clock (performance.now, ms) as session µs, by asking: the answer was made between question and arrival. */
export type ScreenClock = {
  add(sample: ClockSample): void;
  toSession(ms: number): number;
  /** How far it may be off, µs; infinite before the first sample. */
  error(): number;
};

/** How fast two clocks of one machine are trusted not to drift apart, µs a second. */
const DRIFT = 50;

export function createScreenClock(): ScreenClock {
  let best: { offset: number; error: number; at: number } | null = null;
  return {
    add({ asked, answered, t }) {
      const error = ((answered - asked) / 2) * 1000;
      const aged = best ? best.error + ((answered - best.at) / 1000) * DRIFT : Number.POSITIVE_INFINITY;
      if (error <= aged) best = { offset: t - ((asked + answered) / 2) * 1000, error, at: answered };
    },
    toSession: (ms) => Math.max(0, Math.round(ms * 1000 + (best?.offset ?? 0))),
    error: () => best?.error ?? Number.POSITIVE_INFINITY,
  };
}

/** Session µs of a picture, by its own stamp (µs on a clock that nobody names) and its arrival (session µs). */
export type StampClock = (stampUs: number, arrivedUs: number) => number;

/** A picture is no longer on its way than this, and hardly comes before it was taken. µs. */
const MOST_DELAY = 3_000_000;
const EARLY = 2000;

/**
 * Chromium stamps what it captures itself on the system's monotonic clock, the session's own: `zeroUs` is the session's zero
 * there, and a stamp that is a little before its arrival is taken as it is. Stamps of another clock are mapped: a picture
 * can only arrive after it was taken, so the smallest difference ever seen is the one with the least delay in it, and a
 * picture that arrives late keeps its time.
 */
export function createStampClock(zeroUs: number): StampClock {
  let offset = Number.POSITIVE_INFINITY;
  return (stampUs, arrivedUs) => {
    const delay = arrivedUs - (stampUs - zeroUs);
    if (delay > -EARLY && delay < MOST_DELAY) return Math.max(0, Math.round(Math.min(stampUs - zeroUs, arrivedUs)));
    offset = Math.min(offset, arrivedUs - stampUs);
    return Math.max(0, Math.round(stampUs + offset));
  };
}
