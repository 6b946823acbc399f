import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Away,
  awayAgain,
  isFoundTwice,
  LIGHT_UP_MS,
  longerLightUp,
  nextReadingFrom,
  type Others,
  othersAfter,
} from './lateness.ts';

const passes = fc.array(fc.nat(700), { minLength: 1, maxLength: 40 });

test('PL3: a target that stays away is searched for elsewhere after 900 ms, and again as long after each search', () => {
  fc.assert(
    fc.property(passes, (times) => {
      let away: Away = { since: null };
      let now = 0;
      let last: number | null = null;
      for (const pass of times) {
        now += pass;
        last ??= now;
        const again = awayAgain(away, now);
        away = again.away;
        expect(again.isTimeToSearch).toBe(now - last >= 900);
        if (again.isTimeToSearch) last = now;
      }
    }),
  );
});

test('PL33: a square is read as a text when it was other at every look for a second, and only then', () => {
  const look = fc.record({ pass: fc.nat(600), blocks: fc.uniqueArray(fc.nat(5)) });
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 30 }), (looks) => {
      let others: Others = new Map();
      let now = 0;
      const seen: { now: number; blocks: number[] }[] = [];
      for (const { pass, blocks } of looks) {
        now += pass;
        seen.push({ now, blocks });
        const after = othersAfter(others, blocks, now);
        others = after.others;
        const wanted = blocks.filter((block) => {
          const gap = seen.findLastIndex((one) => !one.blocks.includes(block));
          return now - (seen[gap + 1]?.now ?? now) >= 1000;
        });
        expect(after.steady).toEqual(wanted);
      }
    }),
  );
});

test('PL33: after a reading that found nothing the screen is only looked at for as long as it took', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(60_000), (began, took) => {
      expect(nextReadingFrom(began, began + took)).toBe(began + 2 * took);
    }),
  );
});

test('PL31: the pointer rests longer on a target at each look, and never as long as until a tooltip comes', () => {
  fc.assert(
    fc.property(fc.nat(20), (looks) => {
      let rests = LIGHT_UP_MS;
      for (let n = 0; n < looks; n++) {
        const longer = longerLightUp(rests);
        expect(longer).toBeGreaterThanOrEqual(rests);
        expect(longer).toBeLessThanOrEqual(400);
        rests = longer;
      }
    }),
  );
});

test('PL22: an element is found when two searches one after the other have it at one place', () => {
  const place = fc.option(fc.record({ x: fc.nat(2), y: fc.nat(2) }));
  fc.assert(
    fc.property(place, place, (before, now) => {
      expect(isFoundTwice(before, now)).toBe(
        before !== null && now !== null && before.x === now.x && before.y === now.y,
      );
    }),
  );
});
