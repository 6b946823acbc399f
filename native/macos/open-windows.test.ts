import { expect, test } from 'vitest';
import { nearestPixel } from '../screen/display-geometry.ts';
import { desktopWindow, type WindowLister, windowReader } from './open-windows.ts';

const info = (id: number, width = 300): ReturnType<WindowLister['activeWindow']> => ({
  id,
  title: `Window ${id}`,
  position: { x: 10, y: 20, width, height: 200, isFullScreen: false },
  info: { processId: 42, path: '/app/editor', name: 'Editor', execName: 'editor' },
});

test('a window: its names, its process, its rectangle in physical px', () => {
  const doubled = desktopWindow(info(7), (rect) => ({ ...rect, x: rect.x * 2, width: rect.width * 2 }));
  expect(doubled).toEqual({
    id: '7',
    title: 'Window 7',
    app: 'Editor',
    pid: 42,
    bounds: { x: 20, y: 20, width: 600, height: 200 },
  });
});

test('a window without a size has no bounds; id 0 is no window', () => {
  expect(desktopWindow(info(7, 0), (rect) => rect)?.bounds).toBeNull();
  expect(desktopWindow(info(0), (rect) => rect)).toBeNull();
});

test('a lister that throws counts as no windows', () => {
  const failing = (): WindowLister => {
    throw new Error('no permission');
  };
  const reader = windowReader((rect) => rect, failing);
  expect([reader.windows(), reader.activeWindow()]).toEqual([[], null]);
  const two = windowReader(
    (rect) => rect,
    () => ({ activeWindow: () => info(3), openWindows: () => [info(3), info(0), info(4)] }),
  );
  expect(two.windows().map(({ id }) => id)).toEqual(['3', '4']);
  expect(two.activeWindow()?.id).toBe('3');
});

test('the nearest pixel: the point itself inside, the edge outside', () => {
  const rects = [
    { x: 0, y: 0, width: 10, height: 10 },
    { x: 20, y: 0, width: 10, height: 10 },
  ];
  expect(nearestPixel(3.9, 4.2, rects)).toEqual({ x: 3, y: 4 });
  expect(nearestPixel(13, 5, rects)).toEqual({ x: 9, y: 5 });
  expect(nearestPixel(18, -4, rects)).toEqual({ x: 20, y: 0 });
  expect(nearestPixel(5, 5, [])).toEqual({ x: 5, y: 5 });
});
