import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REGION_SHARE, regionChooser, STILL_MS } from './regions.ts';

const [WIDTH, HEIGHT] = [320, 200];
type Box = [x: number, y: number, width: number, height: number, value: number];
function picture(...boxes: Box[]): Uint8Array {
  const grey = new Uint8Array(WIDTH * HEIGHT).fill(220);
  for (const [x, y, width, height, value] of boxes) {
    for (let row = y; row < y + height; row++) grey.fill(value, row * WIDTH + x, row * WIDTH + x + width);
  }
  return grey;
}
/** The pictures that stay of those shown at these times, ms. */
function kept(shown: [number, Uint8Array][], marks = true): number[] {
  const chooser = regionChooser({ width: WIDTH, height: HEIGHT, region: REGION_SHARE, stillMs: STILL_MS, marks });
  for (const [at, [time, grey]] of shown.entries()) chooser.add(at, time, grey);
  return chooser.finish().flatMap((sample) => (sample.kept ? [sample.frame] : []));
}
/** A stroke down and one across: no line. */
const letter = (x: number, y = 40): Box[] => [
  [x, y, 1, 5, 10],
  [x, y + 2, 3, 1, 10],
];
const caret = (x: number, y = 38): Box => [x, y, 1, 10, 0];
const pointer = (x: number, y: number): Box => [x, y, 4, 7, 0];

describe('a change that is smaller than a region (K11)', () => {
  test('a letter counts, and so does its removal; by K10 neither does', () => {
    const shown: [number, Uint8Array][] = [
      [0, picture(caret(40))],
      [1000, picture(...letter(42), caret(47))],
      [2000, picture(caret(40))],
    ];
    expect(kept(shown)).toEqual([0, 1, 2]);
    expect(kept(shown, false)).toEqual([0]);
  });

  test('of a word that is typed letter by letter the whole stays', () => {
    const typed = (letters: number) =>
      picture(...Array.from({ length: letters }, (_, at) => letter(40 + at * 5)).flat());
    const shown = Array.from({ length: 6 }, (_, at): [number, Uint8Array] => [1000 + at * 120, typed(at)]);
    expect(kept([[0, typed(0)], ...shown, [4000, typed(5)]])).toEqual([0, 6]);
  });

  test('a caret does not, wherever it blinks, and a pointer does not, wherever it goes', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 185 }));
    fc.assert(
      fc.property(
        place,
        fc.array(fc.tuple(place, fc.integer({ min: 30, max: 900 })), { maxLength: 20 }),
        (start, goes) => {
          let time = 0;
          const blinks: [number, Uint8Array][] = [[0, picture()]];
          const moves: [number, Uint8Array][] = [[0, picture(pointer(...start))]];
          for (const [[x, y], ms] of goes) {
            time += ms;
            blinks.push([time, picture(caret(x, y))]);
            moves.push([time, picture(pointer(x, y))]);
          }
          expect(kept(blinks)).toHaveLength(1);
          // Where the two places overlap, are near each other or lie in cells of 8 px that touch (K10), they are one thing that
          // changed: of 40 by 25 cells it is a region, and may be kept.
          const near = goes.some(([[x, y]]) =>
            goes
              .concat([[start, 0]])
              .some(([[u, v]]) => (x !== u || y !== v) && Math.abs(x - u) < 4 + 2 * 8 && Math.abs(y - v) < 7 + 2 * 8),
          );
          if (!near) expect(kept(moves)).toHaveLength(1);
        },
      ),
    );
  });

  test('the two places of a pointer in cells that touch are a region of a small picture', () => {
    const moves = [picture(pointer(183, 18)), picture(pointer(173, 37))].map((grey, at): [number, Uint8Array] => [
      330 * at,
      grey,
    ]);
    expect(kept(moves)).toEqual([0, 1]);
    expect(kept(moves, false)).toEqual([0, 1]);
  });

  test('the seconds of a clock do not count for long, and do not keep a letter elsewhere from counting', () => {
    const ticking = (second: number, ...more: Box[]): Uint8Array =>
      picture(...(second % 2 === 0 ? letter(290, 4) : ([[290, 4, 4, 5, 10]] as Box[])), ...more);
    const shown = Array.from({ length: 60 }, (_, at): [number, Uint8Array] => [
      at * 1000,
      ticking(at, ...(at < 40 ? [] : letter(60))),
    ]);
    const frames = kept(shown);
    expect(frames.length).toBeLessThanOrEqual(6);
    expect(frames.filter((frame) => frame >= 40)).toEqual([40]);
  });

  test('noise of a lossy film, however much of it, is no mark', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: -18, max: 18 })), (noise) => {
        const noisy = (): Uint8Array => picture().map((value) => value + Number(noise.next().value));
        expect(kept([0, 1000, 2000].map((time): [number, Uint8Array] => [time, noisy()])).length).toBeLessThanOrEqual(
          3,
        );
      }),
      { numRuns: 1 },
    );
  });
});
