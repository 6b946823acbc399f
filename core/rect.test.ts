import { expect, test } from 'vitest';
import { boxIou, holdsPoint, intersect, sharedArea } from './rect.ts';

const box = { x: 10, y: 20, width: 30, height: 40 };

test('a box is half open: its right and lower edges are outside', () => {
  expect(holdsPoint(box, 10, 20)).toBe(true);
  expect(holdsPoint(box, 39.5, 59.5)).toBe(true);
  expect([holdsPoint(box, 40, 30), holdsPoint(box, 20, 60), holdsPoint(box, 9, 30)]).toEqual([false, false, false]);
});

test.each([
  ['the same', box, 1200],
  ['one inside', { x: 12, y: 22, width: 2, height: 3 }, 6],
  ['a corner', { x: 35, y: 55, width: 100, height: 100 }, 25],
  ['edge to edge', { x: 40, y: 20, width: 10, height: 10 }, 0],
  ['apart', { x: 100, y: 100, width: 10, height: 10 }, 0],
])('%s: what is shared, and its share of both', (_name, other, area) => {
  expect([sharedArea(box, other), sharedArea(other, box)]).toEqual([area, area]);
  const both = intersect(box, other);
  expect(both === null ? 0 : both.width * both.height).toBe(area);
  expect(boxIou(box, other)).toBe(area / (1200 + other.width * other.height - area));
});
