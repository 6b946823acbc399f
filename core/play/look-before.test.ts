import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Eyes } from './eyes.ts';
import { eyesWith, plainPart } from './eyes-for-tests.ts';
import { inHandOf } from './in-hand.ts';
import { lookBefore } from './look-before.ts';
import type { PlayPart } from './part.ts';

const VIEW = { x: 0, y: 0, width: 160, height: 120 };
const TARGET = { x: 80, y: 60 };
const ELEMENT = { role: 'push button', name: 'OK', path: [], states: [] } as unknown as NonNullable<
  PlayPart['element']
>; // The eyes alone ask for it.

/** A picture with something to see everywhere, another one for each seed. */
function noise(seed: number): RgbImage {
  const rgb = new Uint8Array(VIEW.width * VIEW.height * 3);
  let state = 7919 * seed;
  for (let at = 0; at < rgb.length; at += 3) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    rgb.fill(state >>> 24, at, at + 3);
  }
  return { width: VIEW.width, height: VIEW.height, rgb };
}
const [SCREEN, AFTER, OTHER] = [noise(1), noise(2), noise(3)];

const PART: PlayPart = { ...plainPart(VIEW), at: TARGET, element: ELEMENT };
const take = (more: Partial<PlayPart> = {}) =>
  inHandOf({ ...PART, ...more }, { before: SCREEN, after: AFTER, away: null, later: null, caret: null }, null);

/** Eyes on a screen, with a pointer. */
function eyesOn(screen: () => RgbImage, more: Partial<Eyes> = {}) {
  const pointer = { at: { x: 3, y: 4 } };
  const { eyes: plain, clock } = eyesWith(screen);
  const eyes: Eyes = {
    ...plain,
    pointer: () => pointer.at,
    move: (x, y) => {
      pointer.at = { x, y };
    },
    approach: async (inHand, shift) => {
      pointer.at = { x: TARGET.x + shift.x, y: TARGET.y + shift.y };
      inHand.approached = shift;
    },
    ...more,
  };
  return { eyes, clock, pointer };
}

const answer = fc.oneof(
  fc.record({ shift: fc.constantFrom({ x: 0, y: 0 }, { x: 300, y: 4 }) }),
  fc.constant({ why: 'several answer' }),
);

test('PL22: a target is found by its element only when two searches one after the other have it at one place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(600), answer), { minLength: 1, maxLength: 12 }), async (looks) => {
      const asked: (typeof looks)[number][1][] = [];
      let next: (typeof asked)[number] = { why: 'several answer' };
      const seek = async () => {
        asked.push(next);
        return next;
      };
      const { eyes, clock, pointer } = eyesOn(() => OTHER, { seeker: { seek } });
      const inHand = take();
      let searched: number | null = null;
      for (const [pass, said] of looks) {
        clock.now += pass;
        next = said;
        const count = asked.length;
        const sight = await lookBefore(eyes, inHand, { x: 0, y: 0 });
        // Not at every look: 900 ms after it was first away, and after each search.
        searched ??= clock.now;
        expect(asked.length - count).toBe(clock.now - searched >= 900 ? 1 : 0);
        if (asked.length > count) searched = clock.now;
        // The pointer, which was put on the target, is back where it was.
        expect(pointer.at).toEqual({ x: 3, y: 4 });
        expect(inHand.approached).toBeNull();
        const [before, last] = [asked.at(-2), asked.at(-1)];
        const isTwice = before && last && 'shift' in before && 'shift' in last && before.shift.x === last.shift.x;
        expect(sight.there).toBe(asked.length > count && Boolean(isTwice));
        if (sight.there) return;
        // One that is found at another place each time is not waited for without an end.
        const finds = asked.filter((one) => 'shift' in one).length;
        expect(sight).toEqual({
          there: false,
          why: expect.anything(),
          ...(last && 'shift' in last && finds <= 3 && { foundOnce: true }),
        });
      }
    }),
    { numRuns: 15 },
  );
});

test('PL22: a target that looks as before is not asked for, and no more than that is done with the pointer', async () => {
  const seek = async () => ({ shift: { x: 9, y: 9 } });
  const { eyes, pointer } = eyesOn(() => SCREEN, { seeker: { seek } });
  expect(await lookBefore(eyes, take(), { x: 0, y: 0 })).toEqual({ there: true, shift: { x: 0, y: 0 } });
  expect(pointer.at).toEqual({ x: 3, y: 4 });
});

test('PL31: a target that lights up late is found while the pointer is on it, the longer the more often it is looked at', async () => {
  for (const lateMs of [30, 100, 200, 350]) {
    let since: number | null = null;
    const { eyes, clock } = eyesOn(() => (since !== null && clock.now - since >= lateMs ? SCREEN : OTHER));
    const { approach, move } = eyes;
    eyes.approach = async (inHand, shift) => {
      since = clock.now;
      await approach(inHand, shift);
    };
    eyes.move = (x, y) => {
      since = null;
      move(x, y);
    };
    const inHand = take({ element: null });
    let looks = 0;
    for (; looks < 6; looks++) if ((await lookBefore(eyes, inHand, { x: 0, y: 0 })).there) break;
    expect(looks).toBe([60, 120, 240, 400].findIndex((most) => Math.ceil(most / 60) * 60 >= lateMs));
    expect(inHand.approached).toEqual({ x: 0, y: 0 });
  }
});

test('a program that does not answer is waited for, and its screen is not looked at', async () => {
  const { eyes } = eyesOn(() => SCREEN, {
    answered: async () => false,
    look: () => {
      throw new Error('looked at');
    },
  });
  expect(await lookBefore(eyes, take(), { x: 0, y: 0 })).toEqual({ there: false, why: 'the program does not answer' });
});

test('a screen that is smaller than the demonstration needs is said with that size', async () => {
  const { eyes } = eyesOn(() => SCREEN, { look: () => null });
  for (const at of [TARGET, null])
    expect(await lookBefore(eyes, take({ at }), { x: 0, y: 0 })).toMatchObject({
      there: false,
      why: expect.stringMatching(/which needs 160 x 120 px: set “screen” of the recipe/),
    });
});
