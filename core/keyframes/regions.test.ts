import { expect, test } from 'vitest';
import { REGION_SHARE, regionChooser, STILL_MS } from './regions.ts';
import { keepSamples, keepSamplesToTheLetter } from './sample.ts';

const [WIDTH, HEIGHT] = [320, 200];
/** A grey picture with boxes [x, y, width, height, value] on it. */
function picture(...boxes: [number, number, number, number, number][]): Uint8Array {
  const grey = new Uint8Array(WIDTH * HEIGHT).fill(220);
  for (const [x, y, width, height, value] of boxes) {
    for (let row = y; row < y + height; row++) grey.fill(value, row * WIDTH + x, row * WIDTH + x + width);
  }
  return grey;
}
/** The pictures that stay of those shown at these times, ms. */
function kept(shown: [number, Uint8Array][]): number[] {
  const chooser = regionChooser({ width: WIDTH, height: HEIGHT, region: REGION_SHARE, stillMs: STILL_MS });
  for (const [at, [time, grey]] of shown.entries()) chooser.add(at, time, grey);
  return chooser.finish().flatMap((sample) => (sample.kept ? [sample.frame] : []));
}
const DIALOG: [number, number, number, number, number] = [100, 60, 60, 40, 90];

test('a dialog counts, though it changes a few percent of the screen (K10)', () => {
  expect(
    kept([
      [0, picture()],
      [1000, picture(DIALOG)],
      [2000, picture()],
      [3000, picture()],
    ]),
  ).toEqual([0, 1, 2]);
  // K6 keeps none of them: its threshold is for screens that change as a whole.
  expect(keepSamples([0, 1000, 2000, 3000], [0.04, 0.04, 0], { share: 0.3, gap: 1000 })).toEqual([3]);
});

test('a caret that blinks and a pointer that moves are none', () => {
  const shown = Array.from({ length: 8 }, (_, at): [number, Uint8Array] => [
    at * 500,
    picture([50, 50, 1, 10, at % 2 ? 0 : 220], [10 + at * 30, 100, 4, 7, 0]),
  ]);
  expect(kept(shown)).toEqual([0]);
});

test('of a change in several pictures the last one stays: it shows what came of it', () => {
  const typed = (letters: number) =>
    picture(
      ...Array.from(
        { length: letters },
        (_, at) => [40 + at * 9, 40, 7, 9, 10] as [number, number, number, number, number],
      ),
    );
  const shown = Array.from({ length: 10 }, (_, at): [number, Uint8Array] => [1000 + at * 100, typed(at)]);
  expect(kept([[0, picture()], ...shown, [5000, typed(9)]])).toEqual([0, 10]);
});

test('where something never stands still a picture is taken every few seconds', () => {
  const playing = Array.from({ length: 100 }, (_, at): [number, Uint8Array] => [
    at * 100,
    picture([50, 50, 100, 80, (at * 37) % 200]),
  ]);
  const frames = kept(playing);
  expect(frames.length).toBeGreaterThan(2);
  expect(frames.length).toBeLessThan(6);
});

test('equation 3 to the letter keeps the last of a burst, where K6 keeps the first (K9)', () => {
  const times = [0, 1, 2, 3, 10, 11];
  const shares = [0.9, 0.9, 0.9, 0, 0.9];
  expect(keepSamples(times, shares, { share: 0.5, gap: 2 })).toEqual([0, 2, 4, 5]);
  expect(keepSamplesToTheLetter(times, shares, { share: 0.5, gap: 2 })).toEqual([2, 5]);
});
