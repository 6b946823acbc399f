import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { createQueue, HOLD_BACK_US } from './order.ts';

const anchor = (t: number): RawEvent => ({ type: 'anchor', t, wallMs: 0 });

/** A queue, the indices that it gave out, and those that were late. */
function watched() {
  const taken: number[] = [];
  const late: number[] = [];
  const queue = createQueue(
    (_event, index) => taken.push(index),
    (index) => late.push(index),
  );
  return { queue, taken, late };
}

test('A2: a line is held back until one comes that is 3 s later', () => {
  const { queue, taken } = watched();
  queue.push(anchor(0), 0);
  queue.push(anchor(HOLD_BACK_US - 1), 1);
  expect(taken).toEqual([]);
  expect(queue.holds(0)).toBe(true);
  queue.push(anchor(HOLD_BACK_US), 2);
  expect(taken).toEqual([0]);
  expect(queue.holds(0)).toBe(false);
  queue.flush();
  expect(taken).toEqual([0, 1, 2]);
});

test('A2: after a wrong time in the future, lines are not held back until that time', () => {
  const { queue, taken, late } = watched();
  queue.push(anchor(0), 0);
  queue.push(anchor(1e12), 1);
  for (let i = 2; i < 10; i++) queue.push(anchor(i), i);
  expect(taken).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9]);
  queue.flush();
  expect(taken.at(-1)).toBe(1);
  expect(late).toEqual([]);
});

test('A2: a line that is older than one already taken is late, and taken at once', () => {
  const { queue, taken, late } = watched();
  queue.push(anchor(10), 0);
  queue.push(anchor(10 + HOLD_BACK_US), 1);
  queue.push(anchor(9), 2);
  expect(taken).toEqual([0, 2]);
  expect(late).toEqual([2]);
});

test('A14: a time that is no number counts as the newest', () => {
  const { queue, taken } = watched();
  queue.push(anchor(5), 0);
  queue.push(anchor(Number.NaN), 1);
  queue.push(anchor(4), 2);
  queue.flush();
  expect(taken).toEqual([2, 0, 1]);
});

test('A15: ten thousand lines go through, each once and in order', () => {
  const { queue, taken } = watched();
  for (let i = 0; i < 10_000; i++) queue.push(anchor(i * 10_000), i);
  expect(taken).toHaveLength(10_000 - HOLD_BACK_US / 10_000);
  queue.flush();
  expect(taken).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
});
