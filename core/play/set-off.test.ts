import { expect, test } from 'vitest';
import type { InputEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { awayAt, isLitAlike, leftAt } from './set-off.ts';
import { isAt } from './target.ts';

const frame = (t: number, changed?: number): Frame => ({ i: 0, pts: t, t, ...(changed !== undefined && { changed }) });
const move = (t: number, x: number, y: number): InputEvent => ({ t, type: 'move', x, y });
const down = (t: number, x: number, y: number): InputEvent => ({ t, type: 'down', x, y, button: 'left' });
const input = (...events: InputEvent[]) => ({ events });

const WAIT = { lead: 30_000, pixels: 1000 };
/** Pressed at 700,000, painted at 800,000; then the pointer sets off at 3,000,000, and marks follow it. */
const painted = [frame(400_000), frame(800_000, 40_000), frame(1_000_000, 0), frame(3_050_000, 2000)];
const next = input(move(3_000_000, 260, 260), down(3_200_000, 300, 300));

test('PL30: the frame that shows what a step did, before the pointer set off for the next', () => {
  expect(leftAt(painted, { began: 700_000, shown: 3_050_000 }, next, WAIT)).toBe(2);
  // A caret blinks meanwhile.
  const blinks = painted.toSpliced(3, 0, frame(2_900_000, 18));
  expect(leftAt(blinks, { began: 700_000, shown: 3_050_000 }, next, WAIT)).toBe(3);
});

test('PL30: its picture stays where the pointer sets off later, or the step had not shown by then', () => {
  expect(leftAt(painted, { began: 700_000, shown: 800_000 }, next, WAIT)).toBeNull();
  expect(leftAt(painted, { began: 900_000, shown: 3_050_000 }, next, WAIT)).toBeNull();
  // The screen is not at rest yet.
  const busy = painted.toSpliced(3, 0, frame(2_800_000, 5000));
  expect(leftAt(busy, { began: 700_000, shown: 3_050_000 }, next, WAIT)).toBeNull();
  // Nobody counted how much changed.
  expect(leftAt([frame(400_000), frame(800_000)], { began: 700_000, shown: 3_050_000 }, next, WAIT)).toBe(1);
  expect(leftAt(painted, { began: 700_000, shown: 3_050_000 }, input(down(3_200_000, 1, 1)), WAIT)).toBeNull();
  expect(leftAt(painted, { began: 700_000, shown: 3_050_000 }, input(), WAIT)).toBeNull();
  expect(leftAt([], { began: 700_000, shown: 3_050_000 }, next, WAIT)).toBeNull();
});

test('PL31: the frame before the pointer came near the target for the last time', () => {
  const target = { x: 300, y: 300 };
  const at = (shown: number, ...events: InputEvent[]) => awayAt(painted, shown, input(...events), target, WAIT.lead);
  expect(at(3_050_000, move(3_000_000, 260, 260), down(3_200_000, 300, 300))).toBe(2);
  const twice = [move(600_000, 310, 310), move(900_000, 700, 310), move(1_200_000, 290, 290)];
  expect(at(3_050_000, ...twice, down(3_200_000, 300, 300))).toBe(2);
  // The screen is that of the picture before the step; no move leads to it; nothing was recorded that early.
  expect(at(1_000_000, move(3_000_000, 260, 260), down(3_200_000, 300, 300))).toBeNull();
  expect(at(3_050_000, down(3_200_000, 300, 300))).toBeNull();
  expect(at(3_050_000, move(100_000, 260, 260), down(3_200_000, 300, 300))).toBeNull();
});

/** A page with lines on it, and boxes of a lightness: [left, top, width, height, lightness]. */
function page(...boxes: readonly (readonly [number, number, number, number, number])[]): RgbImage {
  const [width, height] = [320, 200];
  const rgb = new Uint8Array(width * height * 3).fill(240);
  for (const [left, top, w, h, value] of [[140, 90, 40, 2, 60], ...boxes] as const)
    for (let y = top; y < top + h; y++) rgb.fill(value, (y * width + left) * 3, (y * width + left + w) * 3);
  return { width, height, rgb };
}
/** The outline of a brush around a place. */
const brush = (x: number, y: number, ...more: (readonly [number, number, number, number, number])[]): RgbImage =>
  page([x - 20, y - 20, 40, 2, 0], [x - 20, y + 18, 40, 2, 0], [x - 20, y - 20, 2, 40, 0], ...more);
const AT = { x: 160, y: 100 };
const HERE = { x: 0, y: 0 };

test('PL31: marks that follow the pointer were a moment late in the demonstration, and are at the pointer in the play', () => {
  const [still, live] = [
    { away: page(), on: brush(156, 97) },
    { away: page(), on: brush(160, 100) },
  ];
  expect(isAt(still.on, live.on, AT, HERE)).toBe(false);
  expect(isLitAlike(still, live, AT, HERE)).toBe(true);
});

test('PL31: where nothing follows the pointer, or much else changed in the demonstration, the target is not there', () => {
  const still = { away: page(), on: brush(156, 97) };
  expect(isLitAlike(still, { away: page(), on: page() }, AT, HERE)).toBe(false);
  // Another page was loaded while the pointer was on its way; the play still has the old one, and lights a word up.
  const loaded = { away: page(), on: page([116, 56, 90, 90, 120]) };
  expect(isLitAlike(loaded, { away: page(), on: brush(160, 100) }, AT, HERE)).toBe(false);
  // Something else lights up.
  expect(isLitAlike(still, { away: page(), on: page([120, 60, 12, 12, 0]) }, AT, HERE)).toBe(false);
});

test('PL31: where the window has moved, the marks are looked for there', () => {
  const still = { away: page(), on: brush(156, 97) };
  const live = { away: page(), on: brush(200, 113) };
  expect(isLitAlike(still, live, AT, { x: 40, y: 13 })).toBe(true);
  expect(isLitAlike(still, live, AT, HERE)).toBe(false);
  expect(isLitAlike(still, live, AT, { x: 300, y: 0 })).toBe(false);
});
