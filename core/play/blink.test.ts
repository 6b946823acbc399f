import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { unseenInTurn } from './blink.ts';
import type { Eyes } from './eyes.ts';
import { eyesWith, plainPart } from './eyes-for-tests.ts';
import { type InHand, inHandOf } from './in-hand.ts';
import { BLOCK, cornerOf } from './likeness.ts';
import { lookAfter } from './look-after.ts';
import { lookBefore } from './look-before.ts';
import { NOWHERE } from './sight.ts';

const VIEW = { x: 10, y: 20, width: 160, height: 120 };
const CARET = { x: 42, y: 34, width: 2, height: 14 };
const TEXT = { x: 42, y: 34, width: 60, height: 14 };

/** White paper with black rectangles. */
function paper(...black: Rect[]): RgbImage {
  const { width, height } = VIEW;
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (const one of black)
    for (let y = one.y; y < one.y + one.height; y++)
      rgb.fill(0, (y * width + one.x) * 3, (y * width + one.x + one.width) * 3);
  return { width, height, rgb };
}

function cropped({ rgb, width }: RgbImage, { x, y, ...size }: Rect): RgbImage {
  const part = new Uint8Array(size.width * size.height * 3);
  for (let row = 0; row < size.height; row++) {
    const from = ((y - VIEW.y + row) * width + x - VIEW.x) * 3;
    part.set(rgb.subarray(from, from + size.width * 3), row * size.width * 3);
  }
  return { ...size, rgb: part };
}

/** A caret that is shown for half a second and then not for half a second; each look at the whole screen falls on the former. */
function blinking(shown: RgbImage, hidden: RgbImage) {
  const { eyes, clock } = eyesWith(() => null);
  const look = (rect: Rect): RgbImage => {
    if (rect.width === VIEW.width) {
      clock.now += 1000 - (clock.now % 1000);
      return shown;
    }
    return cropped(clock.now % 1000 < 500 ? shown : hidden, rect);
  };
  return { eyes: { ...eyes, look }, clock };
}

const takeIn = (before: RgbImage, after: RgbImage): InHand =>
  inHandOf(plainPart(VIEW), { before, after, away: null, later: null, caret: null }, null);

test('PL45: the caret is shown at every look at the whole screen, which the picture before the step lacks', async () => {
  const inHand = takeIn(paper(), paper(TEXT));
  expect((await lookBefore(blinking(paper(CARET), paper()).eyes, inHand, NOWHERE)).there).toBe(true);
  // A bar that stays is no caret.
  const stays = takeIn(paper(), paper(TEXT));
  expect((await lookBefore(blinking(paper(CARET), paper(CARET)).eyes, stays, NOWHERE)).there).toBe(false);
});

test('PL45: the same after a step, whose picture has the caret or lacks it', async () => {
  const [text, caret] = [
    { ...TEXT, x: 50 },
    { ...CARET, x: 120 },
  ];
  for (const [was, is] of [
    [paper(text, caret), [paper(text), paper(text, caret)]],
    [paper(text), [paper(text, caret), paper(text)]],
  ] as const) {
    const inHand = takeIn(paper(CARET), was);
    inHand.liveBefore = paper(CARET);
    expect((await lookAfter(blinking(...is).eyes, inHand, NOWHERE, 0)).same).toBe(true);
    // Half of the text alone is not the text, whatever blinks.
    const less = takeIn(paper(CARET), was);
    less.liveBefore = paper(CARET);
    const half = { ...text, width: 20 };
    expect((await lookAfter(blinking(paper(half, caret), paper(half)).eyes, less, NOWHERE, 0)).same).toBe(false);
  }
});

