import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cut } from './gate.ts';
import type { Secret } from './key-judge.ts';
import { followScreenKeyboards } from './screen-keyboards.ts';

const MS = 1000;
const RECT = { x: 100, y: 500, width: 600, height: 200 };
const FADES = 250 * MS;
const FOREVER = Number.POSITIVE_INFINITY;

function made(times: readonly (Cut & { why?: Secret['why'] })[] = [], judged = { to: 0 }) {
  const secrets: Secret[] = times.map((one) => ({ why: 'field', ...one }));
  return { ...followScreenKeyboards({ secrets: () => secrets, judgedTo: () => judged.to }), secrets, judged };
}

describe('on-screen keyboards', () => {
  test('where there is none, pictures wait for nothing', () => {
    const keyboards = made();
    expect(keyboards.pictures()).toEqual({ to: FOREVER, cuts: [] });
    expect(keyboards.isShown()).toBe(false);
  });

  test('while one is seen, and until all of that time is judged, pictures wait', () => {
    const keyboards = made();
    keyboards.told({ since: 900 * MS, t: 1000 * MS, rects: [RECT] });
    keyboards.judged.to = 1500 * MS;
    expect(keyboards.pictures().to).toBe(1500 * MS);
    keyboards.told({ since: 1900 * MS, t: 2000 * MS, rects: [] });
    expect(keyboards.pictures().to).toBe(1500 * MS);
    keyboards.judged.to = 2000 * MS;
    expect(keyboards.pictures().to).toBe(FOREVER);
  });

  test('pictures of a secret are cut, from when on it was asked for or the keyboard came, and until its keys have faded', () => {
    const keyboards = made([{ from: 1200 * MS, to: FOREVER }]);
    keyboards.told({ since: 900 * MS, t: 1000 * MS, rects: [RECT] });
    expect(keyboards.pictures().cuts).toEqual([{ from: 1200 * MS, to: FOREVER }]);
    expect(keyboards.cutsPictures(1500 * MS)).toBe(true);
    expect(keyboards.over(1600 * MS)).toEqual([]);
    for (const secret of keyboards.secrets) secret.to = 1600 * MS;
    expect(keyboards.pictures().cuts).toEqual([{ from: 1200 * MS, to: 1600 * MS + FADES }]);
    expect(keyboards.cutsPictures(1700 * MS)).toBe(true);
    expect(keyboards.cutsPictures(1900 * MS)).toBe(false);
    expect(keyboards.over(1900 * MS)).toEqual([{ from: 1200 * MS, to: 1600 * MS + FADES, isKnown: true }]);
    expect(keyboards.over(2500 * MS)).toEqual([]);
  });

  test('that it was not known what had the keyboard hides pictures too, and is said where it was long', () => {
    const begun = { from: -FOREVER, to: 900 * MS, why: 'unanswered' as const };
    const keyboards = made([begun, { from: 5000 * MS, to: 7000 * MS, why: 'unanswered' }]);
    keyboards.told({ since: 600 * MS, t: 650 * MS, rects: [RECT] });
    expect(keyboards.pictures().cuts[0]).toEqual({ from: 600 * MS, to: 900 * MS + FADES });
    expect(keyboards.over(2000 * MS)).toEqual([]);
    keyboards.secrets.push({ from: 1000 * MS, to: 1200 * MS, why: 'field' });
    expect(keyboards.over(2500 * MS)).toEqual([{ from: 1150 * MS, to: 1200 * MS + FADES, isKnown: true }]);
    expect(keyboards.over(8000 * MS)).toEqual([{ from: 5000 * MS, to: 7000 * MS + FADES, isKnown: false }]);
    const both = made([begun, { from: 1000 * MS, to: 1200 * MS }]);
    both.told({ since: 600 * MS, t: 650 * MS, rects: [RECT] });
    expect(both.over(2000 * MS)).toEqual([{ from: 600 * MS, to: 1200 * MS + FADES, isKnown: true }]);
  });

  test('a secret that is over when it becomes known makes a short pause of pictures, so that a new one is taken after it', () => {
    const keyboards = made([{ from: 1200 * MS, to: 1300 * MS }]);
    keyboards.told({ since: 900 * MS, t: 1000 * MS, rects: [RECT] });
    expect(keyboards.cutsPictures(5000 * MS)).toBe(true);
    expect(keyboards.cutsPictures(5100 * MS)).toBe(false);
  });

  test('a place lies on one only where and while it was there', () => {
    const keyboards = made();
    keyboards.told({ since: 900 * MS, t: 1000 * MS, rects: [RECT] });
    keyboards.told({ since: 1900 * MS, t: 2000 * MS, rects: [{ ...RECT, x: 900 }] });
    expect(keyboards.holds(950 * MS, 110, 510)).toBe(true);
    expect(keyboards.holds(950 * MS, 50, 510)).toBe(false);
    expect(keyboards.holds(890 * MS, 110, 510)).toBe(false);
    // It moved at some time between the two looks.
    expect(keyboards.holds(1950 * MS, 110, 510)).toBe(true);
    expect(keyboards.holds(1950 * MS, 910, 510)).toBe(true);
    expect(keyboards.holds(2050 * MS, 110, 510)).toBe(false);
  });

  test('no moment of a secret beside a keyboard is outside of the cuts', () => {
    const stretches = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 3000 })), { maxLength: 6 });
    fc.assert(
      fc.property(stretches, stretches, fc.nat(15_000), (shown, secret, at) => {
        const secrets = secret.map(([from, long]) => ({ from, to: from + long }));
        const keyboards = made(secrets);
        const times = shown.toSorted(([a], [b]) => a - b);
        const spans: Cut[] = [];
        let now = 0;
        for (const [from, long] of times) {
          const since = Math.max(now, from);
          keyboards.told({ since, t: since, rects: [RECT] });
          now = since + long;
          keyboards.told({ since: now, t: now, rects: [] });
          spans.push({ from: since, to: now });
        }
        const within = (cuts: readonly Cut[]): boolean => cuts.some(({ from, to }) => from <= at && at < to);
        if (within(spans) && within(secrets)) expect(within(keyboards.pictures().cuts)).toBe(true);
      }),
    );
  });
});
