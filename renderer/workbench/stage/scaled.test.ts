import { expect, test } from 'vitest';
import { makeScaled } from './scaled.ts';

type Made = ImageBitmap & { closed: boolean };
// The part of a bitmap that is looked at: Node has none.
const bitmap = (width: number, height: number): Made => ({
  width,
  height,
  closed: false,
  close() {
    this.closed = true;
  },
});

function scaled() {
  const made: Made[] = [];
  const all = makeScaled((async (_: ImageBitmap, { resizeWidth = 0, resizeHeight = 0 }: ImageBitmapOptions) => {
    const one = bitmap(resizeWidth, resizeHeight);
    made.push(one);
    return one;
    // One of createImageBitmap's two forms, the one that is used.
  }) as typeof createImageBitmap);
  return { ...all, made };
}

test('a picture is found at the size it was made for, and at no other', async () => {
  const { get, prepare } = scaled();
  const picture = bitmap(1920, 1080);
  expect(get(picture, { width: 960, height: 540 })).toBeNull();
  await prepare(picture, { width: 960, height: 540 });
  expect(get(picture, { width: 960, height: 540 })).toMatchObject({ width: 960, height: 540 });
  expect(get(picture, { width: 961, height: 540 })).toBeNull();
});

test('at its own size or larger nothing is made: pixels stay as they are', async () => {
  const { prepare, made } = scaled();
  await prepare(bitmap(1920, 1080), { width: 1920, height: 1080 });
  await prepare(bitmap(1920, 1080), { width: 3840, height: 2160 });
  await prepare(bitmap(0, 0), { width: 960, height: 540 });
  expect(made).toEqual([]);
});

test('asked twice it is made once; another size takes its place and gives its memory back', async () => {
  const { get, prepare, made } = scaled();
  const picture = bitmap(1920, 1080);
  await Promise.all([prepare(picture, { width: 960, height: 540 }), prepare(picture, { width: 960, height: 540 })]);
  expect(made).toHaveLength(1);
  await prepare(picture, { width: 480, height: 270 });
  expect(made.map(({ closed }) => closed)).toEqual([true, false]);
  expect(get(picture, { width: 960, height: 540 })).toBeNull();
});

test('only a few are kept, and none after the page is left', async () => {
  const { prepare, close, made } = scaled();
  for (let n = 0; n < 8; n++) await prepare(bitmap(1920, 1080), { width: 960, height: 540 });
  expect(made.map(({ closed }) => closed)).toEqual([true, true, true, false, false, false, false, false]);
  close();
  expect(made.every(({ closed }) => closed)).toBe(true);
});