test('PL45: a caret is watched although it was other for more than a second while the step was on its way', async () => {
  const [text, caret] = [
    { ...TEXT, x: 50 },
    { ...CARET, x: 120 },
  ];
  const inHand = takeIn(paper(caret), paper(text));
  inHand.liveBefore = paper(caret);
  // A slow machine: nothing of the step is there yet, and the caret is shown at each look.
  const early = blinking(paper(caret), paper());
  for (let look = 0; look < 3; look++)
    expect((await lookAfter(early.eyes, inHand, NOWHERE, 0)).same, `look ${look + 1}`).toBe(false);
  const come = blinking(paper(text, caret), paper(text));
  come.clock.now = early.clock.now;
  expect((await lookAfter(come.eyes, inHand, NOWHERE, 0)).same).toBe(true);
  // A key made it shown for longer than a watch takes; one that never goes is none.
  const again = takeIn(paper(caret), paper(text));
  again.liveBefore = paper(caret);
  const stays = blinking(paper(text, caret), paper(text, caret));
  for (let look = 0; look < 4; look++) expect((await lookAfter(stays.eyes, again, NOWHERE, 0)).same).toBe(false);
  const goes = blinking(paper(text, caret), paper(text));
  goes.clock.now = stays.clock.now;
  const looks: boolean[] = [];
  for (let look = 0; look < 3; look++) looks.push((await lookAfter(goes.eyes, again, NOWHERE, 0)).same);
  expect(looks).toContain(true);
});

test('PL33, PL45: a caret beside a time that is another one is watched, and the time alone is read', async () => {
  const [text, caret] = [
    { ...TEXT, x: 50 },
    { ...CARET, x: 120 },
  ];
  const [was, is] = [
    { x: 48, y: 80, width: 4, height: 8 },
    { x: 52, y: 80, width: 4, height: 8 },
  ];
  const time = 10 * (VIEW.width / BLOCK) + 6;
  /** Whether it is the same at one of ten looks, at each of which the caret is hidden. `shown`: what is seen at other moments. */
  const isSame = async (shown: RgbImage, timesIn: Eyes['times']['timesIn']): Promise<boolean> => {
    const inHand = takeIn(paper(), paper(text, caret, was));
    inHand.liveBefore = paper();
    const { eyes } = blinking(paper(text, is), shown);
    for (let look = 0; look < 10; look++)
      if ((await lookAfter({ ...eyes, times: { timesIn } }, inHand, NOWHERE, 0)).same) return true;
    return false;
  };
  const reads: Eyes['times']['timesIn'] = async ({ blocks }) =>
    blocks.join() === String(time) ? { was: '07:08:01', is: '09:10:11' } : null;
  expect(await isSame(paper(text, caret, is), reads)).toBe(true);
  // A caret that never comes is another one, and what is no time is none.
  expect(await isSame(paper(text, is), reads)).toBe(false);
  expect(await isSame(paper(text, caret, is), async () => null)).toBe(false);
});

test('PL45: after a watch in vain the squares are not watched for as long', async () => {
  const { eyes, clock } = blinking(paper(CARET), paper(CARET));
  const inHand = takeIn(paper(), paper(TEXT));
  const began = clock.now;
  await lookBefore(eyes, inHand, NOWHERE);
  const watched = clock.now;
  expect(watched - began).toBeGreaterThan(900);
  await lookBefore(eyes, inHand, NOWHERE);
  // The look itself alone.
  expect(clock.now - watched).toBeLessThanOrEqual(1000);
  expect(inHand.watchFrom).toBeGreaterThan(watched);
});

test('PL45: few squares count exactly when each of them looks as in one of the pictures at some moment', async () => {
  const black = (block: number): Rect => ({ ...cornerOf(block, VIEW.width), width: BLOCK, height: BLOCK });
  const squares = fc.uniqueArray(fc.nat(299), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(squares, fc.array(fc.array(fc.boolean()), { maxLength: 6 }), async (blocks, moments) => {
      const { eyes, clock } = eyesWith(() => null);
      // At each moment some of the squares are white, as they were; the others are black.
      const whites = [...moments, ...(moments.length === 0 ? [[]] : [])].map((is) => blocks.filter((_, n) => is[n]));
      const pictures = whites.map((white) => paper(...blocks.filter((block) => !white.includes(block)).map(black)));
      const look = (rect: Rect): RgbImage => {
        const at = Math.min(pictures.length - 1, Math.floor(clock.now / 100));
        return cropped(pictures[at]!, rect); // One moment at least.
      };
      const white = new Set(whites.flat());
      const unseen = await unseenInTurn(
        { ...eyes, look },
        takeIn(paper(), paper(TEXT)),
        { file: '', ...VIEW },
        [paper()],
        {
          blocks,
          shift: NOWHERE,
        },
      );
      expect(unseen).toEqual(blocks.length > 8 ? blocks : blocks.filter((block) => !white.has(block)));
    }),
  );
});
