import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { eyesWith, plainPart } from './eyes-for-tests.ts';
import { inHandOf } from './in-hand.ts';
import { lookBefore } from './look-before.ts';
import { settlingBlocks, settlingFrames } from './settling.ts';

/** A text with a selection, and beside it a scroll bar that fades out over it, as GTK's does two seconds after the pointer moved. */
const VIEW = { x: 0, y: 0, width: 160, height: 120 };
const BAR = 152;

/** `fade`: 1 the bar is there, 0 it is gone. `letter`: of a text in the selection. `deleted`: the selection is gone. */
function screen(fade: number, { deleted = false, letter = 60 } = {}): RgbImage {
  const rgb = new Uint8Array(VIEW.width * VIEW.height * 3);
  for (let y = 0; y < VIEW.height; y++)
    for (let x = 0; x < VIEW.width; x++) {
      const paper = deleted ? 255 : 180;
      const ink = !deleted && x % 8 < 3 && y % 16 < 8 && x < 144;
      const value = x >= BAR ? paper - fade * 120 : ink ? letter : paper;
      rgb.fill(value, (y * VIEW.width + x) * 3, (y * VIEW.width + x) * 3 + 3);
    }
  return { width: VIEW.width, height: VIEW.height, rgb };
}

const pictures = { before: screen(0.5), after: screen(0, { deleted: true }), away: null, later: null, caret: null };
const FADE = [screen(0.9), screen(0.7)] as const;

/** Looks for so long as a step is waited for. */
async function looksLike(live: RgbImage, settling: readonly [RgbImage, RgbImage] | null): Promise<boolean> {
  const { eyes, clock } = eyesWith(() => live);
  const inHand = inHandOf(plainPart(VIEW), { ...pictures, settling }, null);
  for (; clock.now < 6000; clock.now += 300) if ((await lookBefore(eyes, inHand, { x: 0, y: 0 })).there) return true;
  return false;
}

test('PL46: what was on its way when a step began may look as it does before or after that', async () => {
  for (const fade of [1, 0.1, 0]) {
    expect(await looksLike(screen(fade), FADE)).toBe(true);
    // A picture that was taken in the middle of a fade is never seen again.
    expect(await looksLike(screen(fade), null)).toBe(false);
  }
});

test('PL46: everything else must look as before the step', async () => {
  expect(await looksLike(screen(0, { letter: 160 }), FADE)).toBe(false);
  expect(await looksLike(screen(0, { deleted: true }), FADE)).toBe(false);
  // Nothing is known of a screen that was on its way as a whole.
  expect(await looksLike(screen(0, { letter: 160 }), [screen(1, { letter: 20 }), screen(0.7, { letter: 40 })])).toBe(
    false,
  );
});

test('PL46: a square that changed once was late, and is none of them', () => {
  expect(settlingBlocks(...FADE, screen(0.5)).size).toBe(VIEW.height / 8);
  expect(settlingBlocks(screen(0.9), screen(0.5), screen(0.5)).size).toBe(0);
  expect(settlingBlocks(screen(0.9), screen(0.9), screen(0.5)).size).toBe(0);
});

const at = (...times: number[]) => times.map((t, i) => ({ i, pts: i, t: t * 1000, seen: t * 1000, changed: 9 }));
const step = (ended: number, began: number) => ({ ended: ended * 1000, began: began * 1000, lead: 0 });

test('PL46: looks are from half a second before the step, and none of what the step before did then', () => {
  const fading = at(0, 1000, 2100, 2200, 2300, 2400);
  expect(settlingFrames(fading, step(0, 2500))).toEqual([1, 3]);
  expect(settlingFrames(fading, step(2050, 2500))).toBeNull();
  // It was at rest, or changed once.
  expect(settlingFrames(fading, step(0, 4000))).toBeNull();
  expect(settlingFrames(at(0, 1000, 2300), step(0, 2500))).toBeNull();
  const still = at(0, 2100, 2300).map((frame) => ({ ...frame, changed: 0 }));
  expect(settlingFrames(still, step(0, 2500))).toBeNull();
  expect(settlingFrames([], step(0, 2500))).toBeNull();
});
