import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatherListNews } from './list-news.ts';

describe('news for lists', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function listener(figures: Record<string, string>) {
    const asked: string[][] = [];
    let told = 0;
    const news = gatherListNews({
      everyMs: 1000,
      figuresOf: async (recordings) => {
        asked.push([...recordings]);
        return new Map(Object.entries(figures));
      },
      tell: () => {
        told++;
      },
    });
    return { news, asked, told: () => told };
  }

  test('the first change is told at once, a hundred that follow once, when the time is up', async () => {
    const figures = { a: '1 of 9' };
    const { news, told } = listener(figures);
    news.worked('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(told()).toBe(1);
    for (let n = 0; n < 100; n++) news.worked('a');
    figures.a = '2 of 9';
    await vi.advanceTimersByTimeAsync(900);
    expect(told()).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(told()).toBe(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(told()).toBe(2);
  });

  test('gestures that change no figure are not told, and cost one look a second', async () => {
    const { news, told, asked } = listener({ a: '1 of 9', b: '0 of 4' });
    for (let second = 0; second < 5; second++) {
      for (let n = 0; n < 50; n++) news.worked(n % 2 === 0 ? 'a' : 'b');
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(told()).toBe(1);
    expect(asked.length).toBeLessThanOrEqual(6);
    for (const recordings of asked) expect(recordings.length).toBeLessThanOrEqual(2);
  });

  test('what has no figure is told all the same, and nothing after the end', async () => {
    const { news, told } = listener({});
    news.changed();
    news.changed();
    await vi.advanceTimersByTimeAsync(0);
    expect(told()).toBe(1);
    news.changed();
    news.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(told()).toBe(1);
  });

  test('a look that fails tells: whoever asks then hears why', async () => {
    let told = 0;
    const news = gatherListNews({
      everyMs: 1000,
      figuresOf: () => Promise.reject(new Error('locked')),
      tell: () => {
        told++;
      },
    });
    news.worked('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toBe(1);
  });
});
