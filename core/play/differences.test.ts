import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import { screenDifferences } from './differences.ts';
import { BLOCK } from './likeness.ts';
import { changedBlocks } from './sight.ts';

function screen(rects: readonly (readonly [x: number, y: number, width: number, height: number])[]): RgbImage {
  const [width, height] = [203, 101];
  const rgb = new Uint8Array(width * height * 3).fill(220);
  for (const [left, top, w, h] of rects) {
    for (let y = top; y < top + h; y++) rgb.fill(20, (y * width + left) * 3, (y * width + left + w) * 3);
  }
  return { width, height, rgb };
}

test('PL17: pictures that are the same differ nowhere, and those of other sizes are not compared', () => {
  expect(screenDifferences(screen([]), screen([]), null)).toEqual([]);
  expect(screenDifferences(screen([]), { width: 8, height: 8, rgb: new Uint8Array(192) }, null)).toBeNull();
});

test('PL17: parts that lie close together are one, others stand for themselves', () => {
  const found = screenDifferences(
    screen([]),
    screen([
      [8, 8, 8, 8],
      [32, 8, 8, 8],
      [120, 80, 16, 8],
    ]),
    null,
  );
  expect(found).toEqual([
    { x: 8, y: 8, width: 32, height: 8, decisive: false },
    { x: 120, y: 80, width: 16, height: 8, decisive: false },
  ]);
});

test('PL17: what the step itself changes comes first and is told from what lies beside it', () => {
  const before = screen([]);
  const after = screen([[8, 8, 16, 8]]);
  const effect = changedBlocks(before, after);
  const found = screenDifferences(after, screen([[120, 40, 64, 32]]), effect);
  expect(found?.map(({ x, decisive }) => [x, decisive])).toEqual([
    [8, true],
    [120, false],
  ]);
});

test('PL17: a box ends with the picture', () => {
  const found = screenDifferences(screen([]), screen([[200, 96, 3, 5]]), null);
  expect(found).toEqual([{ x: 200, y: 96, width: 3, height: 101 - 12 * BLOCK, decisive: false }]);
});

test('PL17: of very many parts the largest are shown', () => {
  const dots = Array.from({ length: 72 }, (_, n) => [(n % 12) * 16, Math.floor(n / 12) * 16, 1, 1] as const);
  // Every second square is joined with its neighbours: it is one part.
  expect(screenDifferences(screen([]), screen(dots), null)).toHaveLength(1);
  const far = Array.from({ length: 8 }, (_, n) => [(n % 4) * 48, Math.floor(n / 4) * 48, 1, 1] as const);
  expect(screenDifferences(screen([]), screen(far), null)).toHaveLength(8);
});
