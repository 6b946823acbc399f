import { expect, test } from 'vitest';
import type { SessionClock } from '../../clock/session-clock.ts';
import { arrivalPtsClock, hostPtsClock, wallPtsClock } from './pts-clock.ts';
import { isComplaint, parseShowinfo } from './showinfo.ts';

/** A machine whose wall clock is session time + `wallStartMs` and can be stepped; each reading takes 20 µs. */
function machine(wallStartMs: number): {
  clock: SessionClock;
  wall(): number;
  step(ms: number): void;
  wait(us: number): void;
} {
  let us = 0;
  let wallOffsetMs = wallStartMs;
  const tick = (): number => {
    us += 20;
    return us;
  };
  return {
    clock: {
      source: 'test',
      startNs: 0n,
      startedAtMs: 0,
      now: tick,
      fromNs: (ns) => Number(ns / 1000n),
    },
    wall: () => Math.floor(tick() / 1000 + wallOffsetMs),
    step: (ms) => {
      wallOffsetMs += ms;
    },
    wait: (duration) => {
      us += duration;
    },
  };
}

test('a wall stamp becomes its session time within the time that a reading takes', () => {
  const { clock, wall } = machine(1_700_000_000_000.25);
  const pts = wallPtsClock(clock, wall);
  const mapped = pts.toSession(1_700_000_000_000_250 + 40_000, 41_000);
  expect(Math.abs(mapped - 40_000)).toBeLessThanOrEqual(60);
});

test('another program that runs in the middle of a reading moves no frame', () => {
  const { clock, wall, wait } = machine(1_700_000_000_000.25);
  let [known, left] = [0, 3];
  const disturbed = (): number => {
    const now = wall();
    // The millisecond has begun, and only later is the session's clock read.
    if (known !== 0 && now !== known && left-- > 0) wait(4_000);
    known = now;
    return now;
  };
  const pts = wallPtsClock(clock, disturbed);
  const mapped = pts.toSession(1_700_000_000_000_250 + 40_000, 41_000);
  expect(Math.abs(mapped - 40_000)).toBeLessThanOrEqual(60);
});

test('a system clock stepped by an hour moves no frame, before or after the step', () => {
  const { clock, wall, step, wait } = machine(1_000_000);
  const pts = wallPtsClock(clock, wall);
  wait(500_000);
  // Stamped before the step, arrived after it.
  step(3_600_000);
  expect(Math.abs(pts.toSession(1_000_000_000 + 500_000, 510_000) - 500_000)).toBeLessThanOrEqual(60);
  // Stamped after it, before the next sample.
  wait(100_000);
  expect(Math.abs(pts.toSession(4_600_000_000 + 600_000, 604_000) - 600_000)).toBeLessThanOrEqual(60);
  pts.sample();
  expect(Math.abs(pts.toSession(4_600_000_000 + 700_000, 704_000) - 700_000)).toBeLessThanOrEqual(60);
});

test('a clock set back by 20 ms: frames of both sides keep their places', () => {
  const { clock, wall, step, wait } = machine(1_000_000);
  const pts = wallPtsClock(clock, wall);
  wait(1_000_000);
  step(-20);
  pts.sample();
  const after = pts.toSession(1_000_000_000 - 20_000 + 1_030_000, 1_033_000);
  expect(Math.abs(after - 1_030_000)).toBeLessThanOrEqual(60);
});

test('ddagrab: the least delayed arrival sets the offset', () => {
  const pts = arrivalPtsClock();
  pts.toSession(0, 1_030_000);
  expect(pts.toSession(33_000, 1_053_000)).toBe(1_053_000);
  expect(Math.abs(pts.toSession(66_000, 1_180_000) - 1_086_000)).toBeLessThanOrEqual(10);
});

test('avfoundation: the host clock is mapped by the adapter', () => {
  expect(hostPtsClock((ptsUs) => ptsUs - 5_000_000.4).toSession(5_250_000, 0)).toBe(250_000);
});

test('showinfo lines of ffmpeg 5 to 7 are read, all others are not', () => {
  const five = '[showinfo@tick @ 0x55d] n:   0 pts:1795297997471822 pts_time:1.7953e+09 pos:       -1 fmt:bgr0';
  const seven =
    '[showinfo@kept @ 0x7f8] n:  12 pts:  33333 pts_time:0.033333 duration:  33333 duration_time:0.03 fmt:gbrp';
  expect(parseShowinfo(five)).toEqual({ kind: 'tick', ptsUs: 1795297997471822 });
  expect(parseShowinfo(seven)).toEqual({ kind: 'kept', ptsUs: 33333 });
  expect(parseShowinfo('[showinfo@kept @ 0x7f8] config in time_base: 1/1000000, frame_rate: 30/1')).toBeNull();
  expect(parseShowinfo('[x11grab @ 0x1] Cannot open display :9')).toBeNull();
  expect(isComplaint('[x11grab @ 0x1] Cannot open display :9')).toBe(true);
  expect(isComplaint('[showinfo@kept @ 0x7f8] color_range:unknown')).toBe(false);
});
