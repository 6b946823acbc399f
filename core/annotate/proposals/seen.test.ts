import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rect } from '../../../schemas/events.ts';
import { cropHash, cropOf } from './crop.ts';
import { type Drawing, drawing } from './drawing-for-tests.ts';
import { findSeen, type KnownCrop } from './seen.ts';

const icon = (board: Drawing, x: number, y: number): Drawing =>
  board.word(x, y, 3).fill({ x: x + 2, y: y + 12, width: 9, height: 3 }, 0xaa2200);

const knownAs = (image: Drawing, box: Rect, name: string, count = 1): KnownCrop => ({
  ...cropOf(image, box)!,
  name,
  count,
});

describe('a crop that was named before', () => {
  test('is found at another place, with its name and its box', () => {
    const first = icon(drawing(200, 100), 20, 30);
    const known = knownAs(first, { x: 16, y: 27, width: 30, height: 22 }, 'Brush tool');
    const second = icon(drawing(500, 300), 333, 222);
    expect(findSeen(second, { x: 340, y: 230 }, [known])).toEqual([
      { box: { x: 329, y: 219, width: 30, height: 22 }, name: 'Brush tool', share: 1 },
    ]);
  });

  test('is found at the edges of the picture', () => {
    const image = icon(drawing(40, 30), 0, 0);
    const known = knownAs(image, { x: 0, y: 0, width: 21, height: 15 }, 'Brush tool');
    expect(findSeen(image, { x: 0, y: 0 }, [known])).toHaveLength(1);
    expect(findSeen(image, { x: 20, y: 14 }, [known])).toHaveLength(1);
    expect(findSeen(image, { x: 21, y: 14 }, [known])).toEqual([]);
  });

  test('is not found when one pixel differs', () => {
    const image = icon(drawing(200, 100), 20, 30);
    const known = knownAs(image, { x: 16, y: 27, width: 30, height: 22 }, 'Brush tool');
    expect(findSeen(image.set(25, 30, 0x2e3437), { x: 25, y: 34 }, [known])).toEqual([]);
  });

  test('has the name that it got most often first, each as sure as it is frequent', () => {
    const image = icon(drawing(200, 100), 20, 30);
    const box = { x: 16, y: 27, width: 30, height: 22 };
    const found = findSeen(image, { x: 25, y: 34 }, [
      knownAs(image, box, 'Pencil', 1),
      knownAs(image, box, 'Brush', 3),
    ]);
    expect(found.map(({ name, share }) => [name, share])).toEqual([
      ['Brush', 0.75],
      ['Pencil', 0.25],
    ]);
  });

  test('that would fit at several places counts only where an edge box is', () => {
    const field = drawing(200, 60).fill({ x: 0, y: 20, width: 200, height: 1 }, 0x808080);
    const known = knownAs(field, { x: 50, y: 15, width: 40, height: 12 }, 'Field');
    expect(findSeen(field, { x: 100, y: 20 }, [known])).toEqual([]);
    const edge = { x: 90, y: 15, width: 40, height: 12 };
    expect(findSeen(field, { x: 100, y: 20 }, [known], [edge])).toEqual([{ box: edge, name: 'Field', share: 1 }]);
  });

  test('of one colour alone teaches nothing', () => {
    expect(cropOf(drawing(50, 50), { x: 5, y: 5, width: 20, height: 20 })).toBeNull();
  });
});

test('a crop of any picture is found again where it is (law)', () => {
  const pixels = fc.uint8Array({ minLength: 24 * 18 * 3, maxLength: 24 * 18 * 3 });
  const box = fc.record({
    x: fc.nat(14),
    y: fc.nat(10),
    width: fc.integer({ min: 2, max: 10 }),
    height: fc.integer({ min: 2, max: 8 }),
  });
  fc.assert(
    fc.property(pixels, box, (rgb, at) => {
      const image = { width: 24, height: 18, rgb };
      const crop = cropOf(image, at);
      fc.pre(crop !== null);
      expect(crop!.hash).toBe(cropHash(image, at));
      const point = { x: at.x + at.width - 1, y: at.y };
      expect(findSeen(image, point, [{ ...crop!, name: 'it', count: 1 }], [at])).toEqual([
        { box: at, name: 'it', share: 1 },
      ]);
    }),
  );
});
