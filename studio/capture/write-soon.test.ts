import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeSoon } from './write-soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does nothing where nothing waits', () => {
  const write = vi.fn(() => 0);
  writeSoon(write, 40);
  vi.advanceTimersByTime(10_000);
  expect(write).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it('writes once what came together, a moment after the first of it', () => {
  const write = vi.fn(() => 0);
  const soon = writeSoon(write, 40);
  for (let n = 0; n < 50; n++) soon.wake();
  vi.advanceTimersByTime(39);
  expect(write).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(write).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('tries again as long as something waits, and writes what comes while it writes', () => {
  let waiting = 3;
  const soon = writeSoon(() => {
    if (waiting === 2) soon.wake();
    return --waiting;
  }, 40);
  soon.wake();
  vi.advanceTimersByTime(1000);
  expect(waiting).toBe(0);
  waiting = 1;
  soon.wake();
  vi.advanceTimersByTime(40);
  expect(waiting).toBe(0);
});

it('writes nothing by itself once it was stopped', () => {
  const write = vi.fn(() => 1);
  const soon = writeSoon(write, 40);
  soon.wake();
  soon.stop();
  soon.wake();
  vi.advanceTimersByTime(1000);
  expect(write).not.toHaveBeenCalled();
});
