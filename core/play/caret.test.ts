import { expect, test } from 'vitest';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { caretFrames, caretIn } from './caret.ts';
import { changedBlocks } from './sight.ts';

const frame = (t: number, changed?: number): Frame => ({ i: 0, pts: t, t, ...(changed !== undefined && { changed }) });

test('PL28: the last two small changes between a step and the next input, and what was there before them', () => {
  const pauses = [
    { after: 200, until: 900 },
    { after: 950, until: 1500 },
  ];
  const frames = [50, 120, 200, 300, 400, 500, 600, 950].map((t) => frame(t, 20));
  expect(caretFrames(frames, pauses)).toEqual([[4, 5, 6], []]);
  expect(caretFrames([...frames, frame(1000, 20), frame(1200, 20)], pauses)).toEqual([
    [4, 5, 6],
    [7, 8, 9],
  ]);
  // A scrollbar fades, a frame that says nothing, one without a figure.
  const more = [[200, 20], [250, 0], [300, 18], [400, 2000], [500, 18], [600], [700, 2000]] as const;
  expect(
    caretFrames(
      more.map(([t, changed]) => frame(t, changed)),
      pauses,
    ),
  ).toEqual([[1, 2, 4], []]);
  expect(caretFrames(frames.slice(0, 4), pauses)).toEqual([[], []]);
  expect(caretFrames([], pauses)).toEqual([[], []]);
});

/** A grey page with a caret at each of these places. */
function page(...carets: readonly (readonly [x: number, y: number])[]): RgbImage {
  const [width, height] = [200, 100];
  const rgb = new Uint8Array(width * height * 3).fill(240);
  for (const [left, top] of carets)
    for (let y = top; y < top + 18; y++)
      for (let x = left; x < left + 2; x++) rgb.fill(0, (y * width + x) * 3, (y * width + x) * 3 + 3);
  return { width, height, rgb };
}

const [off, there, elsewhere] = [page(), page([120, 40]), page([20, 40])];

test('PL28: the picture in which the caret shows, whether it showed before the step or not', () => {
  for (const before of [off, elsewhere]) {
    expect(caretIn(before, [off, there, off])).toMatchObject({ shown: 1 });
    expect(caretIn(before, [there, off, there])).toMatchObject({ shown: 0 });
  }
  expect(caretIn(off, [off, there, off])?.blocks).toEqual(changedBlocks(off, there));
});

test('PL28: nothing blinks, something by itself, or something that was never there before', () => {
  expect(caretIn(off, [])).toBeNull();
  expect(caretIn(off, [off, off, off])).toBeNull();
  // It came, and stays.
  expect(caretIn(off, [off, there, there])).toBeNull();
  const typed = page([118, 40]);
  expect(caretIn(off, [typed, page([118, 40], [120, 40]), typed])).toMatchObject({ shown: 1 });
  expect(caretIn(off, [typed, elsewhere, typed])).toMatchObject({ shown: null });
  const large = page([120, 10], [120, 30], [120, 50], [120, 70], [60, 10]);
  expect(caretIn(off, [off, large, off])).toBeNull();
  expect(caretIn(off, [off, there, off], changedBlocks(off, there) ?? undefined)).toBeNull();
  // Both looks are other than before the step.
  expect(caretIn(page([122, 44]), [off, there, off])).toMatchObject({ shown: null });
});
