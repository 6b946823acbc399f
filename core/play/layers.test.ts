import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { eyesWith, plainPart } from './eyes-for-tests.ts';
import { inHandOf } from './in-hand.ts';
import { type LiveWindow, type PlayWindow, placedBy, shiftAt } from './layers.ts';
import { blockAt } from './likeness.ts';
import { lookAfter } from './look-after.ts';
import { afterEffect, beforeInWindows, changedBlocks, looksOther } from './sight.ts';

const VIEW = { x: 0, y: 0, width: 640, height: 400 };
const TITLE_BAR = 20;

const window = (title: string, x: number, y: number, width = 300, height = 200): LiveWindow => ({
  title,
  app: 'Notes',
  bounds: { x, y, width, height },
  frame: { x: x - 1, y: y - TITLE_BAR, width: width + 2, height: height + TITLE_BAR + 1 },
});
/** Something to see in each square, other in each window and at each of its places. */
const inkOf = ({ title }: PlayWindow, x: number, y: number): number =>
  ((((x >> 1) * 7919 + (y >> 1) * 104729 + title.length * 613) % 97) * 2.6) | 0;

/** The windows, topmost first, as they look on the screen. `mark`: a place of the topmost in which another letter stands. */
function screenOf(windows: readonly LiveWindow[], mark: Rect | null = null): RgbImage {
  const { width, height } = VIEW;
  const rgb = new Uint8Array(width * height * 3);
  const holds = ({ x, y, width: w, height: h }: Rect, px: number, py: number): boolean =>
    px >= x && py >= y && px < x + w && py < y + h;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const top = windows.find(({ frame }) => holds(frame, x, y));
      if (!top) continue;
      const { bounds } = top;
      const [inX, inY] = [x - bounds.x, y - bounds.y];
      const isMarked = mark !== null && top === windows[0] && holds(mark, inX, inY);
      const value = isMarked ? 128 : holds(bounds, x, y) ? inkOf(top, inX, inY) : 70;
      rgb.fill(value, 3 * (y * width + x), 3 * (y * width + x) + 3);
    }
  return { width, height, rgb };
}
const effectOf = (a: RgbImage, b: RgbImage): ReadonlySet<number> => changedBlocks(a, b) ?? new Set();

const NOTE = window('note.txt', 20, 40, 400, 260);
const SAVE = window('Save as', 100, 80, 280, 310);
const [moved, movedDialog] = [window('note.txt', 60, 80, 400, 260), window('Save as', 120, 70, 280, 310)];

test('PL35: a dialog that has moved by another way than the window below it is compared there, when it comes and when it goes', () => {
  const was = { before: screenOf([NOTE]), after: screenOf([SAVE, NOTE]) };
  const is = { before: screenOf([moved]), after: screenOf([movedDialog, moved]) };
  const effect = effectOf(was.before, was.after);
  // Its lower end lies beyond the window, which has moved to where nothing lay.
  const comes = placedBy([NOTE], [moved], VIEW)!;
  expect(beforeInWindows(was.before, is.before, { effect }, comes)).toEqual({ there: true, shift: { x: 40, y: 40 } });
  const placing = placedBy([SAVE, NOTE], [movedDialog, moved], VIEW)!;
  expect(placing.front).toEqual({ x: 20, y: -10 });
  const live = { before: is.before, now: is.after };
  expect(afterEffect(effect, was.after, null, live, placing)).toEqual({ same: true });
  expect(afterEffect(effect, was.after, null, live, { x: 40, y: 40 })).toMatchObject({ same: false });
  // It goes again; in the demonstration it is the one that was in front before.
  expect(beforeInWindows(was.after, is.after, { effect }, placing)).toMatchObject({ there: true });
  const gone = placedBy([NOTE, SAVE], [moved], VIEW)!;
  const back = { before: is.after, now: is.before };
  expect(afterEffect(effect, was.before, null, back, gone)).toEqual({ same: true });
});

