import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onHealed, reportLost, reportRefused, reportUp, retryNow, setProbe, useConnection } from './connection.ts';

const now = (): string => useConnection.getState().connection;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  reportUp();
  vi.runAllTimers();
  vi.useRealTimers();
});

it('asks again by itself until the studio answers, and then says so for a moment', async () => {
  const answers = ['no', 'no', 'yes'];
  setProbe(async () => {
    if (answers.shift() === 'yes') reportUp();
    else throw new TypeError('Failed to fetch');
  });
  const healed = vi.fn();
  const stop = onHealed(healed);
  reportLost();
  expect(now()).toBe('lost');
  await vi.advanceTimersByTimeAsync(500 + 1000);
  expect(now()).toBe('lost');
  await vi.advanceTimersByTimeAsync(2000);
  expect(now()).toBe('healed');
  expect(healed).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3000);
  expect(now()).toBe('up');
  stop();
});

it('asks at once when the person wants it', async () => {
  const probe = vi.fn(async () => reportUp());
  setProbe(probe);
  reportLost();
  await retryNow();
  expect(probe).toHaveBeenCalledOnce();
  expect(now()).toBe('healed');
});

it('tells a studio that was started anew from one that is not there', () => {
  reportLost();
  reportRefused();
  expect(now()).toBe('refused');
  reportUp();
  expect(now()).toBe('healed');
});

it('does not take an answer for news while nothing was lost', () => {
  const healed = vi.fn();
  const stop = onHealed(healed);
  reportUp();
  expect(now()).toBe('up');
  expect(healed).not.toHaveBeenCalled();
  stop();
});
