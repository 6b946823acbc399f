import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import {
  afterEffect,
  beforeEffect,
  blocksAround,
  changedBlocks,
  followers,
  hasFollowed,
  looksOther,
  markedBlocks,
  spoiledBlocks,
} from './sight.ts';
import { findMoved, isAt, shiftOf, shiftsOf } from './target.ts';

type Rect = [x: number, y: number, width: number, height: number, colour: number];

/** A grey screen with coloured rectangles. */
function screen(rects: readonly Rect[], width = 400, height = 300): RgbImage {
  const rgb = new Uint8Array(width * height * 3).fill(200);
  for (const [left, top, w, h, colour] of rects) {
    for (let y = top; y < top + h; y++) {
      for (let x = left; x < left + w; x++) {
        const i = (y * width + x) * 3;
        rgb[i] = colour >> 16;
        rgb[i + 1] = (colour >> 8) & 255;
        rgb[i + 2] = colour & 255;
      }
    }
  }
  return { width, height, rgb };
}

/** A button with a label of a few strokes. */
const button = (x: number, y: number, back = 0xeeeeee): Rect[] => [
  [x, y, 60, 24, 0x555555],
  [x + 1, y + 1, 58, 22, back],
  [x + 10, y + 6, 3, 12, 0x101010],
  [x + 16, y + 6, 8, 3, 0x101010],
  [x + 28, y + 9, 3, 9, 0x101010],
  [x + 36, y + 6, 3, 12, 0x101010],
  [x + 42, y + 15, 9, 3, 0x101010],
];
const AT = { x: 130, y: 112 };
const still = screen(button(100, 100));

test('PL7: a target is at its place, highlighted or not, and not where another is', () => {
  expect(isAt(still, still, AT, { x: 0, y: 0 })).toBe(true);
  expect(isAt(still, screen(button(100, 100, 0xd0d8f8)), AT, { x: 0, y: 0 })).toBe(true);
  expect(isAt(still, screen([]), AT, { x: 0, y: 0 })).toBe(false);
  expect(isAt(still, screen(button(140, 100)), AT, { x: 0, y: 0 })).toBe(false);
  expect(isAt(still, screen(button(140, 100)), AT, { x: 40, y: 0 })).toBe(true);
});

test('PL7: a caret is no difference, another letter in the label is', () => {
  const here = { x: 0, y: 0 };
  expect(isAt(still, screen([...button(100, 100), [148, 103, 2, 17, 0]]), AT, here)).toBe(true);
  // The frame of the button is most of what there is to see.
  expect(isAt(still, screen([...button(100, 100), [128, 106, 9, 3, 0x101010]]), AT, here)).toBe(false);
  expect(
    isAt(still, screen([...button(100, 100), [116, 106, 8, 3, 0xeeeeee], [116, 115, 8, 3, 0x101010]]), AT, here),
  ).toBe(false);
});

test('PL7: another word at the end of a long label is another target, lit up or not', () => {
  const here = { x: 0, y: 0 };
  const strokes = (x: number, widths: readonly number[]): Rect[] =>
    widths.map((width, n): Rect => [x + 10 * n, 107, width, 9, 0x101010]);
  const long = (last: readonly number[], back = 0xeeeeee): RgbImage =>
    screen([
      [70, 100, 160, 24, 0x555555],
      [71, 101, 158, 22, back],
      ...strokes(80, [3, 6, 2, 7, 4, 3]),
      ...strokes(144, last),
    ]);
  const before = long([5, 2, 6, 3, 7]);
  const at = { x: 112, y: 112 };
  expect(isAt(before, long([5, 2, 6, 3, 7], 0xd0d8f8), at, here)).toBe(true);
  for (const back of [0xeeeeee, 0xd0d8f8]) expect(isAt(before, long([2, 7, 3, 6, 2], back), at, here)).toBe(false);
  expect(findMoved(before, long([5, 2, 6, 3, 7]), at)).toEqual({ shift: here });
  expect(findMoved(before, long([2, 7, 3, 6, 2]), at)).toEqual({ why: expect.stringContaining('another label') });
  // Another word farther away is no part of the label.
  const far: Rect = [200, 107, 12, 9, 0x101010];
  const wide = screen([[70, 100, 160, 24, 0xeeeeee], ...strokes(80, [3, 6, 2, 7, 4, 3])]);
  expect(isAt(wide, screen([[70, 100, 160, 24, 0xeeeeee], ...strokes(80, [3, 6, 2, 7, 4, 3]), far]), at, here)).toBe(
    true,
  );
});

