import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { framesOf, idleStretches, looksOf, ownEffect, restlessBlocks } from './restless.ts';
import { afterEffect, changedBlocks } from './sight.ts';
import { isAt } from './target.ts';

/** A screen of 40 by 20 squares; each square is of one lightness. */
const SIZE = { width: 320, height: 160 };
function screen(squares: Readonly<Record<number, number>> = {}): RgbImage {
  const rgb = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let y = 0; y < SIZE.height; y++)
    for (let x = 0; x < SIZE.width; x++)
      rgb.fill(squares[(y >> 3) * 40 + (x >> 3)] ?? 0, (y * SIZE.width + x) * 3, (y * SIZE.width + x) * 3 + 3);
  return { ...SIZE, rgb };
}
const learnt = (...stretches: RgbImage[][]): number[] =>
  [...restlessBlocks(stretches.map(looksOf), SIZE)].toSorted((a, b) => a - b);
/** A clock whose seconds are square 100, and whose tens are 99. */
const clock = (seconds: number, more: Record<number, number> = {}): RgbImage =>
  screen({ 99: 50 * Math.floor(seconds / 10), 100: 60 * (seconds % 4), ...more });

test('PL24: what has many looks while nobody touches anything, again and again, is restless, with what belongs to it', () => {
  expect(learnt([clock(1), clock(2), clock(3)], [clock(8), clock(9), clock(10)])).toEqual([99, 100]);
});

test('PL24: a caret, what a step sets off, what stood still mostly and what was seen once are not', () => {
  const [on, off] = [screen({ 5: 255 }), screen()];
  expect(learnt([on, off, on, off], [off, on, off, on])).toEqual([]);
  // A bar that fills after one step of three.
  const bar = [0, 60, 120, 200].map((value) => screen({ 7: value }));
  expect(learnt(bar, [off, off, on], [on])).toEqual([]);
  expect(learnt(bar, bar, [on, off], [on])).toEqual([]);
  expect(learnt(bar)).toEqual([]);
  expect(learnt([])).toEqual([]);
});

test('PL24: where much of the screen moves nothing is learnt', () => {
  const film = (n: number): RgbImage =>
    screen(Object.fromEntries(Array.from({ length: 300 }, (_, k) => [k, (60 * (n + k)) % 256])));
  const stretch = [0, 1, 2, 3].map(film);
  expect(learnt(stretch, stretch)).toEqual([]);
});

test('PL24: a rare look of a clock is no effect of a step that changes more; alone, larger, or apart from the clock it is one', () => {
  const restless = new Set([99, 100]);
  const own = (...changed: number[]): number[] => [...ownEffect(new Set(changed), restless, SIZE)];
  expect(own(99, 100, 59, 300, 301)).toEqual([300, 301]);
  expect(own(59, 98, 99, 300)).toEqual([300]);
  expect(own(59)).toEqual([59]);
  expect(own(19, 300)).toEqual([19, 300]);
  // It touches the clock, and goes on.
  expect(own(59, 19, 300)).toEqual([59, 19, 300]);
  // The edges of the screen are no neighbours.
  expect(ownEffect(new Set([79, 300]), new Set([120]), SIZE)).toEqual(new Set([79, 300]));
});

test('PL24: whatever changes, restless squares are no effect, and only few beside them are left out of it', () => {
  const square = fc.integer({ min: 0, max: 799 });
  fc.assert(
    fc.property(fc.uniqueArray(square), fc.uniqueArray(square), (changed, restless) => {
      const known = new Set(restless);
      const other = changed.filter((block) => !known.has(block));
      const own = ownEffect(new Set(changed), known, SIZE);
      expect(other).toEqual(expect.arrayContaining([...own]));
      expect(own.size > 0).toBe(other.length > 0);
      const near = (block: number): boolean =>
        restless.some((one) => Math.abs((one % 40) - (block % 40)) <= 1 && Math.abs((one - block) / 40) <= 1.1);
      for (const block of other) if (!own.has(block)) expect(near(block)).toBe(true);
    }),
  );
});

test('PL24: restless squares are no difference, all others are', () => {
  const restless = new Set([99, 100]);
  const [before, after] = [clock(1), clock(2, { 300: 255 })];
  const effect = ownEffect(changedBlocks(before, after) ?? new Set(), restless, SIZE);
  expect([...effect]).toEqual([300]);
  const see = (now: RgbImage, strict = true) =>
    afterEffect(effect, after, null, { before: clock(31), now }, { x: 0, y: 0 }, { strict, restless });
  expect(see(clock(35, { 300: 255 }))).toEqual({ same: true });
  expect(see(clock(2))).toMatchObject({ same: false });
  expect(see(clock(2, { 300: 120 }))).toMatchObject({ same: false });
  const at = { x: 20 * 8 + 4, y: 2 * 8 + 4 };
  const here = { x: 0, y: 0 };
  const button = (seconds: number, lightness: number) => clock(seconds, { 98: lightness, 97: lightness });
  expect(isAt(button(1, 200), button(33, 200), at, here, restless)).toBe(true);
  expect(isAt(button(1, 200), button(33, 40), at, here, restless)).toBe(false);
});

test('PL24: nothing is taken from within a second after an input, from a pause, or from outside the demonstration', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5_000_000, max: 65_000_000 }), { maxLength: 30 }),
      fc.integer({ min: 0, max: 60_000_000 }),
      (times, from) => {
        const inputs = times.toSorted((a, b) => a - b);
        const pause = { start: from, end: from + 3_000_000 };
        for (const { start, end } of idleStretches(inputs, { start: 0, end: 60_000_000 }, [pause])) {
          expect(start).toBeGreaterThanOrEqual(1_000_000);
          expect(end).toBeLessThanOrEqual(60_000_000);
          expect(inputs.some((t) => t > start - 1_000_000 && t < end)).toBe(false);
          expect(start < pause.end && end > pause.start).toBe(false);
        }
      },
    ),
  );
});

test('PL24: a stretch is looked at by what stood at its beginning and a few changes of it, from the first to the last', () => {
  const frames = Array.from({ length: 200 }, (_, i): Frame => ({ i, pts: i * 100, t: i * 100_000, changed: i % 2 }));
  const some = framesOf({ start: 1_050_000, end: 15_000_000 }, frames);
  expect(some).toHaveLength(8);
  expect([some[0]?.i, some[1]?.i, some.at(-1)?.i]).toEqual([10, 29, 149]);
  expect(framesOf({ start: 1_050_000, end: 1_090_000 }, frames).map(({ i }) => i)).toEqual([10]);
});
