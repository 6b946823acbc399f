import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../evaluate/random.ts';
import { type ChangeGrid, findVideoStart, type Impulse, impulsesOf } from './video-start.ts';

const FRAME = 1e6 / 30;
const SIZE = { columns: 40, rows: 23, width: 1280, height: 720 };

/** A video of `seconds` in which each change (µs of the video, px) shows in the first frame at or after it. */
function gridOf(seconds: number, changes: readonly { t: number; x: number; y: number }[]): ChangeGrid {
  const times = Array.from({ length: Math.round(seconds * 30) }, (_, at) => Math.round((at * FRAME) / 1000) * 1000);
  const cells = new Uint8Array(times.length * SIZE.columns * SIZE.rows);
  for (const { t, x, y } of changes) {
    const frame = times.findIndex((time) => time >= t);
    if (frame < 0) continue;
    const cell = Math.floor((y / SIZE.height) * SIZE.rows) * SIZE.columns + Math.floor((x / SIZE.width) * SIZE.columns);
    cells[frame * SIZE.columns * SIZE.rows + cell] = 200;
  }
  return { times, cells, ...SIZE };
}

/** Clicks about a second apart, never at a fixed one. `random` gives 0 to 1. */
function clicks(count: number, random: () => number): Impulse[] {
  let t = 5_000_000;
  return Array.from({ length: count }, () => {
    t += Math.round(400_000 + random() * 1_300_000);
    return { t, kind: 'input', place: { x: Math.floor(random() * 1280), y: Math.floor(random() * 720) } };
  });
}

const around = (told: number) => ({ from: told - 5e6, to: told + 5e6 });

describe('the start of a video, from its pictures', () => {
  test('whatever it is, it is found within the error that is stated, and the error is small', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_500_000, max: 1_500_000 }), fc.nat(), (off, seed) => {
        const impulses = clicks(30, randomFrom(seed));
        const start = 4_000_000 + off;
        const grid = gridOf(
          60,
          impulses.map(({ t, place }) => ({ t: t - start, ...place! })),
        );
        const found = findVideoStart(impulses, grid, around(4_000_000));
        if (!found.known) throw new Error(found.why);
        expect(Math.abs(found.startUs - start)).toBeLessThanOrEqual(found.errorUs);
        expect(found.errorUs).toBeLessThan(1.5 * FRAME);
        expect(found.by).toBe('input');
      }),
      { numRuns: 60 },
    );
  });

  test('it is found when a third of the clicks change nothing and the screen changes by itself now and then', () => {
    const random = randomFrom(7);
    const impulses = clicks(40, random);
    const start = 3_700_000;
    const done = impulses.filter((_, at) => at % 3 !== 0).map(({ t, place }) => ({ t: t - start, ...place! }));
    const own = Array.from({ length: 25 }, () => ({ t: random() * 60e6, x: random() * 1280, y: random() * 720 }));
    const found = findVideoStart(impulses, gridOf(60, [...done, ...own]), around(4_000_000));
    expect(found.known && Math.abs(found.startUs - start) <= found.errorUs).toBe(true);
  });

  test('the pointer is trusted more than an application that takes its time to answer, and the answer time is told', () => {
    const random = randomFrom(11);
    const start = 4_283_000;
    const inputs = clicks(30, random);
    const pointer = clicks(30, random).map((impulse): Impulse => ({ ...impulse, kind: 'pointer' }));
    const changes = [
      ...pointer.map(({ t, place }) => ({ t: t - start, ...place! })),
      ...inputs.map(({ t, place }) => ({ t: t - start + 80_000, ...place! })),
    ];
    const found = findVideoStart([...inputs, ...pointer], gridOf(80, changes), around(4_000_000));
    if (!found.known) throw new Error(found.why);
    expect(found.by).toBe('pointer');
    expect(Math.abs(found.startUs - start)).toBeLessThanOrEqual(found.errorUs);
    expect(Math.abs(found.answerUs! - 80_000)).toBeLessThan(25_000);
  });

  test('a still video, changes that have nothing to do with the input, and too few inputs are said to tell nothing', () => {
    const impulses = clicks(30, randomFrom(3));
    const random = randomFrom(5);
    const unrelated = Array.from({ length: 40 }, () => ({ t: random() * 60e6, x: random() * 1280, y: random() * 720 }));
    const range = around(4_000_000);
    expect(findVideoStart(impulses, gridOf(60, []), range)).toMatchObject({ known: false });
    expect(findVideoStart(impulses, gridOf(60, unrelated), range)).toMatchObject({ known: false });
    const three = impulses.slice(0, 3);
    const grid = gridOf(
      60,
      three.map(({ t, place }) => ({ t: t - 4_000_000, ...place! })),
    );
    expect(findVideoStart(three, grid, range)).toMatchObject({
      known: false,
      why: expect.stringContaining('3 inputs'),
    });
    expect(findVideoStart([], grid, range)).toMatchObject({ known: false });
  });

  test('clicks at a steady beat fit at every beat: that is no answer', () => {
    const impulses = Array.from({ length: 20 }, (_, at): Impulse => {
      return { t: 5_000_000 + at * 1_000_000, kind: 'input', place: { x: 640, y: 360 } };
    });
    const grid = gridOf(
      40,
      impulses.map(({ t, place }) => ({ t: t - 4_000_000, ...place! })),
    );
    expect(findVideoStart(impulses, grid, around(4_000_000))).toMatchObject({ known: false });
  });
});

test('what is looked at: the first of a run of keys, each press, and the pointer where it begins to move after a rest', () => {
  const key = (t: number) => ({ type: 'keydown', t });
  const move = (t: number, x: number) => ({ type: 'move', t, x, y: 5 });
  const down = { type: 'down', t: 900_000, x: 2, y: 5 };
  // The movement at 700 ms is too near before the click, that at 1 s too near after it.
  const stream = [move(0, 1), move(10_000, 2), move(700_000, 2), down, move(1_000_000, 3)];
  expect(impulsesOf([...stream, key(2_000_000), key(2_050_000), move(2_500_000, 4)])).toEqual([
    { t: 0, kind: 'pointer', place: { x: 1, y: 5 } },
    { t: 900_000, kind: 'input', place: { x: 2, y: 5 } },
    { t: 2_000_000, kind: 'input', place: null },
    { t: 2_500_000, kind: 'pointer', place: { x: 4, y: 5 } },
  ]);
});
