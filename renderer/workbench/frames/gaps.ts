import type { OpenedRecording, Step } from '../../../schemas/api/models.ts';

/** A stretch of a recording, µs. */
export type Span = { start: number; end: number };

/** No action for at least this long is an idle stretch. */
const IDLE_US = 3_000_000;
/** Kept on each side of an idle stretch, so that an action's effect and the way to the next one are seen. */
const MARGIN_US = 700_000;

/** Stretches without an action (striped; skipped by the player on wish). `steps` ascend by start. */
export function idleGaps(steps: readonly Step[], span: Span, idleUs = IDLE_US): Span[] {
  const gaps: Span[] = [];
  let from = span.start;
  let first = true;
  const close = (until: number, last: boolean): void => {
    const start = first ? from : from + MARGIN_US;
    const end = last ? until : until - MARGIN_US;
    if (until - from >= idleUs && end > start) gaps.push({ start, end });
  };
  for (const step of steps) {
    close(step.start[2], false);
    from = Math.max(from, step.end[2]);
    first = false;
  }
  close(span.end, true);
  return gaps;
}

const kept = new WeakMap<readonly Step[], readonly Span[]>();

/** The idle stretches of a recording as it is open now; asked for each time it is drawn. */
export function idleGapsOf({ steps, span }: Pick<OpenedRecording, 'steps' | 'span'>): readonly Span[] {
  let gaps = kept.get(steps);
  if (!gaps) {
    gaps = idleGaps(steps, span);
    kept.set(steps, gaps);
  }
  return gaps;
}

/** The end of the idle stretch around `t`, or null. */
export function skipTo(gaps: readonly Span[], t: number): number | null {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (gaps[middle]!.end > t) high = middle;
    else low = middle + 1;
  }
  const gap = gaps[low];
  return gap && gap.start <= t ? gap.end : null;
}
