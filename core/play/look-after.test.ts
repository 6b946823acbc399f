import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Eyes } from './eyes.ts';
import { eyesWith, plainPart } from './eyes-for-tests.ts';
import { inHandOf, type PartPictures } from './in-hand.ts';
import { lookAfter, towardsNext } from './look-after.ts';
import type { PlayPart } from './part.ts';

const VIEW = { x: 0, y: 0, width: 320, height: 200 };
/** Columns of squares, 40 in a row. */
const COLUMNS = VIEW.width / 8;

/** A white screen on which these squares are black. */
function screenWith(...blocks: readonly number[]): RgbImage {
  const rgb = new Uint8Array(VIEW.width * VIEW.height * 3).fill(255);
  for (const block of blocks)
    for (let y = 0; y < 8; y++) {
      const row = Math.floor(block / COLUMNS) * 8 + y;
      const from = 3 * (row * VIEW.width + (block % COLUMNS) * 8);
      rgb.fill(0, from, from + 24);
    }
  return { width: VIEW.width, height: VIEW.height, rgb };
}

const part: PlayPart = { ...plainPart(VIEW), later: { file: '', ...VIEW } };
const take = (pictures: Partial<PartPictures>, more: Partial<PlayPart> = {}) => {
  const blank = screenWith();
  return inHandOf(
    { ...part, ...more },
    { before: blank, after: blank, away: null, later: null, caret: null, ...pictures },
    null,
  );
};

/** Eyes that see `screen.live`, and read what `timesIn` says. */
function eyesOn(timesIn: Eyes['times']['timesIn'] = async () => null) {
  const screen = { live: screenWith() };
  const { eyes, clock } = eyesWith(() => screen.live);
  return { eyes: { ...eyes, times: { timesIn } }, clock, screen };
}
/** Each look compares whole pictures. */
const RUNS = { numRuns: 30 };
const NOWHERE = { x: 0, y: 0 };
const [STEP, LATE] = [
  [100, 101, 102],
  [700, 701],
];

test('PL8: the screen before the next step counts from its time on, and not before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(3000), fc.nat(3000), async (now, laterFrom) => {
      const { eyes, clock, screen } = eyesOn();
      const inHand = take({ after: screenWith(...STEP), later: screenWith(101, 102) });
      screen.live = screenWith(101, 102);
      clock.now = now;
      expect((await lookAfter(eyes, inHand, NOWHERE, laterFrom)).same).toBe(now >= laterFrom);
    }),
    RUNS,
  );
});

test('PL28: a caret that blinks counts once it was seen, at whatever look', async () => {
  const looks = fc.array(fc.record({ caret: fc.boolean(), done: fc.boolean() }), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(looks, async (seen) => {
      const { eyes, screen } = eyesOn();
      const caret = { file: '', ...VIEW, blocks: LATE };
      const inHand = take({ after: screenWith(...STEP), caret: screenWith(...STEP, ...LATE) }, { caret });
      let isSeen = false;
      for (const { caret: shows, done } of seen) {
        screen.live = screenWith(...(done ? STEP : []), ...(shows ? LATE : []));
        isSeen ||= shows;
        expect((await lookAfter(eyes, inHand, NOWHERE, 0)).same).toBe(done && isSeen);
      }
    }),
    RUNS,
  );
});

test('PL33: what is read is what was other for a second, and not again for as long as a reading that found nothing took', async () => {
  const passes = fc.array(fc.nat(500), { minLength: 8, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(passes, fc.nat(2000), async (looks, readMs) => {
      const read: { began: number; ended: number }[] = [];
      const { eyes, clock, screen } = eyesOn(async ({ blocks }) => {
        expect(blocks).toEqual([102]);
        const began = clock.now;
        clock.now += readMs;
        read.push({ began, ended: clock.now });
        return null;
      });
      const inHand = take({ after: screenWith(...STEP) });
      screen.live = screenWith(100, 101);
      let since: number | null = null;
      for (const pass of looks) {
        clock.now += pass;
        since ??= clock.now;
        const [now, last, count] = [clock.now, read.at(-1), read.length];
        expect((await lookAfter(eyes, inHand, NOWHERE, Number.POSITIVE_INFINITY)).same).toBe(false);
        const isDue = now - since >= 1000 && (!last || now >= 2 * last.ended - last.began);
        expect(read.length - count).toBe(isDue ? 1 : 0);
      }
      screen.live = screenWith(...STEP);
      expect((await lookAfter(eyes, inHand, NOWHERE, Number.POSITIVE_INFINITY)).same).toBe(true);
    }),
    RUNS,
  );
});

test('PL26, PL27: what followed in the demonstration is said to be there or not, and what was spoilt of the next step', async () => {
  const follow = Array.from({ length: 12 }, (_, n) => 800 + n);
  const typed = Array.from({ length: 12 }, (_, n) => 900 + n);
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.boolean(), fc.boolean(), async (follows, spoils, rests) => {
      const { eyes, screen } = eyesOn();
      const inHand = take({ after: screenWith(...STEP), later: screenWith(...STEP, ...follow) }, { rests });
      const next = take({ before: screenWith(...STEP, ...follow), after: screenWith(...STEP, ...follow, ...typed) });
      inHand.liveBefore = screenWith();
      screen.live = screenWith(...STEP, ...(follows ? follow : []), ...(spoils ? typed : []));
      expect((await lookAfter(eyes, inHand, NOWHERE, 0)).same).toBe(true);
      const said = towardsNext(inHand, next, NOWHERE);
      expect(said.followed).toBe(rests || follows);
      expect('doubt' in said).toBe(spoils);
    }),
    RUNS,
  );
});
