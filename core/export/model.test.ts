import { expect, test } from 'vitest';
import { EXPORTED_TASK_ID } from '../../schemas/task-terms.ts';
import { byTaskId, isInside, itemName, picturePositions } from './model.ts';

const PICTURE = { path: 'a.png', width: 100, height: 50, origin: { x: -1920, y: 10 } };
const point = (x: number, y: number) => ({ x, y, display: 1, t: 0 });

test('positions are those of the virtual desktop minus the origin of the picture, never clamped', () => {
  const action = { start: point(-1920, 10), end: point(-1821, 60) };
  expect(picturePositions(action, PICTURE)).toEqual({ start: [0, 0], end: [99, 50] });
  expect(picturePositions(action, null)).toBeNull();
});

test('inside are 0 to width - 1 and 0 to height - 1', () => {
  const corners: [number, number][] = [
    [0, 0],
    [99, 49],
    [100, 0],
    [0, 50],
    [-1, 0],
    [0, -1],
  ];
  expect(corners.map((corner) => isInside(corner, PICTURE))).toEqual([true, true, false, false, false, false]);
});

test('tasks sort by prefix, then by number as a number', () => {
  const ids = ['PPT_15', 'AE_19', 'PPT_2', 'AE_3'].map((id) => ({ id }));
  expect(ids.toSorted(byTaskId).map(({ id }) => id)).toEqual(['AE_3', 'AE_19', 'PPT_2', 'PPT_15']);
});

test('task ids are a prefix and a number, and nothing that a path could be', () => {
  expect(['PPT_15', 'DV_8', 'web-stock_1'].every((id) => EXPORTED_TASK_ID.test(id))).toBe(true);
  expect(
    ['PPT', 'PPT_', '_1', '../PPT_1', 'PPT_1/..', 'PPT_1\n', 'P PT_1', ''].some((id) => EXPORTED_TASK_ID.test(id)),
  ).toBe(false);
});

test('items are named by id and ranks', () => {
  expect(itemName('PPT_15', 2, 5)).toBe('PPT_15/2/5');
});
