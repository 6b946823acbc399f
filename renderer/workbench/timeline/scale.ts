import type { Span } from '../frames/gaps.ts';

/** Time along the timeline: µs of the recording to CSS px. `start` is the time at x = 0. */
export type Scale = { start: number; usPerPx: number };

/** The closest look: 10 px a millisecond are of no use, 50 px for one frame at 60/s are. */
const CLOSEST_US_PER_PX = 300;

export function timeToX(scale: Scale, t: number): number {
  return (t - scale.start) / scale.usPerPx;
}

export function xToTime(scale: Scale, x: number): number {
  return scale.start + x * scale.usPerPx;
}

/** The whole span over the width. */
export function fitScale(span: Span, width: number): Scale {
  return { start: span.start, usPerPx: Math.max((span.end - span.start) / Math.max(width, 1), CLOSEST_US_PER_PX) };
}

/** Another zoom (`factor` > 1: closer) that keeps the time under `x`; never farther than the whole span. */
export function zoomScale(scale: Scale, factor: number, x: number, span: Span, width: number): Scale {
  const farthest = fitScale(span, width).usPerPx;
  const usPerPx = Math.min(Math.max(scale.usPerPx / factor, CLOSEST_US_PER_PX), farthest);
  return boundScale({ start: xToTime(scale, x) - x * usPerPx, usPerPx }, span, width);
}

export function panScale(scale: Scale, px: number, span: Span, width: number): Scale {
  return boundScale({ start: scale.start + px * scale.usPerPx, usPerPx: scale.usPerPx }, span, width);
}

/** Keeps the span in the window: no empty room before its start or, when it is longer, after its end. */
export function boundScale(scale: Scale, span: Span, width: number): Scale {
  const latest = Math.max(span.end - width * scale.usPerPx, span.start);
  return { start: Math.min(Math.max(scale.start, span.start), latest), usPerPx: scale.usPerPx };
}

/** Moves the window so that `t` is seen, only when it is not. */
export function reveal(scale: Scale, t: number, span: Span, width: number): Scale {
  const x = timeToX(scale, t);
  const margin = Math.min(60, width / 4);
  if (x >= margin && x <= width - margin) return scale;
  return boundScale({ start: t - (width / 2) * scale.usPerPx, usPerPx: scale.usPerPx }, span, width);
}

const STEPS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** Times (µs) of the ruler's marks, at least `apart` px from each other, counted from the span's start. */
export function ticks(scale: Scale, span: Span, width: number, apart = 90): number[] {
  const least = (apart * scale.usPerPx) / 1e6;
  const step = (STEPS_S.find((s) => s >= least) ?? 7200) * 1e6;
  const first = span.start + Math.ceil((scale.start - span.start) / step) * step;
  const end = Math.min(xToTime(scale, width), span.end);
  const marks: number[] = [];
  for (let t = first; t <= end; t += step) marks.push(t);
  return marks;
}