test('PL7: one that has moved is found by how far, when one place alone looks like it', () => {
  expect(findMoved(still, screen(button(140, 93)), AT)).toEqual({ shift: { x: 40, y: -7 } });
  expect(findMoved(still, screen([]), AT)).toEqual({ why: expect.stringContaining('nothing within') });
  expect(findMoved(still, screen([...button(40, 100), ...button(180, 100)]), AT)).toEqual({
    why: expect.stringContaining('several places'),
  });
  expect(findMoved(screen([]), screen([]), AT)).toEqual({ why: expect.stringContaining('plain') });
});

/** A table: cells of 40 by 20 px that all look alike, with one word in the corner above them. */
const cells = (x: number, y: number): Rect[] => [
  [x, y, 330, 250, 0xffffff],
  ...Array.from({ length: 8 }, (_, n): Rect => [x + 20 + 40 * n, y + 30, 1, 200, 0x808080]),
  ...Array.from({ length: 10 }, (_, n): Rect => [x + 20, y + 30 + 20 * n, 281, 1, 0x808080]),
  ...button(x + 30, y + 4),
];
const CELL = { x: 20 + 100, y: 10 + 90 };
/** In the middle of a cell, where no line of the table lies. */
const INSIDE = { x: CELL.x + 20, y: CELL.y + 10 };

test('PL19: of several places that look alike the one is found whose wider surroundings do too', () => {
  expect(findMoved(screen(cells(20, 10)), screen(cells(45, 30)), CELL)).toEqual({ shift: { x: 25, y: 20 } });
  // Nothing tells these cells apart, however much is compared.
  const endless = (by: number): Rect[] =>
    Array.from({ length: 20 }, (_, n): Rect => [20 * n + by, 0, 1, 300, 0x202020]);
  expect(findMoved(screen(endless(0)), screen(endless(7)), CELL)).toEqual({
    why: expect.stringContaining('several places'),
  });
});

test('PL19: a target on a plain surface is found by what lies around that', () => {
  const field = (x: number, y: number): Rect[] => [[x, y, 160, 90, 0xffffff], ...button(x + 4, y - 40)];
  const at = { x: 100 + 60, y: 100 + 50 };
  const before = screen(field(100, 100));
  expect(findMoved(before, screen(field(131, 88)), at)).toEqual({ shift: { x: 31, y: -12 } });
});

test('PL20: the shift of the step before is tried first, and wider surroundings decide between two that look alike', () => {
  const here = { x: 0, y: 0 };
  const moved = { x: 40, y: 20 };
  const table = screen(cells(20, 10));
  // By a whole cell: the place where it was looks just like it.
  expect(isAt(table, screen(cells(60, 30)), INSIDE, here)).toBe(true);
  expect(shiftOf(table, screen(cells(60, 30)), INSIDE, [moved, here])).toEqual(moved);
  expect(shiftOf(table, screen(cells(60, 30)), INSIDE, [here, moved])).toEqual(moved);
  expect(shiftOf(table, table, INSIDE, [moved, here])).toEqual(here);
  expect(shiftOf(screen([]), screen([]), INSIDE, [moved, here])).toEqual(moved);
  expect(shiftOf(still, screen([]), AT, [moved, here])).toBeNull();
});

const after = screen([...button(100, 100), [200, 150, 80, 40, 0x2040c0]]);
const effect = changedBlocks(still, after) ?? new Set();

test('PL8: what a step changed is seen when it looks the same, at its place or moved along', () => {
  expect(effect.size).toBe(10 * 6);
  expect(afterEffect(effect, after, null, { before: still, now: after }, { x: 0, y: 0 })).toEqual({ same: true });
  const moved = screen([...button(116, 100), [216, 150, 80, 40, 0x2040c0]]);
  expect(afterEffect(effect, after, null, { before: screen(button(116, 100)), now: moved }, { x: 16, y: 0 })).toEqual({
    same: true,
  });
});

test('PL8: what comes later than the rest may look as it did before the next step', () => {
  const later = screen([...button(100, 100), [200, 150, 80, 40, 0x2040c0], [232, 160, 8, 8, 0xffffff]]);
  const live = { before: still, now: later };
  expect(afterEffect(effect, after, null, live, { x: 0, y: 0 })).toMatchObject({ same: false });
  expect(afterEffect(effect, after, later, live, { x: 0, y: 0 })).toEqual({ same: true });
});

