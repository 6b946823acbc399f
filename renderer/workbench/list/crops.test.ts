import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cropAround, makeCrops } from './crops.ts';

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

const RECT = { x: 0, y: 0, width: 88, height: 56 };
/** Pictures and addresses that are there now. */
const open = { pictures: 0, addresses: 0 };

const pictureNow = (): ImageBitmap => {
  open.pictures++;
  return { ...picture, close: () => void open.pictures-- };
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(open, { pictures: 0, addresses: 0 });
  vi.stubGlobal('createImageBitmap', async () => pictureNow());
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = async () => new Blob(['x']);
    },
  );
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => `blob:${open.addresses++}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => void open.addresses--);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('all steps of a frame are cut from one reading of it; nothing of it stays open', async () => {
  const load = vi.fn(async () => new Blob());
  const crops = makeCrops({ decoded: () => null, load }, thumbnail);
  const come = vi.fn();
  crops.want(3, RECT, come);
  crops.want(3, { ...RECT, x: 100 }, come);
  await vi.runAllTimersAsync();
  expect(come.mock.calls).toEqual([['blob:0'], ['blob:1']]);
  expect(load).toHaveBeenCalledTimes(1);
  // A picture that was cut before is given without waiting.
  crops.want(3, RECT, come);
  expect(come).toHaveBeenLastCalledWith('blob:0');
  expect(open).toEqual({ pictures: 0, addresses: 2 });
  crops.close();
  expect(open.addresses).toBe(0);
});

test('a frame that the stage has decoded is not read again, and stays its own', async () => {
  const shown = pictureNow();
  const load = vi.fn(async () => new Blob());
  const crops = makeCrops({ decoded: () => shown, load }, thumbnail);
  const come = vi.fn();
  crops.want(3, RECT, come);
  await vi.runAllTimersAsync();
  expect(come).toHaveBeenCalledTimes(1);
  expect(load).not.toHaveBeenCalled();
  expect(open.pictures).toBe(1);
});

test('a frame that cannot be read is given up, and the others come', async () => {
  const load = async (i: number) => (i === 3 ? Promise.reject(new Error('gone')) : new Blob());
  const crops = makeCrops({ decoded: () => null, load }, thumbnail);
  const come = vi.fn();
  crops.want(3, RECT, come);
  crops.want(4, RECT, come);
  await vi.runAllTimersAsync();
  expect(come).toHaveBeenCalledTimes(1);
});
