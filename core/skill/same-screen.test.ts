import { describe, expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { changedPixels, isBack, isSameButCaret } from './same-screen.ts';

const WIDTH = 100;
type Box = [x: number, y: number, width: number, height: number];

/** A grey screen with black boxes. */
function screen(...boxes: Box[]): RgbImage {
  const rgb = new Uint8Array(WIDTH * WIDTH * 3).fill(200);
  for (const [left, top, width, height] of boxes)
    for (let y = top; y < top + height; y++) rgb.fill(0, (y * WIDTH + left) * 3, (y * WIDTH + left + width) * 3);
  return { width: WIDTH, height: WIDTH, rgb } as RgbImage;
}

const CARET: Box = [40, 40, 2, 18];
const MENU: Box = [0, 10, 30, 40];

describe('the same screen', () => {
  test('is itself, with a caret or without; another letter, a tick or another size is none', () => {
    expect(isSameButCaret(screen(MENU), screen(MENU))).toBe(true);
    expect(isSameButCaret(screen(), screen(CARET))).toBe(true);
    expect(isSameButCaret(screen(CARET), screen([60, 40, 2, 18]))).toBe(false);
    expect(isSameButCaret(screen(), screen([40, 40, 5, 5]))).toBe(false);
    expect(isSameButCaret(screen(), { ...screen(), width: 50, height: 200 })).toBe(false);
  });

  test('what was given up is back where it was changed, though a status line says something else', () => {
    const status: Box = [0, 95, 30, 5];
    const opened = changedPixels(screen(), screen(MENU))!;
    expect(isBack(screen(), screen(status), [opened])).toBe(true);
    expect(isBack(screen(), screen(status, CARET), [opened])).toBe(true);
    // A tick that stays is where something was changed.
    const ticked = changedPixels(screen(), screen([10, 20, 6, 6]))!;
    expect(isBack(screen(), screen([10, 20, 6, 6]), [opened, ticked])).toBe(false);
    // One step that opened a large thing, of which a lit row or a faded scroll bar stays; of a small one, or two steps, nothing may.
    const dialog = changedPixels(screen(), screen([0, 10, 60, 50]))!;
    const lit = screen([10, 20, 20, 8]);
    expect(isBack(screen(), lit, [dialog])).toBe(true);
    expect(isBack(screen(), lit, [dialog, new Set()])).toBe(false);
    expect(isBack(screen(), lit, [opened])).toBe(false);
    expect(isBack(screen(), screen([10, 20, 20, 18]), [dialog])).toBe(false);
    // Half of the screen is no status line.
    expect(isBack(screen(), screen([0, 50, 100, 50]), [opened])).toBe(false);
  });
});
