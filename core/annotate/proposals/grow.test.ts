import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RgbImage } from '../../../schemas/picture.ts';
import type { Pixel } from '../picture.ts';
import { drawing } from './drawing-for-tests.ts';
import { candidateBoxes } from './grow.ts';

const best = (image: RgbImage, point: Pixel) => candidateBoxes(image, point)[0];

describe('a click grows to', () => {
  test('a button with a border of one pixel, its border taken along, on its face and on its letters', () => {
    const box = { x: 100, y: 50, width: 86, height: 30 };
    const image = drawing(400, 200).fill(box, 0xffffff).frame(box, 0xb0b0b0).word(125, 60, 5);
    expect(best(image, { x: 108, y: 56 })?.box).toEqual(box);
    expect(best(image, { x: 127, y: 64 })?.box).toEqual(box);
  });

  test('a flat button by its face alone', () => {
    const box = { x: 40, y: 40, width: 70, height: 26 };
    const image = drawing(300, 150).fill(box, 0x3584e4).word(58, 49, 4, 0xffffff);
    const grown = best(image, { x: 60, y: 52 });
    expect(grown?.box).toEqual(box);
    expect(grown?.confidence).toBeGreaterThan(0.8);
  });

  test('a button with round corners', () => {
    const box = { x: 40, y: 40, width: 70, height: 26 };
    const image = drawing(300, 150).fill(box, 0xdddddd);
    for (const [x, y] of [
      [40, 40],
      [41, 40],
      [40, 41],
      [109, 40],
      [108, 40],
      [109, 41],
      [40, 65],
      [109, 65],
    ] as const) {
      image.set(x, y, 0xf6f5f4);
    }
    expect(best(image, { x: 70, y: 50 })?.box).toEqual(box);
    image.word(58, 49, 4);
    expect(best(image, { x: 60, y: 52 })?.box).toEqual(box);
  });

  test('a shaded button', () => {
    const image = drawing(300, 150);
    for (let y = 40; y < 66; y++) image.fill({ x: 40, y, width: 70, height: 1 }, 0x010101 * (230 - (y - 40)));
    image.frame({ x: 39, y: 39, width: 72, height: 28 }, 0x808080);
    const box = { x: 39, y: 39, width: 72, height: 28 };
    expect(best(image, { x: 70, y: 50 })?.box).toEqual(box);
    image.word(56, 48, 5);
    expect(best(image, { x: 70, y: 52 })?.box).toEqual(box);
  });

  test('the highlighted item of a menu, over its whole width', () => {
    const menu = { x: 20, y: 20, width: 220, height: 130 };
    const image = drawing(400, 200).fill(menu, 0xffffff).frame(menu, 0xcccccc);
    for (const row of [0, 1, 2, 3, 4]) image.word(40, 28 + row * 25, 6);
    image.fill({ x: 21, y: 46, width: 218, height: 25 }, 0x3584e4).word(40, 54, 6, 0xffffff);
    expect(best(image, { x: 60, y: 58 })?.box).toEqual({ x: 21, y: 46, width: 218, height: 25 });
  });

  test('the words of an item that is not highlighted, not to the whole menu', () => {
    const menu = { x: 20, y: 20, width: 220, height: 130 };
    const image = drawing(400, 200).fill(menu, 0xffffff).frame(menu, 0xcccccc);
    for (const row of [0, 1, 2, 3, 4]) image.word(40, 28 + row * 25, 6);
    const [first, ...others] = candidateBoxes(image, { x: 60, y: 82 });
    // Six letters of 7 px, less the last gap, with 4 px around.
    expect(first?.box).toEqual({ x: 36, y: 74, width: 48, height: 17 });
    expect(others.map(({ box }) => box)).toContainEqual(menu);
  });

  test('one of three things on a bar, not to the bar', () => {
    const image = drawing(1000, 300, 0xf3f4f6).fill({ x: 0, y: 0, width: 900, height: 40 }, 0xffffff);
    for (const x of [20, 120, 220]) image.word(x, 15, 6);
    expect(best(image, { x: 130, y: 20 })?.box).toEqual({ x: 116, y: 11, width: 48, height: 17 });
  });

  test('an icon on a tool bar without borders, not to the icon beside it nor to the bar', () => {
    const image = drawing(600, 200).fill({ x: 0, y: 0, width: 600, height: 40 }, 0xe8e8e8);
    for (const x of [10, 42, 74, 106, 138]) {
      image
        .fill({ x: x + 8, y: 10, width: 4, height: 20 }, 0x333333)
        .fill({ x, y: 18, width: 20, height: 4 }, 0x333333);
    }
    expect(best(image, { x: 52, y: 20 })?.box).toEqual({ x: 38, y: 6, width: 28, height: 28 });
  });

  test('an empty text field, and one with text in it', () => {
    const field = { x: 80, y: 60, width: 240, height: 26 };
    const image = drawing(500, 200).fill(field, 0xffffff).frame(field, 0x9a9996);
    expect(best(image, { x: 200, y: 70 })?.box).toEqual(field);
    image.word(86, 68, 12);
    expect(best(image, { x: 90, y: 72 })?.box).toEqual(field);
  });

  test('a cell of a table', () => {
    const image = drawing(500, 300, 0xffffff);
    for (let x = 50; x <= 450; x += 80) image.fill({ x, y: 40, width: 1, height: 201 }, 0xc0c0c0);
    for (let y = 40; y <= 240; y += 25) image.fill({ x: 50, y, width: 401, height: 1 }, 0xc0c0c0);
    expect(best(image, { x: 150, y: 100 })?.box).toEqual({ x: 130, y: 90, width: 81, height: 26 });
  });

  test('nothing on an even screen, and nothing outside of the picture', () => {
    expect(candidateBoxes(drawing(1920, 1080), { x: 900, y: 500 })).toEqual([]);
    expect(candidateBoxes(drawing(100, 100), { x: 100, y: 5 })).toEqual([]);
    expect(candidateBoxes(drawing(100, 100), { x: 5, y: -1 })).toEqual([]);
  });
});

