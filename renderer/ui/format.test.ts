import { describe, expect, it } from 'vitest';
import { ago, bytes, duration, durationInWords, percent } from './format.ts';

describe('a duration', () => {
  it.each([
    [0, '0:00'],
    [7_900_000, '0:07'],
    [754_000_000, '12:34'],
    [3_723_000_000, '1:02:03'],
    [-5, '0:00'],
  ])('of %i µs is %s', (us, text) => expect(duration(us)).toBe(text));

  it('is said in words without what is zero', () => {
    expect(durationInWords(3_603_000_000)).toBe('1 hour 3 seconds');
    expect(durationInWords(0)).toBe('0 seconds');
  });
});

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_900, '1.0 MB'],
    [18_400_000_000, '18 GB'],
  ])('of %i bytes is %s', (n, text) => expect(bytes(n)).toBe(text));
});

describe('a share', () => {
  it('is 100 % only when all is done and 0 % only when nothing is', () => {
    expect(percent(0.999)).toBe('99 %');
    expect(percent(0.001)).toBe('1 %');
    expect(percent(1)).toBe('100 %');
    expect(percent(0)).toBe('0 %');
  });
});

describe('a time seen from now', () => {
  const now = new Date(2026, 10, 21, 12, 0, 0);
  const passed = (ms: number): string => ago(new Date(now.getTime() - ms).toISOString(), now);
  const HOUR = 3_600_000;

  it('goes from moments to days to dates', () => {
    expect(passed(10_000)).toBe('just now');
    expect(passed(5 * 60_000)).toBe('5 min ago');
    expect(passed(3 * HOUR)).toBe('3 h ago');
    expect(passed(20 * HOUR)).toBe('yesterday');
    expect(passed(3 * 24 * HOUR)).toBe('3 days ago');
    expect(passed(30 * 24 * HOUR)).toBe('22 Oct');
    expect(passed(400 * 24 * HOUR)).toBe('17 Oct 2025');
  });

  it('is empty for what is no time', () => expect(ago('never', now)).toBe(''));
});
