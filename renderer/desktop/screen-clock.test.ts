import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScreenClock, createStampClock } from './screen-clock.ts';

test('the session’s time is known to within half of the fastest answer, however slow the others were', () => {
  const truth = (ms: number): number => Math.round(ms * 1000 + 123_456_789);
  const answers = fc.array(
    fc.tuple(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true })),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(answers, (all) => {
      const clock = createScreenClock();
      let now = 1000;
      let fastest = Number.POSITIVE_INFINITY;
      for (const [there, back] of all) {
        const [asked, made, answered] = [now, now + there, now + there + back];
        clock.add({ asked, answered, t: truth(made) });
        fastest = Math.min(fastest, there + back);
        now = answered + 1;
      }
      // 50 µs a second of drift allowed for: the newest answer may be taken though one before was that much faster.
      const allowed = (fastest / 2) * 1000 + ((now - 1000) / 1000) * 50 + 2;
      expect(Math.abs(clock.toSession(now) - truth(now))).toBeLessThanOrEqual(allowed);
      expect(clock.error()).toBeLessThanOrEqual(allowed);
    }),
  );
});

test('before the first answer the error is infinite', () => {
  expect(createScreenClock().error()).toBe(Number.POSITIVE_INFINITY);
});

test('stamps of another clock: a picture that arrives late keeps its own time, once one has come without delay', () => {
  const timeOf = createStampClock(7e12);
  expect(timeOf(0, 500_000)).toBe(500_000);
  expect(timeOf(33_000, 531_000)).toBe(531_000);
  // 90 ms late.
  expect(timeOf(66_000, 654_000)).toBe(564_000);
  expect(timeOf(99_000, 597_000)).toBe(597_000);
});

test('stamps of the session’s own clock are taken as they are, however late the picture is', () => {
  const zero = 3_661_000_000;
  const timeOf = createStampClock(zero);
  expect(timeOf(zero + 500_000, 520_000)).toBe(500_000);
  expect(timeOf(zero + 533_000, 1_400_000)).toBe(533_000);
  // Never later than it came: the page's idea of the session's clock may be off by a little.
  expect(timeOf(zero + 600_500, 600_000)).toBe(600_000);
});
