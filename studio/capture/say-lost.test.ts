import { expect, test, vi } from 'vitest';
import { sayLost } from './say-lost.ts';

test('what is lost is said a moment later, together, and what is left at the end', () => {
  vi.useFakeTimers();
  const said: string[] = [];
  const { lost, finish } = sayLost((code, message) => void said.push(`${code}: ${message}`));
  for (const t of [2_100_000, 1_500_000]) lost(t);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1000);
  lost(9_000_000);
  finish();
  finish();
  vi.useRealTimers();
  expect(said).toEqual([
    'input-lost: 2 presses and releases of keys or buttons from 1.50 s to 2.10 s, which the system lost on a busy machine',
    'input-lost: 1 press or release of keys or buttons at 9.00 s, which the system lost on a busy machine',
  ]);
});
