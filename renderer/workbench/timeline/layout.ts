import type { SubtaskView } from '../../../core/annotate/view.ts';
import type { Step } from '../../../schemas/api/models.ts';
import type { Span } from '../frames/gaps.ts';
import { type Scale, timeToX, xToTime } from './scale.ts';

type Row = { y: number; height: number };
/** Where the timeline's rows lie, CSS px from its top, and how high it is. */
export type Rows = Record<'ruler' | 'film' | 'bands' | 'marks' | 'keys', Row> & { height: number };

const HIGH: Rows = {
  ruler: { y: 0, height: 16 },
  film: { y: 16, height: 54 },
  bands: { y: 72, height: 20 },
  marks: { y: 94, height: 18 },
  keys: { y: 114, height: 16 },
  height: 134,
};
const LOW: Rows = {
  ruler: { y: 0, height: 14 },
  film: { y: 14, height: 30 },
  bands: { y: 45, height: 15 },
  marks: { y: 61, height: 12 },
  keys: { y: 73, height: 13 },
  height: 87,
};

/** In a low window the picture has the room instead. */
export const rowsIn = (windowHeight: number): Rows => (windowHeight < 960 ? LOW : HIGH);

/**
 * One action's mark. Where marks of one kind are in the same px only the first is drawn, so 10,000 cost no more than the
 * width.
 */
export type Mark = { index: number; x: number; width: number };

const LEAST_MARK_PX = 3;

/** The first step that ends at or after `t`. Steps ascend by start; an end may be after a later start. */
function firstVisible(steps: readonly Step[], t: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]!.start[2] >= t) high = middle;
    else low = middle + 1;
  }
  // A drag may begin long before and reach into the window; runs of that are short.
  while (low > 0 && steps[low - 1]!.end[2] >= t) low--;
  return low;
}

export function marksIn(steps: readonly Step[], scale: Scale, width: number): Mark[] {
  const marks: Mark[] = [];
  const until = xToTime(scale, width);
  const lastAt = new Map<string, number>();
  for (let index = firstVisible(steps, scale.start - LEAST_MARK_PX * scale.usPerPx); index < steps.length; index++) {
    const step = steps[index]!;
    if (step.start[2] > until) break;
    const x = timeToX(scale, step.start[2]);
    const pixel = Math.round(x);
    if (lastAt.get(step.kind) === pixel) continue;
    lastAt.set(step.kind, pixel);
    marks.push({ index, x, width: Math.max((step.end[2] - step.start[2]) / scale.usPerPx, LEAST_MARK_PX) });
  }
  return marks;
}

export type Band = { index: number; x: number; width: number };

/** Subtasks as bands without gaps: each from its first action to the next one's; the first from the span's start. */
export function bandsIn(
  subtasks: readonly Pick<SubtaskView, 'from'>[],
  steps: readonly Step[],
  span: Span,
  scale: Scale,
  width: number,
): Band[] {
  const begin = (index: number): number =>
    index === 0 ? span.start : (steps[subtasks[index]?.from ?? steps.length]?.start[2] ?? span.end);
  const bands: Band[] = [];
  for (let index = 0; index < subtasks.length; index++) {
    const x = timeToX(scale, begin(index));
    const right = timeToX(scale, begin(index + 1));
    if (right < 0 || x > width) continue;
    bands.push({ index, x, width: right - x });
  }
  return bands;
}

/** A picture of the filmstrip. Slots are fixed in time, so scrolling moves pictures and does not change them. */
export type FilmSlot = { x: number; width: number; t: number };

export function filmSlots(scale: Scale, width: number, span: Span, slotPx: number): FilmSlot[] {
  const slotUs = slotPx * scale.usPerPx;
  const slots: FilmSlot[] = [];
  let k = Math.max(Math.floor((scale.start - span.start) / slotUs), 0);
  for (; ; k++) {
    const t = span.start + k * slotUs;
    const x = timeToX(scale, t);
    if (x >= width || t >= span.end) return slots;
    slots.push({ x, width: slotPx, t: Math.round(Math.min(t + slotUs / 2, span.end)) });
  }
}

/**
 * 0 to `count - 1`, the ends first and then always the middle of what is left: pictures that come one by one in this order
 * show the whole from the beginning.
 */
export function coarseFirst(count: number): number[] {
  if (count === 0) return [];
  const order = count === 1 ? [0] : [0, count - 1];
  const parts: [from: number, to: number][] = [[0, count - 1]];
  for (const [from, to] of parts) {
    if (to - from < 2) continue;
    const middle = (from + to) >>> 1;
    order.push(middle);
    parts.push([from, middle], [middle, to]);
  }
  return order;
}

/** The step whose mark is nearest to `x`, within `reach` px; -1 when none is. */
export function stepNear(steps: readonly Step[], scale: Scale, x: number, reach: number): number {
  let best = -1;
  let least = reach;
  for (let i = firstVisible(steps, xToTime(scale, x - reach)); i < steps.length; i++) {
    const step = steps[i]!;
    const from = timeToX(scale, step.start[2]);
    if (from > x + reach) break;
    const to = Math.max(timeToX(scale, step.end[2]), from + LEAST_MARK_PX);
    const away = x < from ? from - x : x > to ? x - to : 0;
    if (away < least || (away === 0 && best === -1)) {
      best = i;
      least = away;
    }
  }
  return best;
}

/** The subtask (from 1 on) whose beginning is drawn within `reach` px of `x`; -1 when none is. */
export function edgeNear(bands: readonly Band[], x: number, reach: number): number {
  return bands.find((band) => band.index > 0 && Math.abs(band.x - x) <= reach)?.index ?? -1;
}
