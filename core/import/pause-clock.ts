/** A stretch in which a recorder was paused, µs. */
export type PauseSpan = { from: number; to: number };

/**
 * A recorder that pauses writes no frames meanwhile, so its video's time stands still. `toVideo` maps time that goes on to
 * time without the pauses, `fromVideo` back: a moment at which a pause lies maps to its end. `pauses` ascend, apart.
 */
export function pauseClock(pauses: readonly PauseSpan[]): { toVideo(t: number): number; fromVideo(t: number): number } {
  // Asked for each frame and each input, so each answer is a binary search.
  const lostBefore: number[] = [];
  let lost = 0;
  for (const { from, to } of pauses) {
    lostBefore.push(lost);
    lost += to - from;
  }
  const all = lost;
  return {
    toVideo(t) {
      const begun = countWhile(pauses.length, (at) => pauses[at]!.from < t);
      const last = pauses[begun - 1];
      return last ? t - lostBefore[begun - 1]! - (Math.min(t, last.to) - last.from) : t;
    },
    fromVideo(t) {
      const passed = countWhile(pauses.length, (at) => pauses[at]!.from - lostBefore[at]! <= t);
      return t + (lostBefore[passed] ?? all);
    },
  };
}

/** How many hold, where the first ones do and the others do not. */
function countWhile(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pauses out of a stream of pause and resume lines; one that never ended goes to `end`. */
export function pausesOf(events: readonly { action: string; t: number }[], end: number): PauseSpan[] {
  const spans: PauseSpan[] = [];
  let from: number | null = null;
  for (const { action, t } of events) {
    if (action === 'pause') from ??= t;
    if (action !== 'resume' || from === null) continue;
    if (t > from) spans.push({ from, to: t });
    from = null;
  }
  if (from !== null && end > from) spans.push({ from, to: end });
  return spans;
}
