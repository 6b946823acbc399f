import { beforeEach, expect, test } from 'vitest';
import type { Display, Rect } from '../../schemas/events.ts';
import { capturedView } from './captured-view.ts';

/** Where what is captured goes while displays come and go. */

const display = (id: number, name: string, x: number, primary = false): Display => ({
  id,
  name,
  x,
  y: 0,
  width: 400,
  height: 300,
  scale: 1,
  primary,
});
const [LEFT, MIDDLE, RIGHT] = [display(1, 'eDP-1', 0, true), display(2, 'DP-1', 400), display(3, 'DP-2', 800)];

let said: string[];
beforeEach(() => {
  said = [];
});

function view(kind: 'display' | 'region' | 'window', of: Display, rect: Rect = of) {
  const infos = {
    display: { kind: 'display', display: of.id },
    region: { kind: 'region', region: rect },
    window: { kind: 'window', title: 'a window', windowId: '1' },
  } as const;
  const { x, y, width, height } = rect;
  return capturedView({
    target: { info: infos[kind], rect: { x, y, width, height }, display: of },
    gate: { cutsPictures: () => false },
    screen: { setRect: (to) => void said.push(`to ${to.x},${to.y} ${to.width}x${to.height}`) },
    tell: () => undefined,
    notice: (code) => void said.push(code),
    gone: () => void said.push('gone'),
  });
}

test('a display is known by its name: the numbers of the others change when one is unplugged', () => {
  const third = view('display', RIGHT);
  third.follow([LEFT, { ...RIGHT, id: 2 }]);
  expect(said).toEqual([]);
  third.follow([{ ...RIGHT, id: 1, x: 0 }]);
  expect(said).toEqual(['to 0,0 400x300']);
});

test('a display that is unplugged is gone: no other one is recorded, the primary one neither', () => {
  view('display', MIDDLE).follow([LEFT, { ...RIGHT, id: 2 }]);
  expect(said).toEqual(['gone']);
});

test('a region goes with its display, and grows back with it', () => {
  const region = view('region', RIGHT, { x: 850, y: 50, width: 300, height: 200 });
  region.follow([LEFT, { ...RIGHT, width: 200 }]);
  region.follow([LEFT, MIDDLE, RIGHT]);
  region.follow([LEFT, MIDDLE]);
  expect(said).toEqual(['to 850,50 150x200', 'to 850,50 300x200', 'gone']);
});

test('a window is looked for where it went', () => {
  view('window', RIGHT, { x: 850, y: 50, width: 300, height: 200 }).follow([LEFT]);
  expect(said).toEqual([]);
});

test('of two displays of one name it is the one at its place', () => {
  const twin = { ...RIGHT, name: 'DP-1' };
  const second = view('display', twin);
  second.follow([LEFT, MIDDLE, { ...twin, width: 350 }]);
  expect(said).toEqual(['to 800,0 350x300']);
});
