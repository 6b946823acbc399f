/** How much is recorded, µs: the time outside of pauses, less what was forgotten of it. */
export type RecordedTime = {
  /** Something is recorded from `t` on, or (false) no longer. Said again it changes nothing. */
  set(recording: boolean, t: number): void;
  /** Forgets everything from `t` on. */
  forget(t: number): void;
  at(now: number): number;
};

export function countRecordedTime(): RecordedTime {
  let spans: { from: number; to: number }[] = [];
  let since: number | null = null;

  function close(t: number): void {
    if (since !== null && t > since) spans.push({ from: since, to: t });
    since = null;
  }
  return {
    set(recording, t) {
      if (!recording) close(t);
      else since ??= t;
    },
    forget(t) {
      spans = spans.flatMap(({ from, to }) => (from < t ? [{ from, to: Math.min(to, t) }] : []));
      // The stretch that is running now counts up to `t`.
      if (since === null) return;
      const began = since;
      since = null;
      if (began < t) spans.push({ from: began, to: t });
    },
    at: (now) =>
      spans.reduce((sum, { from, to }) => sum + to - from, 0) + (since === null ? 0 : Math.max(0, now - since)),
  };
}
