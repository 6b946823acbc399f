import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepFrom } from '../../../core/annotate/steps-for-tests.ts';
import type { Step } from '../../../schemas/api/models.ts';
import { idleGaps, skipTo } from '../frames/gaps.ts';
import { bandsIn, coarseFirst, edgeNear, filmSlots, marksIn, stepNear } from './layout.ts';
import { boundScale, fitScale, panScale, reveal, ticks, timeToX, xToTime, zoomScale } from './scale.ts';

const S = 1_000_000;

function stepAt(start: number, end = start, kind: Step['kind'] = 'click'): Step {
  return stepFrom(`a${start}`, start, { kind, start: [0, 0, start], end: [0, 0, end], before: 0, after: 0 });
}

describe('the scale', () => {
  const span = { start: 10 * S, end: 110 * S };

  test('fits the span over the width', () => {
    const scale = fitScale(span, 1000);
    expect(timeToX(scale, 10 * S)).toBe(0);
    expect(timeToX(scale, 110 * S)).toBe(1000);
  });

  test('keeps the time under the pointer when zooming in (law)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.double({ min: 1, max: 8, noNaN: true }), (x, factor) => {
        const scale = fitScale(span, 1000);
        expect(xToTime(zoomScale(scale, factor, x, span, 1000), x)).toBeCloseTo(xToTime(scale, x), 0);
      }),
    );
  });

  test('never shows room outside the span', () => {
    const close = zoomScale(fitScale(span, 1000), 10, 0, span, 1000);
    expect(panScale(close, -500, span, 1000).start).toBe(span.start);
    expect(xToTime(panScale(close, 1e9, span, 1000), 1000)).toBe(span.end);
    expect(zoomScale(close, 0.0001, 500, span, 1000)).toEqual(fitScale(span, 1000));
    expect(boundScale({ start: 0, usPerPx: 1e9 }, span, 1000).start).toBe(span.start);
  });

  test('moves only when the time is out of sight', () => {
    const close = zoomScale(fitScale(span, 1000), 10, 0, span, 1000);
    expect(reveal(close, 15 * S, span, 1000)).toBe(close);
    const moved = reveal(close, 60 * S, span, 1000);
    expect(timeToX(moved, 60 * S)).toBe(500);
  });

  test('marks the ruler at round times of the recording', () => {
    expect(ticks({ start: 10 * S, usPerPx: 10_000 }, span, 300)).toEqual([10 * S, 11 * S, 12 * S, 13 * S]);
  });
});

describe('what is drawn', () => {
  const steps = [stepAt(1 * S), stepAt(2 * S, 4 * S, 'drag'), stepAt(3 * S), stepAt(9 * S)];
  const scale = { start: 0, usPerPx: S / 100 };

  test('marks of the window, with one that reaches into it', () => {
    const marks = marksIn(steps, { start: 2.5 * S, usPerPx: S / 100 }, 100);
    expect(marks.map((mark) => mark.index)).toEqual([1, 2]);
    expect(marks[0]).toEqual({ index: 1, x: -50, width: 200 });
  });

  test('ten thousand marks in a narrow window cost no more than its width', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => stepAt(i * S));
    const all = fitScale({ start: 0, end: 10_000 * S }, 1200);
    const marks = marksIn(many, all, 1200);
    expect(marks.length).toBeLessThanOrEqual(1201);
    expect(marks.length).toBeGreaterThan(1100);
  });

  test('bands cover the span without gaps (law)', () => {
    const span = { start: 0, end: 10 * S };
    const bands = bandsIn([{ from: 0 }, { from: 2 }, { from: 3 }], steps, span, scale, 1000);
    expect(bands).toEqual([
      { index: 0, x: 0, width: 300 },
      { index: 1, x: 300, width: 600 },
      { index: 2, x: 900, width: 100 },
    ]);
    expect(edgeNear(bands, 303, 5)).toBe(1);
    expect(edgeNear(bands, 2, 5)).toBe(-1);
  });

  test('pictures of the filmstrip keep their times while it scrolls', () => {
    const span = { start: 0, end: 100 * S };
    const times = filmSlots(scale, 400, span, 100).map((slot) => slot.t);
    expect(times).toEqual([0.5 * S, 1.5 * S, 2.5 * S, 3.5 * S]);
    const moved = filmSlots({ ...scale, start: 1.3 * S }, 400, span, 100);
    expect(moved[0]).toEqual({ x: -30, width: 100, t: 1.5 * S });
  });

  test('pictures of the filmstrip reach from side to side of any window (law)', () => {
    const range = { width: fc.integer({ min: 200, max: 5120 }), seconds: fc.integer({ min: 1, max: 30_000 }) };
    fc.assert(
      fc.property(fc.record({ ...range, slotPx: fc.integer({ min: 40, max: 200 }) }), ({ width, seconds, slotPx }) => {
        const span = { start: 7 * S, end: (7 + seconds) * S };
        const fit = fitScale(span, width);
        const slots = filmSlots(fit, width, span, slotPx);
        expect(slots[0]?.x).toBeLessThanOrEqual(timeToX(fit, span.start));
        for (const [n, { x }] of slots.entries()) if (n > 0) expect(x - slots[n - 1]!.x).toBeCloseTo(slotPx, 3);
        const last = slots.at(-1)!;
        expect(last.x + last.width).toBeGreaterThanOrEqual(Math.min(width, timeToX(fit, span.end)) - 0.001);
      }),
    );
  });

  test('a click finds the step under it, else the nearest within reach', () => {
    expect(stepNear(steps, scale, 250, 8)).toBe(1);
    expect(stepNear(steps, scale, 895, 8)).toBe(3);
    expect(stepNear(steps, scale, 700, 8)).toBe(-1);
  });
});

describe('idle stretches', () => {
  const span = { start: 0, end: 30 * S };
  const steps = [stepAt(1 * S), stepAt(10 * S, 12 * S), stepAt(13 * S)];

  test('lie between actions that are far apart, with a margin kept', () => {
    expect(idleGaps(steps, span)).toEqual([
      { start: 1.7 * S, end: 9.3 * S },
      { start: 13.7 * S, end: 30 * S },
    ]);
  });

  test('are skipped from inside only', () => {
    const gaps = idleGaps(steps, span);
    expect(skipTo(gaps, 5 * S)).toBe(9.3 * S);
    expect(skipTo(gaps, 9.3 * S)).toBeNull();
    expect(skipTo(gaps, 1 * S)).toBeNull();
  });

  test('a recording without actions is one idle stretch', () => {
    expect(idleGaps([], span)).toEqual([{ start: 0, end: 30 * S }]);
  });
});

test('pictures of the filmstrip are asked for from the whole to its parts, each once', () => {
  expect(coarseFirst(0)).toEqual([]);
  expect(coarseFirst(6)).toEqual([0, 5, 2, 1, 3, 4]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (count) => {
      const order = coarseFirst(count);
      expect(order.toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
      // After a quarter of them no gap is wider than eight.
      const come = order.slice(0, Math.ceil(count / 4)).sort((a, b) => a - b);
      for (const [n, i] of come.entries()) if (n > 0) expect(i - (come[n - 1] ?? 0)).toBeLessThanOrEqual(8);
    }),
  );
});