test('nothing, something else, a part of it, and a change elsewhere are not', () => {
  const see = (now: RgbImage) => afterEffect(effect, after, null, { before: still, now }, { x: 0, y: 0 });
  expect(see(still)).toMatchObject({ same: false });
  expect(see(screen([...button(100, 100), [200, 150, 80, 40, 0xc04020]]))).toMatchObject({ same: false });
  // One letter of a long text is little, and counts.
  expect(see(screen([...button(100, 100), [200, 150, 80, 40, 0x2040c0], [233, 161, 3, 2, 0xffffff]]))).toEqual({
    same: false,
    why: expect.stringContaining('1 of the 60 parts'),
    unlike: [expect.any(Number)],
  });
  expect(see(screen([...button(100, 100), [200, 150, 80, 40, 0x2040c0], [0, 0, 180, 90, 0]]))).toEqual({
    same: false,
    why: expect.stringContaining('of the screen changed'),
  });
});

test('PL8: what comes to look as in the demonstration only during the step changed nothing elsewhere', () => {
  const toolbar: Rect = [0, 0, 180, 90, 0x404040];
  const window = screen([...button(100, 100), toolbar]);
  const done = screen([...button(100, 100), toolbar, [200, 150, 80, 40, 0x2040c0]]);
  const changes = changedBlocks(window, done) ?? new Set();
  // The toolbar was not painted yet when the step was done.
  const late = { before: still, now: done };
  expect(afterEffect(changes, done, null, late, { x: 0, y: 0 })).toEqual({ same: true });
  expect(afterEffect(changes, window, done, late, { x: 0, y: 0 })).toEqual({ same: true });
  // Another toolbar than in the demonstration is a change elsewhere.
  const other = screen([...button(100, 100), [0, 0, 180, 90, 0x902020], [200, 150, 80, 40, 0x2040c0]]);
  expect(afterEffect(changes, done, null, { before: still, now: other }, { x: 0, y: 0 })).toEqual({
    same: false,
    why: expect.stringContaining('of the screen changed'),
  });
  // A window that lies elsewhere, painted late: as in the demonstration where it lies.
  const by = { x: 16, y: 8 };
  const moved = screen([...button(116, 108), [16, 8, 180, 90, 0x404040], [216, 158, 80, 40, 0x2040c0]]);
  expect(afterEffect(changes, done, null, { before: screen(button(116, 108)), now: moved }, by)).toEqual({
    same: true,
  });
});

test('a step without a place waits until the screen is as before, where it will change something', () => {
  const here = { x: 0, y: 0 };
  expect(beforeEffect(still, still, { effect }, [here])).toEqual({ there: true, shift: here });
  expect(beforeEffect(still, screen([...button(100, 100), [0, 0, 80, 40, 0]]), { effect }, [here])).toEqual({
    there: true,
    shift: here,
  });
  expect(beforeEffect(still, after, { effect }, [here])).toMatchObject({ there: false });
});

test('PL32: of many squares that a step will change a few may be other, when nothing else comes', () => {
  const here = { x: 0, y: 0 };
  const large = new Set(Array.from({ length: 900 }, (_, n) => n));
  const status = (width: number): RgbImage => screen([...button(100, 100), [8, 8, width, 8, 0]]);
  expect(beforeEffect(still, status(64), { effect: large }, [here], true)).toEqual({ there: true, shift: here });
  expect(beforeEffect(still, status(64), { effect: large }, [here])).toMatchObject({ there: false });
  expect(beforeEffect(still, status(72), { effect: large }, [here], true)).toMatchObject({ there: false });
  const small = new Set([...large].slice(0, 99));
  expect(beforeEffect(still, status(8), { effect: small }, [here], true)).toMatchObject({ there: false });
});

test('PL29: a step that changes next to nothing waits until most of its screen is as before', () => {
  const here = { x: 0, y: 0 };
  const marks = markedBlocks(still);
  expect(marks.size).toBeGreaterThan(10);
  const nothing = { effect: new Set<number>(), marks };
  expect(beforeEffect(still, still, nothing, [here])).toEqual({ there: true, shift: here });
  expect(beforeEffect(still, screen([...button(100, 100), [0, 0, 60, 40, 0]]), nothing, [here])).toMatchObject({
    there: true,
  });
  expect(beforeEffect(still, screen(button(116, 108)), nothing, [here, { x: 16, y: 8 }])).toEqual({
    there: true,
    shift: { x: 16, y: 8 },
  });
  // Its program is gone.
  expect(beforeEffect(still, screen([]), nothing, [here])).toEqual({
    there: false,
    why: expect.stringContaining(`${marks.size} of ${marks.size} parts`),
  });
});

