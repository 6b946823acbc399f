import { expect, test } from 'vitest';
import { boxIou } from '../../rect.ts';
import { drawing } from './drawing-for-tests.ts';
import { spreadBoxes } from './spread.ts';

const button = (x: number, y: number) => ({ x, y, width: 86, height: 30 });

/** A window of buttons with words in them: `columns` x `rows`. */
function buttons(columns: number, rows: number) {
  const board = drawing(columns * 120 + 40, rows * 60 + 40);
  const boxes = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const box = button(20 + column * 120, 20 + row * 60);
      boxes.push(box);
      board
        .fill(box, 0xffffff)
        .frame(box, 0xb0b0b0)
        .word(box.x + 20, box.y + 10, 3 + ((row + column) % 4));
    }
  }
  return { board, boxes };
}

test('finds every button once, from the top, then from the left', () => {
  const { board, boxes } = buttons(4, 3);
  expect(spreadBoxes(board, 100)).toEqual(boxes);
});

test('of more than are wanted, every part of the picture keeps some', () => {
  const { board, boxes } = buttons(6, 8);
  const few = spreadBoxes(board, 16);
  expect(few).toHaveLength(16);
  for (const box of few) expect(boxes.some((one) => boxIou(one, box) === 1)).toBe(true);
  for (const [left, top] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const inQuarter = few.filter(
      ({ x, y }) => (x > board.width / 2 ? 1 : 0) === left && (y > board.height / 2 ? 1 : 0) === top,
    );
    expect(inQuarter.length).toBeGreaterThanOrEqual(2);
  }
});

test('an empty screen has none, and the same picture gives the same boxes', () => {
  expect(spreadBoxes(drawing(300, 200), 50)).toEqual([]);
  const { board } = buttons(5, 4);
  expect(spreadBoxes(board, 7)).toEqual(spreadBoxes(board, 7));
});
