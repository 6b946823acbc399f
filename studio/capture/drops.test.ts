import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countDrops } from './drops.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('counts what is dropped during checks and shortly after, and nothing between them', () => {
  let dropped = 5;
  const drops = countDrops(() => dropped);
  drops.begin();
  dropped += 2;
  drops.end();
  vi.advanceTimersByTime(400);
  // Said late, but of a picture of the check.
  dropped += 1;
  vi.advanceTimersByTime(400);
  dropped += 100;
  drops.begin();
  dropped += 10;
  // The recording ends within the check.
  expect(drops.total()).toBe(13);
  dropped += 100;
  expect(drops.total()).toBe(13);
});

test('a check that follows at once is not counted twice', () => {
  let dropped = 0;
  const drops = countDrops(() => dropped);
  drops.begin();
  dropped = 3;
  drops.end();
  drops.begin();
  vi.advanceTimersByTime(1000);
  dropped = 7;
  drops.end();
  vi.advanceTimersByTime(1000);
  dropped = 9;
  expect(drops.total()).toBe(7);
});

test('is 0 without a check', () => {
  expect(countDrops(() => 9).total()).toBe(0);
});