test('PL25: what a step without a place will change is found where its window lies now, and only as a whole', () => {
  const window = (x: number, y: number, more: readonly Rect[] = []): RgbImage =>
    screen([[x, y, 220, 160, 0xf8f8f8], ...button(x + 20, y + 20), ...button(x + 120, y + 110), ...more]);
  const before = window(40, 30);
  const changes = changedBlocks(before, window(40, 30, [[60, 50, 170, 120, 0x2040c0]])) ?? new Set<number>();
  const by = { x: 31, y: 20 };
  expect(shiftsOf(before, window(71, 50), changes)).toEqual([{ shift: by, places: 2 }]);
  expect(beforeEffect(before, window(71, 50), { effect: changes }, [by])).toEqual({ there: true, shift: by });
  // One square of it is other: the window is there, the screen is not as it was.
  const other = window(71, 50, [[150, 100, 3, 3, 0]]);
  expect(shiftsOf(before, other, changes)[0]?.shift).toEqual(by);
  expect(beforeEffect(before, other, { effect: changes }, [by])).toMatchObject({ there: false });
  expect(shiftsOf(before, screen([]), changes)).toEqual([]);
});

test('PL26: what a step changed, and should not have, where the next one acts', () => {
  const here = { x: 0, y: 0 };
  const area = blocksAround(still, AT);
  const spoil: Rect = [110, 100, 40, 24, 0xc04020];
  const spoilt = screen([...button(100, 100), spoil]);
  expect(spoiledBlocks(still, area, { before: still, now: spoilt }, here).length).toBeGreaterThan(0);
  // It was so before the step; it changed elsewhere; it is as in the demonstration.
  expect(spoiledBlocks(still, area, { before: spoilt, now: spoilt }, here)).toEqual([]);
  const far = screen([...button(100, 100), [300, 200, 40, 40, 0]]);
  expect(spoiledBlocks(still, area, { before: still, now: far }, here)).toEqual([]);
  expect(spoiledBlocks(still, area, { before: screen([]), now: still }, here)).toEqual([]);
  const caret = screen([...button(100, 100), [126, 104, 2, 18, 0]]);
  expect(spoiledBlocks(still, area, { before: still, now: caret }, here)).toEqual([]);
  // In a window that has moved.
  const by = { x: 40, y: 0 };
  const moved = screen(button(140, 100));
  const both = { before: moved, now: screen([...button(140, 100), [150, 100, 40, 24, 0xc04020]]) };
  expect(spoiledBlocks(still, area, both, by).length).toBeGreaterThan(0);
  expect(spoiledBlocks(still, area, { before: moved, now: moved }, by)).toEqual([]);
  expect(spoiledBlocks(still, area, { before: screen([], 200), now: screen([], 200) }, here)).toEqual([]);
});

test('PL27: what comes by itself before the next step is waited for, but for a caret and what the pointer lights up', () => {
  const here = { x: 0, y: 0 };
  const status: Rect = [10, 280, 120, 16, 0x2040c0];
  const next = { x: 330, y: 40 };
  const lit: Rect = [310, 30, 60, 24, 0xd0d8f8];
  const later = screen([...button(100, 100), status, lit]);
  const blocks = followers(still, later, next);
  expect(blocks.size).toBe(16 * 2);
  expect(followers(still, later, null).size).toBeGreaterThan(blocks.size);
  expect(followers(still, later, next, blocks).size).toBe(0);
  expect(hasFollowed(later, still, blocks, here)).toBe(false);
  expect(hasFollowed(later, screen([...button(100, 100), status]), blocks, here)).toBe(true);
  const caret = screen([...button(100, 100), [200, 200, 2, 18, 0]]);
  expect(hasFollowed(caret, still, followers(still, caret, null), here)).toBe(true);
});

test('pictures of different sizes have no squares in common', () => {
  expect(changedBlocks(screen([]), screen([], 401))).toBeNull();
  expect(changedBlocks(screen([], 401, 299), screen([[400, 298, 1, 1, 0]], 401, 299))).toEqual(new Set([37 * 51 + 50]));
});

test('PL34: most of what is to see is other in another theme, and not when a part of it is', () => {
  const letters = (ink: number, from: number, to: number): [number, number, number, number, number][] =>
    Array.from({ length: 60 }, (_, n) => [20 + 6 * n, 40 + 16 * (n % 8), 3, 8, n >= from && n < to ? ink : 0x202020]);
  const window = screen(letters(0x202020, 0, 60));
  expect(looksOther(window, window)).toBe(false);
  expect(looksOther(window, screen(letters(0xd0d0d0, 0, 60)))).toBe(true);
  expect(looksOther(window, screen(letters(0xd0d0d0, 0, 20)))).toBe(false);
  expect(looksOther(screen([]), screen(letters(0, 0, 60)))).toBe(false);
});
