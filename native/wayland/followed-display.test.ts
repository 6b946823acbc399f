import { expect, test } from 'vitest';
import { type CastDisplay, followDisplay } from './followed-display.ts';

const display = (some: Partial<CastDisplay> = {}): CastDisplay => ({
  name: 'DP-1',
  x: 0,
  y: 0,
  width: 1280,
  height: 720,
  scale: 1,
  ...some,
});

test('a display is followed through sizes and places by its name, until it is unplugged', () => {
  let all = [display({ name: 'HDMI-1', x: 1280 }), display()];
  const followed = followDisplay(display(), () => all);
  expect(followed.look()).toBe('same');
  all = [display({ name: 'HDMI-1', x: 720 }), display({ width: 720, height: 1280 })];
  expect([followed.look(), followed.now().height]).toEqual(['changed', 1280]);
  expect(followed.look()).toBe('changed');
  followed.accept();
  expect(followed.look()).toBe('same');
  all = [display({ name: 'HDMI-1' }), display({ x: -720, width: 720, height: 1280 })];
  expect([followed.look(), followed.now().x]).toEqual(['changed', -720]);
  all = [display({ name: 'HDMI-1' })];
  expect([followed.look(), followed.now().x]).toEqual(['gone', -720]);
});

test('of two displays of one name it is the one at its place', () => {
  const both = [display(), display({ x: 1280, scale: 2 })];
  const followed = followDisplay(display({ x: 1280, scale: 2 }), () => both);
  expect([followed.look(), followed.now().x]).toEqual(['same', 1280]);
});
