import { expect, test } from 'vitest';
import { inLine, isBeside, typedInto } from './beside.ts';
import { blockAt } from './likeness.ts';

const window = (title: string, width = 800, height = 500) => ({
  title,
  app: 'Notes',
  bounds: { x: 100, y: 80, width, height },
});
const [SAVE, NOTE] = [window('Save as'), window('note.txt', 900, 600)];
type Step = Parameters<typeof typedInto>[0][number];
const key = (before: Step['windows']['before'], { types = false, at = null }: Partial<Step> = {}): Step => ({
  at,
  types,
  windows: { before },
});
const [COMES, LEFT] = [key([NOTE]), key([NOTE])];
const ALL = key([SAVE, NOTE]);
const NAME = key([SAVE, NOTE], { types: true });
const GOES = key([SAVE, NOTE]);

test('PL44: a window that keys bring, and in which a text is typed by keys alone until it goes, or to the end', () => {
  expect(typedInto([COMES, ALL, NAME, GOES, LEFT], 0)).toEqual({ window: SAVE, last: 3 });
  expect(typedInto([LEFT, COMES, NAME, GOES], 1)).toEqual({ window: SAVE, last: 3 });
});

test('PL44: none of a question, a click, a window that was there, one that another comes over, and one in which nothing is typed before it goes', () => {
  const click = { at: {} };
  expect(typedInto([COMES, ALL, GOES, LEFT], 0)).toBeNull();
  expect(typedInto([COMES, NAME, LEFT], 0)).toBeNull();
  expect(typedInto([COMES, NAME, key([SAVE, NOTE], click), GOES], 0)).toBeNull();
  expect(typedInto([key([NOTE], click), NAME, GOES], 0)).toBeNull();
  expect(typedInto([ALL, NAME, GOES], 0)).toBeNull();
  const small = window('Question', 400, 200);
  expect(typedInto([COMES, NAME, ALL, key([small, SAVE])], 0)).toBeNull();
  expect(typedInto([COMES, key([small], { types: true }), key([small])], 0)).toBeNull();
});

test('PL44: two of a hundred squares, and all in the window', () => {
  const view = { x: 0, y: 0, width: 1280, height: 720 };
  const at = (x: number, y: number): number => blockAt(x, y, view.width);
  const effect = new Set(Array.from({ length: 400 }, (_, n) => n));
  const few = Array.from({ length: 8 }, (_, n) => at(200 + 8 * n, 120));
  expect(isBeside(few, effect, SAVE, view)).toBe(true);
  expect(isBeside([...few, at(300, 120)], effect, SAVE, view)).toBe(false);
  expect(isBeside([at(200, 72)], effect, SAVE, view)).toBe(false);
  // The window ends in the middle of a square.
  expect(isBeside([at(896, 120)], effect, SAVE, view)).toBe(true);
  expect(isBeside([at(904, 120)], effect, SAVE, view)).toBe(false);
  expect(isBeside([at(200, 120)], effect, SAVE, { ...view, x: -200 })).toBe(false);
});

test('PL44: what stands in a line with the text that is typed is part of it', () => {
  const at = (x: number, y: number): number => blockAt(x, y, 1280);
  const [name, list] = [at(300, 96), at(300, 240)];
  expect([...inLine(new Set([name, list]), new Set([at(480, 100), at(488, 100)]), 1280)]).toEqual([name]);
});
