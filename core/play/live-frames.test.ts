import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '../../schemas/events.ts';
import { changesOf, framed, numberOfFrame } from './live-frames.ts';

const SCREEN = { width: 40, height: 30 };
const WISHES = { mostExact: 100, restMs: 250 };

const rects = fc
  .record({
    x: fc.integer({ min: 0, max: 39 }),
    y: fc.integer({ min: 0, max: 29 }),
    w: fc.integer({ min: 1, max: 40 }),
    h: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ x, y, w, h }): Rect => ({ x, y, width: Math.min(w, 40 - x), height: Math.min(h, 30 - y) }));
const acts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), rect: rects }) },
    fc.record({ do: fc.constant('look' as const), who: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 400 }) }),
  ),
  { maxLength: 400 },
);

/** A screen whose every pixel is a number, and what three people have of it; a pixel that is not exact is negative. */
test('everybody, quick or slow, has the screen as it is when it rests, whatever changed meanwhile', () => {
  fc.assert(
    fc.property(acts, (list) => {
      const changes = changesOf(SCREEN);
      const screen = new Int32Array(SCREEN.width * SCREEN.height);
      const seen = [0, 1, 2].map(() => ({ n: 0, pixels: new Int32Array(screen.length).fill(-1) }));
      let [now, tick] = [0, 0];
      const look = (who: (typeof seen)[number]): boolean => {
        const found = changes.since(who.n, now, WISHES);
        if (!found) return false;
        const { rect } = found;
        for (let y = rect.y; y < rect.y + rect.height; y++)
          for (let x = rect.x; x < rect.x + rect.width; x++) {
            const at = y * SCREEN.width + x;
            who.pixels[at] = found.exact ? screen[at]! : -screen[at]! - 1;
          }
        who.n = found.n;
        return true;
      };
      const change = (rect: Rect): void => {
        tick++;
        for (let y = rect.y; y < rect.y + rect.height; y++)
          screen.fill(tick, y * SCREEN.width + rect.x, y * SCREEN.width + rect.x + rect.width);
        changes.add(rect, now);
      };
      change({ x: 0, y: 0, ...SCREEN });
      for (const act of list) {
        if (act.do === 'wait') now += act.ms;
        else if (act.do === 'change') change(act.rect);
        else look(seen[act.who]!);
      }
      now += WISHES.restMs;
      for (const who of seen) {
        let looks = 0;
        while (look(who)) expect(++looks).toBeLessThan(4);
        expect(who.pixels).toEqual(screen);
      }
    }),
    { numRuns: 200 },
  );
});

test('a small change is sent alone and exact; a large one first as it can be, then as it is', () => {
  const changes = changesOf(SCREEN);
  changes.add({ x: 0, y: 0, ...SCREEN }, 0);
  expect(changes.since(0, 10, WISHES)).toEqual({ n: 1, rect: { x: 0, y: 0, ...SCREEN }, exact: false });
  expect(changes.since(1, 20, WISHES)).toBe(null);
  expect(changes.since(1, 300, WISHES)).toEqual({ n: 2, rect: { x: 0, y: 0, ...SCREEN }, exact: true });
  const small = { x: 5, y: 5, width: 10, height: 4 };
  changes.add(small, 400);
  expect(changes.since(2, 401, WISHES)).toEqual({ n: 4, rect: small, exact: true });
  expect(changes.since(4, 1000, WISHES)).toBe(null);
});

test('a frame says its number', () => {
  const head = { n: 70_000, ...SCREEN, rect: null, pointer: null };
  expect(numberOfFrame(framed(head, new Uint8Array([1, 2, 3])))).toBe(70_000);
});
