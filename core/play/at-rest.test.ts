import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginRest, isRestOver, restAfter } from './at-rest.ts';

const SIZE = { width: 160, height: 40 };
/** A white screen with the first `columns` of its 20 columns of squares black, one square high. */
function barred(columns: number) {
  const rgb = new Uint8Array(SIZE.width * SIZE.height * 3).fill(255);
  for (let y = 0; y < 8; y++) rgb.fill(0, y * SIZE.width * 3, (y * SIZE.width + 8 * columns) * 3);
  return { ...SIZE, rgb };
}
const times = { stillMs: 300, lookMs: 60, atMostMs: 3000 };

test('PL8: a screen is at rest when nothing but a caret changed since a look 300 ms ago and at three more, and is taken after the patience', () => {
  const look = fc.record({ pass: fc.integer({ min: 1, max: 400 }), bar: fc.option(fc.nat(20), { freq: 20 }) });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
      let now = 0;
      let rest = beginRest(now, barred(0));
      /** All looks so far; null: the screen could not be seen. */
      const seen: { now: number; bar: number | null }[] = [{ now, bar: 0 }];
      for (const { pass, bar } of looks) {
        if (isRestOver(rest, now, times)) break;
        now += pass;
        rest = restAfter(rest, now, bar === null ? null : barred(bar));
        seen.push({ now, bar });
        // The first look from which on all are like it but for eight squares (a caret).
        const isLike = (one: number | null, other: number | null): boolean =>
          one !== null && other !== null && Math.abs(one - other) <= 8;
        let first = 0;
        for (const [n, { bar: at }] of seen.entries()) if (!isLike(seen[first]?.bar ?? null, at)) first = n;
        const still = now - (seen[first]?.now ?? 0);
        expect(isRestOver(rest, now, times)).toBe((still >= 300 && seen.length - first >= 4) || now >= 3000);
      }
    }),
  );
});

test('a text that grows by a square or two is not at rest, however rarely a busy machine looks', () => {
  let rest = beginRest(0, barred(0));
  for (let n = 1; n <= 6; n++) {
    rest = restAfter(rest, 400 * n, barred(3 * n));
    expect(isRestOver(rest, 400 * n, times)).toBe(false);
  }
});

test('a screen that never rests is taken as it is when its time is over, and no sooner', () => {
  let rest = beginRest(0, barred(0));
  for (let now = 60; now < 3000; now += 60) {
    rest = restAfter(rest, now, barred(now % 120 === 0 ? 0 : 20));
    expect(isRestOver(rest, now, times)).toBe(false);
  }
  expect(isRestOver(rest, 3000, times)).toBe(true);
});