test('PL35: what a dialog has uncovered of the desktop is no change where a step changes nothing, another window there is one', () => {
  // In the demonstration it lies within the window; here it reaches far beyond it.
  const dialog = window('Save as', 60, 60, 280, 220);
  const small = window('note.txt', 20, 40, 380, 300);
  const [lower, far] = [window('note.txt', 250, 90, 380, 300), window('Save as', 60, 90, 280, 220)];
  const was = { before: screenOf([dialog, small]), after: screenOf([small]) };
  const effect = effectOf(was.before, was.after);
  const placing = placedBy([small, dialog], [lower], VIEW)!;
  const before = screenOf([far, lower]);
  const judge = (now: RgbImage, by = placing) => afterEffect(effect, was.after, null, { before, now }, by);
  expect(judge(screenOf([lower]))).toEqual({ same: true });
  const other = window('Could not save', 30, 60, 200, 120);
  const asked = placedBy([small, dialog], [other, lower], VIEW)!;
  expect(judge(screenOf([other, lower]), asked)).toMatchObject({ same: false });
});

test('PL35: another letter in the dialog is a difference, wherever it is', () => {
  const was = { before: screenOf([NOTE]), after: screenOf([SAVE, NOTE]) };
  const effect = effectOf(was.before, was.after);
  const placing = placedBy([SAVE, NOTE], [movedDialog, moved], VIEW)!;
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 260 }), fc.integer({ min: 8, max: 290 }), (x, y) => {
      const mark = { x, y, width: 9, height: 12 };
      const large = { x: x / 2, y: y / 2, width: 40, height: 40 };
      const live = { before: screenOf([moved]), now: screenOf([movedDialog, moved], mark) };
      const found = afterEffect(effect, was.after, null, live, placing);
      expect(found).toMatchObject({ same: false });
      const now = screenOf([movedDialog, moved], large);
      expect(beforeInWindows(was.after, now, { effect }, placing)).toBeNull();
    }),
    { numRuns: 20 },
  );
});

test('PL33, PL35: a time in a dialog that has moved by another way than the window below it is read where it is now', async () => {
  const [before, after] = [screenOf([NOTE]), screenOf([SAVE, NOTE])];
  const windows = { before: [NOTE], after: [SAVE, NOTE], later: [] };
  const place = { x: 40, y: 40, width: 40, height: 24 };
  const inDialog = new Set<number>();
  for (let y = 0; y < place.height; y++)
    for (let x = 0; x < place.width; x++)
      inDialog.add(blockAt(SAVE.bounds.x + place.x + x, SAVE.bounds.y + place.y + y, VIEW.width));
  const [asked, read]: [{ shift: object; blocks: readonly number[] }[], { was: string; is: string }] = [
    [],
    { was: '15-15', is: '15-19' },
  ];
  const looked = async (isTime: boolean): Promise<object[]> => {
    const screens = [screenOf([moved]), screenOf([movedDialog, moved], place)];
    const { eyes, clock } = eyesWith(() => screens[1] ?? null);
    const inHand = inHandOf(
      { ...plainPart(VIEW), windows },
      { before, after, away: null, later: null, caret: null },
      null,
    );
    inHand.liveBefore = screens[0] ?? null;
    const timesIn = async (other: { shift: object; blocks: readonly number[] }) => {
      asked.push(other);
      return isTime ? read : null;
    };
    const seeing = { ...eyes, times: { timesIn }, windows: { titles: () => [], list: () => [movedDialog, moved] } };
    const first = await lookAfter(seeing, inHand, { x: 40, y: 40 }, 0);
    clock.now += 1000;
    return [first, await lookAfter(seeing, inHand, { x: 40, y: 40 }, 0)];
  };
  const different = { same: false, why: expect.stringMatching(/^\d+ of the [\d,]+ parts that the step changes look/) };
  expect(await looked(true)).toEqual([
    expect.objectContaining(different),
    { same: true, but: 'but for the time: “15-19”, “15-15” in the demonstration' },
  ]);
  expect(asked).toMatchObject([{ shift: { x: 20, y: -10 } }]);
  expect(asked[0]?.blocks.every((block) => inDialog.has(block))).toBe(true);
  expect(await looked(false)).toEqual([expect.objectContaining(different), expect.objectContaining(different)]);
});

