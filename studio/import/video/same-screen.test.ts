import { expect, test } from 'vitest';
import { isSameScreen, type Picture } from './same-screen-for-tests.ts';

const [WIDTH, HEIGHT] = [60, 50];
/** A white picture with black boxes [x, y, width, height] on it. */
function picture(...boxes: [number, number, number, number][]): Picture {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3).fill(255);
  for (const [left, top, width, height] of boxes) {
    for (let y = top; y < top + height; y++) rgb.fill(0, (y * WIDTH + left) * 3, (y * WIDTH + left + width) * 3);
  }
  return { rgb, width: WIDTH, height: HEIGHT };
}

test.each<[what: string, boxes: [number, number, number, number][], same: boolean]>([
  ['nothing', [], true],
  ['a caret', [[20, 5, 2, 18]], true],
  [
    'a caret here that was there',
    [
      [20, 5, 2, 18],
      [40, 5, 2, 18],
    ],
    true,
  ],
  ['a letter', [[20, 5, 6, 9]], false],
  [
    'a caret beside a letter',
    [
      [20, 5, 2, 18],
      [40, 5, 6, 9],
    ],
    false,
  ],
  ['a line as high as the picture', [[20, 0, 1, 50]], false],
  [
    'strokes that touch by a corner',
    [
      [20, 5, 2, 8],
      [22, 13, 2, 8],
    ],
    false,
  ],
  ['the last pixel', [[59, 49, 1, 1]], true],
])('%s more is the same screen: or not', (_what, boxes, same) => {
  expect(isSameScreen(picture(), picture(...boxes))).toBe(same);
  expect(isSameScreen(picture(...boxes), picture())).toBe(same);
});

test('pictures of two sizes are two screens', () => {
  expect(isSameScreen(picture(), { ...picture(), width: HEIGHT, height: WIDTH })).toBe(false);
});
