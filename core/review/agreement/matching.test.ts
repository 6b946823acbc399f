import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign } from './assignment.ts';
import { boxIou, clickInBox, matchBoxes, meanBox } from './boxes.ts';
import { matchSpans, type Span, temporalIou } from './spans.ts';

/** The least total cost by trying every assignment. */
function bruteForce(cost: readonly (readonly number[])[]): number {
  const columns = cost[0]?.length ?? 0;
  const best = (row: number, taken: ReadonlySet<number>, left: number): number => {
    if (row === cost.length) return 0;
    // More rows than columns: this many may stay without one.
    const without = left > 0 ? best(row + 1, taken, left - 1) : Number.POSITIVE_INFINITY;
    let least = without;
    for (let column = 0; column < columns; column++) {
      if (taken.has(column)) continue;
      least = Math.min(least, cost[row]![column]! + best(row + 1, new Set([...taken, column]), left));
    }
    return least;
  };
  return best(0, new Set(), Math.max(0, cost.length - columns));
}

const matrix = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, columns]) =>
  fc.array(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  }),
);

test('the assignment costs as little as any, and gives nobody two (R7)', () => {
  fc.assert(
    fc.property(matrix, (cost) => {
      const columns = assign(cost);
      const given = columns.filter((column) => column >= 0);
      expect(new Set(given).size).toBe(given.length);
      expect(given.length).toBe(Math.min(cost.length, cost[0]!.length));
      const total = columns.reduce((sum, column, row) => sum + (column < 0 ? 0 : cost[row]![column]!), 0);
      expect(total).toBe(bruteForce(cost));
    }),
    { numRuns: 300 },
  );
});

test('nothing to assign is nothing assigned', () => {
  expect(assign([])).toEqual([]);
  expect(assign([[], []])).toEqual([-1, -1]);
});

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

test('boxes are matched for the best of all, not each with its nearest (R7)', () => {
  // Greedy takes the best pair (a0, b1) first and leaves a1 with nothing.
  const a = [
    { x: 10, y: 0, width: 10, height: 10 },
    { x: 17, y: 0, width: 10, height: 10 },
  ];
  const b = [
    { x: 5, y: 0, width: 10, height: 10 },
    { x: 13, y: 0, width: 10, height: 10 },
  ];
  expect(boxIou(a[0]!, b[1]!)).toBeGreaterThan(boxIou(a[1]!, b[1]!));
  expect(matchBoxes(a, b).map(({ a, b }) => [a, b])).toEqual([
    [0, 0],
    [1, 1],
  ]);
  // Boxes that do not overlap are both alone.
  expect(matchBoxes([a[0]!], [{ x: 90, y: 0, width: 5, height: 5 }])).toEqual([
    { a: 0, b: -1, iou: 0 },
    { a: -1, b: 0, iou: 0 },
  ]);
  expect(matchBoxes(a, [])).toEqual([
    { a: 0, b: -1, iou: 0 },
    { a: 1, b: -1, iou: 0 },
  ]);
  expect(matchBoxes([], [a[0]!])).toEqual([{ a: -1, b: 0, iou: 0 }]);
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

test('every box stands in one pair, and the total IoU is the highest there is (R7)', () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 5 }), fc.array(box, { maxLength: 5 }), (a, b) => {
      const pairs = matchBoxes(a, b);
      const places = (side: 'a' | 'b') => pairs.map((pair) => pair[side]).filter((place) => place >= 0);
      expect(places('a').sort()).toEqual([...a.keys()]);
      expect(places('b').sort()).toEqual([...b.keys()]);
      const total = pairs.reduce((sum, { iou }) => sum + iou, 0);
      expect(total).toBeCloseTo(-bruteForce(a.map((one) => b.map((other) => -boxIou(one, other)))), 10);
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
const division = (length: number): fc.Arbitrary<Span[]> =>
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
      expect(total).toBeCloseTo(-bruteForce(cost), 10);
      const assigned = assign(cost).reduce((sum, column, row) => sum - (column < 0 ? 0 : cost[row]![column]!), 0);
      expect(total).toBeCloseTo(assigned, 10);
      expect(matchSpans(b, a).reduce((sum, { iou }) => sum + iou, 0)).toBeCloseTo(total, 10);
    }),
    { numRuns: 300 },
  );
});