test('of a button in a group in a window the smallest comes first, the others after it with less confidence', () => {
  const group = { x: 50, y: 50, width: 300, height: 120 };
  const button = { x: 70, y: 90, width: 80, height: 28 };
  const image = drawing(600, 400).fill(group, 0xe0e0e0).frame(group, 0x888888);
  for (const x of [70, 170, 260]) image.fill({ ...button, x }, 0xffffff).frame({ ...button, x }, 0x666666);
  const found = candidateBoxes(image, { x: 100, y: 104 });
  expect(found.map(({ box }) => box)).toEqual([button, group]);
  expect(found[0]!.confidence).toBeGreaterThan(found[1]!.confidence);
});

test('whatever the picture, boxes lie inside of it, hold nearly the point, and stand best first (law)', () => {
  const size = { width: 60, height: 40 };
  const shape = fc.record({
    x: fc.integer({ min: 0, max: 40 }),
    y: fc.integer({ min: 0, max: 25 }),
    width: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 1, max: 15 }),
    colour: fc.constantFrom(0x000000, 0xffffff, 0x3584e4, 0xc0c0c0),
  });
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 12 }), fc.nat(59), fc.nat(39), (shapes, x, y) => {
      const image = drawing(size.width, size.height);
      for (const { colour, ...box } of shapes) image.fill(box, colour);
      const found = candidateBoxes(image, { x, y });
      for (const { box, confidence } of found) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(size.width);
        expect(box.y + box.height).toBeLessThanOrEqual(size.height);
        // Letters count up to 8 px from the point.
        expect(x).toBeGreaterThanOrEqual(box.x - 8);
        expect(x).toBeLessThan(box.x + box.width + 8);
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThan(1);
      }
      const order = found.map(({ confidence }) => confidence);
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      expect(candidateBoxes(image, { x, y })).toEqual(found);
    }),
  );
});
