import { afterEach, expect, test, vi } from 'vitest';
import { everySoOften, reporter } from './progress.ts';

afterEach(() => vi.useRealTimers());

test('progress is a line for each tenth of each message', () => {
  const lines: string[] = [];
  const report = reporter({ progress: (text) => lines.push(text) });
  for (const share of [0, 0.05, 0.099, 0.1, 0.55, 0.59]) report(share, 'hashing');
  for (const share of [0.59, 1]) report(share, 'writing');
  expect(lines).toEqual(['hashing 0 %', 'hashing 10 %', 'hashing 50 %', 'writing 50 %', 'writing 100 %']);
});

test('counting says where it is once in two seconds, and when it must', () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  vi.advanceTimersByTime(10_000);
  const isTime = everySoOften();
  expect([isTime(), isTime()]).toEqual([true, false]);
  vi.advanceTimersByTime(1999);
  expect(isTime()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isTime()).toBe(true);
  vi.advanceTimersByTime(1000);
  expect([isTime(), isTime(true)]).toEqual([false, true]);
  vi.advanceTimersByTime(1999);
  expect(isTime()).toBe(false);
});
