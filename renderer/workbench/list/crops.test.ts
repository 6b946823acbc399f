import { expect, test } from 'vitest';
import { cropAround } from './crops.ts';

const picture = { width: 1280, height: 720 };
const thumbnail = { width: 44, height: 28 };

test('a thumbnail shows the box with a little around it, in its own shape', () => {
  const crop = cropAround({ x: 600, y: 300, width: 200, height: 40 }, picture, thumbnail);
  expect(crop).toEqual({ x: 570, y: 237, width: 260, height: 165 });
});

test('around a point it shows a few pixels, never beyond the picture', () => {
  expect(cropAround({ x: 640, y: 360, width: 0, height: 0 }, picture, thumbnail)).toMatchObject({
    width: 88,
    height: 56,
  });
  expect(cropAround({ x: 2, y: 719, width: 0, height: 0 }, picture, thumbnail)).toMatchObject({ x: 0, y: 664 });
  expect(cropAround({ x: 0, y: 0, width: 5000, height: 5000 }, picture, thumbnail)).toEqual({
    x: 149,
    y: 0,
    width: 1131,
    height: 720,
  });
});
