import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign } from '../../evaluate/assignment.ts';
import { leastCost } from '../../evaluate/assignment-for-tests.ts';
import { boxIou } from '../../rect.ts';
import { clickInBox, meanBox } from './boxes.ts';
import { type Interval, matchSpans, temporalIou } from './spans.ts';

test('half a box in common is an IoU of a third; boxes that touch have nothing in common (R6)', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  expect(boxIou(box, { ...box, x: 5 })).toBeCloseTo(1 / 3, 10);
  expect(boxIou(box, { ...box, x: 10 })).toBe(0);
  expect(boxIou(box, { x: 2, y: 2, width: 5, height: 4 })).toBeCloseTo(0.2, 10);
});

test("each box's centre in the other: both, one of the two, none (R6)", () => {
  const large = { x: 0, y: 0, width: 100, height: 20 };
  expect(clickInBox(large, { x: 40, y: 5, width: 20, height: 10 })).toBe(1);
  expect(clickInBox(large, { x: 80, y: 5, width: 20, height: 10 })).toBe(0.5);
  expect(clickInBox(large, { x: 80, y: 25, width: 20, height: 10 })).toBe(0);
});

const box = fc.record({
  x: fc.nat(40),
  y: fc.nat(40),
  width: fc.integer({ min: 1, max: 40 }),
  height: fc.integer({ min: 1, max: 40 }),
});

test('box IoU is symmetric, 1 for itself, between 0 and 1, and counts pixels (R6)', () => {
  const pixels = ({ x, y, width, height }: Parameters<typeof boxIou>[0]) =>
    new Set(Array.from({ length: width * height }, (_, i) => `${x + (i % width)},${y + Math.floor(i / width)}`));
  fc.assert(
    fc.property(box, box, (a, b) => {
      const [left, right] = [pixels(a), pixels(b)];
      const both = [...left].filter((pixel) => right.has(pixel)).length;
      expect(boxIou(a, b)).toBeCloseTo(both / (left.size + right.size - both), 10);
      expect(boxIou(a, b)).toBe(boxIou(b, a));
      expect(boxIou(a, a)).toBe(1);
      expect(clickInBox(a, b)).toBe(clickInBox(b, a));
      expect(clickInBox(a, a)).toBe(1);
    }),
  );
});

test('the mean of boxes lies within what holds them all, and of equal ones is that box', () => {
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 4 }), (boxes) => {
      const mean = meanBox(boxes);
      expect(mean.width).toBeGreaterThan(0);
      expect(mean.height).toBeGreaterThan(0);
      expect(mean.x).toBeGreaterThanOrEqual(Math.min(...boxes.map(({ x }) => x)));
      expect(mean.x + mean.width).toBeLessThanOrEqual(Math.max(...boxes.map(({ x, width }) => x + width)));
      expect(mean.y).toBeGreaterThanOrEqual(Math.min(...boxes.map(({ y }) => y)));
      expect(mean.y + mean.height).toBeLessThanOrEqual(Math.max(...boxes.map(({ y, height }) => y + height)));
      expect(meanBox([boxes[0]!, boxes[0]!])).toEqual(boxes[0]);
    }),
  );
});

/** A division of 0 to `length` into spans. */
const division = (length: number): fc.Arbitrary<Interval[]> =>
  fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 5 }).map((edges) => {
    const all = [0, ...edges.sort((a, b) => a - b), length];
    return all.slice(1).map((to, at) => ({ from: all[at]!, to }));
  });

test('the temporal IoU of 0 to 10 and 5 to 20 is a quarter (R8)', () => {
  expect(temporalIou({ from: 0, to: 10 }, { from: 5, to: 20 })).toBe(0.25);
  expect(temporalIou({ from: 0, to: 10 }, { from: 10, to: 20 })).toBe(0);
});

test('matched spans have the highest total IoU that one-to-one pairs can have, and each span stands once (R7, R8)', () => {
  fc.assert(
    fc.property(division(20), division(20), (a, b) => {
      const pairs = matchSpans(a, b);
      const places = (side: 'a' | 'b') => pairs.map((pair) => pair[side]).filter((place) => place >= 0);
      expect(places('a').sort((x, y) => x - y)).toEqual([...a.keys()]);
      expect(places('b').sort((x, y) => x - y)).toEqual([...b.keys()]);
      for (const pair of pairs) {
        expect(pair.iou).toBe(pair.a < 0 || pair.b < 0 ? 0 : temporalIou(a[pair.a]!, b[pair.b]!));
      }
      const total = pairs.reduce((sum, { iou }) => sum + iou, 0);
      const cost = a.map((one) => b.map((other) => -temporalIou(one, other)));
      expect(total).toBeCloseTo(-leastCost(cost), 10);
      const assigned = assign(cost).reduce((sum, column, row) => sum - (column < 0 ? 0 : cost[row]![column]!), 0);
      expect(total).toBeCloseTo(assigned, 10);
      expect(matchSpans(b, a).reduce((sum, { iou }) => sum + iou, 0)).toBeCloseTo(total, 10);
    }),
    { numRuns: 300 },
  );
});
