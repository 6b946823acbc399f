import { expect, test } from 'vitest';
import type { RgbImage } from '../../../schemas/picture.ts';
import { screenAtRest } from './at-rest.ts';

const screen = { width: 320, height: 200 };
const times = { stillMs: 200, lookMs: 5, atMostMs: 5000 };

/** A white screen with a black bar, `wide` px wide and as high as a caret. */
function barred(wide: number): RgbImage {
  const rgb = new Uint8Array(screen.width * screen.height * 3).fill(255);
  for (let y = 40; y < 60; y++) rgb.fill(0, (y * screen.width + 40) * 3, (y * screen.width + 40 + wide) * 3);
  return { ...screen, rgb };
}

/** How often the screen was looked at until it was taken for still. */
async function looks(at: (n: number) => number): Promise<number> {
  let n = 0;
  await screenAtRest({ look: () => barred(at(n++)) }, screen, times);
  return n;
}

test('a screen on which a caret blinks is at rest', async () => {
  expect(await looks((n) => 2 * (n % 2))).toBeLessThan(100);
});

test('one on which a text grows letter by letter is at rest only when it has stopped growing', async () => {
  expect(await looks((n) => 8 * Math.min(30, n))).toBeGreaterThan(30);
});
