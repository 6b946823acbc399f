import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepSamples, SAMPLE_SHARE, sampleCount } from './sample.ts';

describe('K6 a video without events', () => {
  test('samples stand at 0, d, 2d, … below the duration', () => {
    expect(sampleCount(2500, 1000)).toBe(3);
    expect(sampleCount(2001, 1000)).toBe(3);
    expect(sampleCount(2000, 1000)).toBe(2);
    expect(sampleCount(0, 1000)).toBe(0);
  });

  test('a sample stays when enough differs from the next, and the last one always', () => {
    const shares = [0.0, 0.3, 0.29, 0.9];
    expect(keepSamples([0, 1, 2, 3, 4], shares, { share: SAMPLE_SHARE.text, gap: 0 })).toEqual([1, 3, 4]);
  });

  test('one nearer than f to the last kept is dropped, measured from the kept, not from the dropped', () => {
    const all = [1, 1, 1, 1, 1];
    expect(keepSamples([0, 1, 2, 3, 4, 5], all, { share: 0.5, gap: 2 })).toEqual([0, 2, 4, 5]);
  });

  test('a still video keeps its last sample alone', () => {
    expect(keepSamples([0, 1, 2], [0, 0], { share: 0.3, gap: 1 })).toEqual([2]);
  });

  test('one sample stays, none is none', () => {
    expect(keepSamples([0], [], { share: 0.3, gap: 1 })).toEqual([0]);
    expect(keepSamples([], [], { share: 0.3, gap: 1 })).toEqual([]);
  });

  test('counts that do not fit are refused', () => {
    expect(() => keepSamples([0, 1], [0.5, 0.5], { share: 0.3, gap: 1 })).toThrow('2 samples have 1 changes');
    expect(() => sampleCount(10, 0)).toThrow('positive');
  });

  test('a higher threshold keeps no sample that a lower one dropped (law, without gap)', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(share), share, share, (shares, a, b) => {
        const times = Array.from({ length: shares.length + 1 }, (_, index) => index);
        const few = keepSamples(times, shares, { share: Math.max(a, b), gap: 0 });
        const many = new Set(keepSamples(times, shares, { share: Math.min(a, b), gap: 0 }));
        expect(few.every((index) => many.has(index))).toBe(true);
      }),
    );
  });
});
