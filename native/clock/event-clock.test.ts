import fc from 'fast-check';
import { expect, test } from 'vitest';
import { machEventNs, minimumOffsetClock, x11EventTime } from './event-clock.ts';
import { sessionClock } from './session-clock.ts';

const DAY_MS = 86_400_000;

test('an X11 time is the same millisecond of CLOCK_MONOTONIC', () => {
  const clock = sessionClock(1_000_000_000n, 0);
  expect(x11EventTime(clock, 1_500, 1_502_000_000n)).toBe(500_000);
});

test('an X11 time from before the server wrapped at 49.7 days is placed before the wrap', () => {
  const wrapNs = 2n ** 32n * 1_000_000n;
  const clock = sessionClock(wrapNs - 10_000_000_000n, 0);
  const justAfterWrap = wrapNs + 5_000_000n;
  expect(x11EventTime(clock, 2 ** 32 - 3, justAfterWrap)).toBe(9_997_000);
  expect(x11EventTime(clock, 2, justAfterWrap)).toBe(10_002_000);
});

test('an X11 time that is a little ahead of now (another core read the clock) stays where it is', () => {
  const clock = sessionClock(0n, 0);
  expect(x11EventTime(clock, 1_001, 1_000_400_000n)).toBe(1_001_000);
});

test('law: whatever the uptime, an event at most 24 days away keeps its true millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), fc.integer({ min: 0, max: 24 * DAY_MS }), (now, ago) => {
      const eventMs = Math.max(0, now - ago);
      const clock = sessionClock(0n, 0);
      expect(x11EventTime(clock, eventMs % 2 ** 32, BigInt(now) * 1_000_000n)).toBe(eventMs * 1000);
    }),
  );
});

test('the offset is the smallest delay seen: a late delivery moves no event', () => {
  const clock = minimumOffsetClock(() => 0);
  expect(clock.toSession(100, 5_002_000)).toBe(5_002_000);
  // Delivered 300 ms late.
  expect(clock.toSession(110, 5_312_000)).toBe(5_012_000);
  // Delivered 1 ms faster than the first: the offset shrinks.
  expect(clock.toSession(120, 5_021_000)).toBe(5_021_000);
  expect(clock.toSession(130, 5_100_000)).toBe(5_031_000);
});

test('GetTickCount starting again at 0 after 49.7 days changes nothing', () => {
  const clock = minimumOffsetClock(() => 0, { wrapMs: 2 ** 32 });
  const first = clock.toSession(2 ** 32 - 10, 1_000_000);
  expect(clock.toSession(5, 1_015_000) - first).toBe(15_000);
  // A straggler of before the wrap, delivered after it.
  expect(clock.toSession(2 ** 32 - 4, 1_020_000) - first).toBe(6_000);
  expect(clock.toSession(20, 1_030_000) - first).toBe(30_000);
});

test('clocks that drift apart by 20 ppm stay within 2 ms over an hour', () => {
  const clock = minimumOffsetClock(() => 0, { driftUsPerSecond: 50 });
  let worst = 0;
  for (let second = 0; second <= 3600; second++) {
    // The hook's clock runs 20 ppm slow; delivery takes 1 ms.
    const trueUs = second * 1_000_000;
    const mapped = clock.toSession((trueUs * (1 - 20e-6)) / 1000, trueUs + 1000);
    worst = Math.max(worst, Math.abs(mapped - trueUs));
  }
  expect(worst).toBeLessThanOrEqual(2000);
});

test('law: no event is placed after it was received, and order is kept', () => {
  const step = fc.record({ gap: fc.integer({ min: 0, max: 500 }), delayUs: fc.integer({ min: 0, max: 400_000 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), (steps) => {
      const clock = minimumOffsetClock(() => 0);
      let ms = 1000;
      let received = 0;
      let before = 0;
      for (const { gap, delayUs } of steps) {
        ms += gap;
        // Events are delivered in the order in which they happened.
        received = Math.max(received, ms * 1000 + 7_000_000 + delayUs);
        const t = clock.toSession(ms, received);
        expect(t).toBeLessThanOrEqual(received);
        expect(t).toBeGreaterThanOrEqual(before);
        before = t;
      }
    }),
  );
});

test('macOS: ticks and ns are told apart by which is near now, and sleep is added', () => {
  // Apple silicon: 125/3 ns a tick. Up 1000 s awake, 50 s asleep.
  const now = { absolute: 24_000_000_000n, continuous: 25_200_000_000n, numer: 125, denom: 3 };
  const asleep = 50_000_000_000n;
  expect(machEventNs(23_999_760_000, now)).toBe(999_990_000_000n + asleep);
  expect(machEventNs(999_990_000_000, now)).toBe(999_990_000_000n + asleep);
});

test('macOS on Intel: a tick is 1 ns', () => {
  const now = { absolute: 5_000_000_000n, continuous: 5_000_000_000n, numer: 1, denom: 1 };
  expect(machEventNs(4_990_000_000, now)).toBe(4_990_000_000n);
});
