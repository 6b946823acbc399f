import { expect, test } from 'vitest';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { caretFrames, caretIn } from './caret.ts';
import { changedBlocks } from './sight.ts';

const frame = (t: number, changed?: number): Frame => ({ i: 0, pts: t, t, ...(changed !== undefined && { changed }) });

test('PL28: the last two small changes between a step and the next input, and what was there before them', () => {
  const ms = 1000;
  const pauses = [
    { after: 200 * ms, until: 2900 * ms },
    { after: 2950 * ms, until: 5500 * ms },
  ];
  const frames = [50, 120, 200, 700, 1200, 1700, 2200, 2950].map((t) => frame(t * ms, 20));
  expect(caretFrames(frames, pauses)).toEqual([[4, 5, 6], []]);
  expect(caretFrames([...frames, frame(3500 * ms, 20), frame(4000 * ms, 20)], pauses)).toEqual([
    [4, 5, 6],
    [7, 8, 9],
  ]);
  // A scrollbar fades, a frame that says nothing, one without a figure.
  const more = [[200, 20], [250, 0], [900, 18], [1000, 2000], [1400, 18], [1600], [1700, 2000]] as const;
  expect(
    caretFrames(
      more.map(([t, changed]) => frame(t * ms, changed)),
      pauses,
    ),
  ).toEqual([[1, 2, 4], []]);
  expect(caretFrames(frames.slice(0, 4), pauses)).toEqual([[], []]);
  expect(caretFrames([], pauses)).toEqual([[], []]);
});

test('PL28: what comes with a step and goes again, or is there for a moment, is no caret', () => {
  /** Two changes after a step that ends at 1 s. */
  const seen = (came: number, went: number): boolean => {
    const frames = [900, 1000 + came, 1000 + went].map((t) => frame(t * 1000, 160));
    return (caretFrames(frames, [{ after: 1e6, until: 5e6 }])[0]?.length ?? 0) > 0;
  };
  // xterm's cursor is hollow while the button is held, and the screen is 40 ms late.
  expect(seen(10, 85)).toBe(false);
  // A machine that is busier, and later.
  expect(seen(250, 560)).toBe(false);
  expect(seen(700, 840)).toBe(false);
  // A caret comes with the step and goes after half a second (Chromium); it goes at 0.8 s and is back after 0.4 s (GTK), 0.25 s (gvim).
  expect(seen(20, 520)).toBe(true);
  expect(seen(800, 1200)).toBe(true);
  expect(seen(700, 920)).toBe(true);
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
