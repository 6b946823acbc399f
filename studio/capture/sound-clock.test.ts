import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundClock } from './sound-clock.ts';

const RATE = 16_000;
const PIECE = 320;
const PIECE_US = 20_000;

test('a piece lies where the least delay of the last seconds puts it, however late it comes itself', () => {
  const delay = fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(delay, fc.integer({ min: 0, max: 1e7 }), (delays, start) => {
      const clock = soundClock(RATE);
      let arrived = 0;
      let least = Number.POSITIVE_INFINITY;
      for (const [n, late] of delays.entries()) {
        const made = start + (n + 1) * PIECE_US;
        // Pieces come in their order.
        arrived = Math.max(arrived, made + late);
        least = Math.min(least, arrived - made);
        expect(clock.place(arrived, PIECE)).toBe(start + n * PIECE_US + least);
      }
    }),
  );
});

test('a card that is slow or fast by 200 ppm stays within 20 ms for an hour', () => {
  for (const ppm of [-200, 200]) {
    const clock = soundClock(RATE);
    const real = PIECE_US * (1 + ppm / 1e6);
    let worst = 0;
    for (let n = 0; n < 180_000; n++) {
      const made = n * real;
      const t = clock.place(made + real + (n % 7) * 1000, PIECE);
      if (n > 10) worst = Math.max(worst, Math.abs(t - made));
    }
    expect(worst).toBeLessThanOrEqual(20_000);
  }
});

test('sound behind a gap lies behind it, once ten seconds of it have shown that samples were lost', () => {
  const clock = soundClock(RATE);
  for (let n = 0; n < 600; n++) clock.place((n + 1) * PIECE_US, PIECE);
  const gap = 300_000;
  let t = 0;
  for (let n = 600; n < 1200; n++) t = clock.place((n + 1) * PIECE_US + gap, PIECE);
  expect(t).toBe(1199 * PIECE_US + gap);
});
