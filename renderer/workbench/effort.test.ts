import { expect, test } from 'vitest';
import { median } from '../../core/lists.ts';
import { counted, entered, finished, medians, NO_EFFORT } from './effort.ts';

test('a proposal taken and confirmed is two keys', () => {
  let log = entered(NO_EFFORT, 'a1', 1000);
  log = counted(log, 'a1', 'key', 2000);
  log = counted(log, 'a1', 'key', 2600);
  log = finished(log, 'a1', 2600);
  expect(log.done).toEqual({ a1: { ms: 1600, keys: 2, pointer: 0 } });
});

test('time away is not work', () => {
  let log = entered(NO_EFFORT, 'a1', 0);
  log = counted(log, 'a1', 'key', 1000);
  log = counted(log, 'a1', 'pointer', 500_000);
  log = finished(log, 'a1', 501_000);
  expect(log.done.a1).toEqual({ ms: 2000, keys: 1, pointer: 1 });
});

test('work on a step that is confirmed again adds up', () => {
  let log = finished(counted(entered(NO_EFFORT, 'a1', 0), 'a1', 'key', 100), 'a1', 100);
  log = entered(log, 'a2', 100);
  log = finished(counted(entered(log, 'a1', 200), 'a1', 'key', 250), 'a1', 300);
  expect(log.done.a1).toEqual({ ms: 200, keys: 2, pointer: 0 });
});

test('a step passed by without confirming does not count', () => {
  const log = entered(counted(entered(NO_EFFORT, 'a1', 0), 'a1', 'key', 10), 'a2', 20);
  expect(medians(log)).toBeNull();
});

test('medians are of time and of keys and pointer actions together', () => {
  const log = {
    done: {
      a: { ms: 1000, keys: 2, pointer: 0 },
      b: { ms: 9000, keys: 20, pointer: 1 },
      c: { ms: 3000, keys: 2, pointer: 1 },
    },
    now: null,
  };
  expect(medians(log)).toEqual({ ms: 3000, keystrokes: 3, steps: 3 });
  expect(median([1, 2, 3, 10])).toBe(2.5);
});
