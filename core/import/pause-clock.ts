/** A stretch in which a recorder was paused, µs. */
export type PauseSpan = { from: number; to: number };

/**
 * A recorder that pauses writes no frames meanwhile, so its video's time stands still. `toVideo` maps time that goes on to
 * time without the pauses, `fromVideo` back: a moment at which a pause lies maps to its end. `pauses` ascend, apart.
 */
export function pauseClock(pauses: readonly PauseSpan[]): { toVideo(t: number): number; fromVideo(t: number): number } {
  return {
    toVideo(t) {
      let lost = 0;
      for (const { from, to } of pauses) {
        if (t <= from) break;
        lost += Math.min(t, to) - from;
      }
      return t - lost;
    },
    fromVideo(t) {
      let lost = 0;
      for (const { from, to } of pauses) {
        if (t + lost < from) break;
        lost += to - from;
      }
      return t + lost;
    },
  };
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