test('PL35: a window that has moved does not look other for that', () => {
  const [was, is] = [screenOf([NOTE]), screenOf([moved])];
  expect(looksOther(was, is)).toBe(true);
  expect(looksOther(was, is, placedBy([NOTE], [moved], VIEW)!)).toBe(false);
});

test('PL35: nothing is said of a window that is not there, or has another size, and where none has moved', () => {
  expect(placedBy([SAVE, NOTE], [moved], VIEW)).toBeNull();
  expect(placedBy([NOTE], [window('note.txt', 60, 80, 390, 260)], VIEW)).toBeNull();
  expect(placedBy([SAVE, NOTE], [SAVE, NOTE], VIEW)).toBeNull();
  expect(placedBy([], [NOTE], VIEW)).toBeNull();
});

test('PL35: a window whose title has changed meanwhile is the one of its program and size', () => {
  const renamed = { ...moved, title: '*note.txt' };
  expect(placedBy([NOTE], [renamed], VIEW)?.front).toEqual({ x: 40, y: 40 });
  expect(placedBy([NOTE], [{ ...renamed, app: 'Paint' }], VIEW)).toBeNull();
});

test('PL35: of windows that are alike none is chosen where there are more than there were', () => {
  const [one, other] = [window('Ask', 60, 80), window('Ask', 300, 90)];
  expect(placedBy([window('Ask', 20, 40)], [one, other], VIEW)).toBeNull();
  expect(
    placedBy(
      [window('Ask', 20, 40)],
      [
        { ...one, title: 'a' },
        { ...other, title: 'b' },
      ],
      VIEW,
    ),
  ).toBeNull();
  // As many as there were: in their order from the top.
  const was = [window('Ask', 20, 40), window('Ask', 260, 50)];
  expect(placedBy(was, [one, other], VIEW)?.all).toEqual([{ x: 40, y: 40 }]);
  expect(shiftAt(was, [one, other], { x: 400, y: 100 })).toEqual({ x: 40, y: 40 });
});

test('PL35: frames, the desktop, what is covered and what lies outside the screen now are not compared', () => {
  const placing = placedBy([NOTE], [window('Clock', 70, 90, 60, 40), moved], VIEW)!;
  const at = (x: number, y: number) => placing.at(blockAt(x, y, VIEW.width));
  expect([at(200, 200), at(600, 350), at(200, 28), at(60, 70)]).toEqual([{ x: 40, y: 40 }, null, null, null]);
  const outside = placedBy([NOTE], [window('note.txt', 300, 40, 400, 260)], VIEW)!;
  expect([blockAt(100, 200, 640), blockAt(400, 200, 640)].map((block) => outside.at(block))).toEqual([
    { x: 280, y: 0 },
    null,
  ]);
  // Too little of what a step changes is left to be seen.
  const effect = new Set([blockAt(400, 200, 640), blockAt(400, 208, 640), blockAt(100, 200, 640)]);
  expect(beforeInWindows(screenOf([NOTE]), screenOf([moved]), { effect }, outside)).toBeNull();
});

test('PL35: a target lies where its own window does now', () => {
  const [was, is] = [
    [SAVE, NOTE],
    [movedDialog, moved],
  ];
  expect(shiftAt(was, is, { x: 200, y: 200 })).toEqual({ x: 20, y: -10 });
  expect(shiftAt(was, is, { x: 30, y: 60 })).toEqual({ x: 40, y: 40 });
  expect(shiftAt(was, is, { x: 620, y: 20 })).toBeNull();
});
