import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxOfCorners, boxProblem, cutToPicture, dragHandle, HANDLES, moveBox, resizeBox } from './boxes.ts';

const picture = { width: 200, height: 100 };
const box = { x: 10, y: 20, width: 30, height: 40 };

test('two corners in any order make the same box, both pixels in it', () => {
  expect(boxOfCorners({ x: 5, y: 9 }, { x: 2, y: 3 })).toEqual({ x: 2, y: 3, width: 4, height: 7 });
  expect(boxOfCorners({ x: 2, y: 9 }, { x: 5, y: 3 })).toEqual({ x: 2, y: 3, width: 4, height: 7 });
  expect(boxOfCorners({ x: 2, y: 2 }, { x: 2, y: 2 })).toEqual({ x: 2, y: 2, width: 1, height: 1 });
});

test('a nudged box stops at the edge with its size', () => {
  expect(moveBox(box, -1, 1, picture)).toEqual({ ...box, x: 9, y: 21 });
  expect(moveBox(box, -100, 100, picture)).toEqual({ ...box, x: 0, y: 60 });
});

test('resizing changes the right and bottom edges and leaves a pixel', () => {
  expect(resizeBox(box, 10, -10, picture)).toEqual({ ...box, width: 40, height: 30 });
  expect(resizeBox(box, -100, 1000, picture)).toEqual({ ...box, width: 1, height: 80 });
});

test('a corner handle moves two edges, a side handle one', () => {
  expect(dragHandle(box, 'nw', { x: 5, y: 5 }, picture)).toEqual({ x: 5, y: 5, width: 35, height: 55 });
  expect(dragHandle(box, 'e', { x: 49, y: 0 }, picture)).toEqual({ ...box, width: 40 });
});

test('a handle past the other side turns the box over', () => {
  expect(dragHandle(box, 'w', { x: 60, y: 0 }, picture)).toEqual({ x: 39, y: 20, width: 22, height: 40 });
});

test('a box outside the picture is told with both sizes', () => {
  expect(boxProblem(box, picture)).toBeNull();
  expect(boxProblem({ x: 190, y: 0, width: 20, height: 5 }, picture)).toBe(
    'The box (190, 0, 20 × 5) reaches outside the picture of 200 × 100 pixels. Draw it inside.',
  );
  expect(cutToPicture({ x: 190, y: -5, width: 20, height: 10 }, picture)).toEqual({
    x: 190,
    y: 0,
    width: 10,
    height: 5,
  });
  expect(cutToPicture({ x: 300, y: 0, width: 20, height: 10 }, picture)).toBeNull();
});

test('whatever is done to a box, it lies inside the picture (law)', () => {
  const inside = fc
    .tuple(fc.nat(199), fc.nat(99), fc.nat(199), fc.nat(99))
    .map(([x0, y0, x1, y1]) => boxOfCorners({ x: x0, y: y0 }, { x: x1, y: y1 }));
  const far = fc.integer({ min: -500, max: 500 });
  fc.assert(
    fc.property(inside, far, far, fc.constantFrom(...HANDLES), (start, dx, dy, handle) => {
      for (const result of [
        moveBox(start, dx, dy, picture),
        resizeBox(start, dx, dy, picture),
        dragHandle(start, handle, { x: dx, y: dy }, picture),
      ]) {
        expect(boxProblem(result, picture)).toBeNull();
      }
    }),
  );
});
