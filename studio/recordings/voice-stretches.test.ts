import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apart, packed, speechIn, WINDOW_US } from './voice-stretches.ts';

/** Loudness by seconds: [seconds, loudness]. */
const room = (...parts: [number, number][]): Float32Array =>
  Float32Array.from(parts.flatMap(([s, loud]) => Array.from({ length: (s * 1e6) / WINDOW_US }, () => loud)));

test('what is said is found between pauses, a breath does not part it, a click and a room are no speech', () => {
  const loud = room([2, 40], [3, 2000], [0.5, 40], [2, 1500], [4, 40], [0.1, 9000], [3, 40], [1, 2000], [1, 40]);
  expect(speechIn(loud)).toEqual([
    { from: 1_700_000, to: 7_800_000 },
    { from: 14_300_000, to: 15_900_000 },
  ]);
});

test('nothing but zeros is nothing; a room that is loud throughout is all of it', () => {
  expect(speechIn(room([5, 0]))).toEqual([]);
  expect(speechIn(new Float32Array())).toEqual([]);
  expect(speechIn(room([5, 900]))).toEqual([{ from: 0, to: 5_000_000 }]);
});

test('pieces are no longer than they may be, in order, and leave nothing of what is said out', () => {
  const stretch = fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(fc.array(stretch), fc.integer({ min: 1, max: 80 }), (given, most) => {
      let at = 0;
      const stretches = given.map(([gap, length]) => {
        const one = { from: at + gap, to: at + gap + length };
        at = one.to;
        return one;
      });
      for (const pieces of [packed(stretches, most), apart(stretches, most)]) {
        expect(
          pieces.every(({ from, to }, n) => to > from && to - from <= most && from >= (pieces[n - 1]?.to ?? 0)),
        ).toBe(true);
        const isIn = (t: number): boolean => pieces.some(({ from, to }) => from <= t && t < to);
        expect(
          stretches.every(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n).every(isIn)),
        ).toBe(true);
      }
    }),
  );
});
