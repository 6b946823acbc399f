import { expect, test } from 'vitest';
import { displaysOf } from './outputs.ts';

const output = (some: Partial<Parameters<typeof displaysOf>[0][number]>) => ({
  mode: { width: 1920, height: 1080 },
  transform: 0,
  scale: 1,
  label: 'DP-1',
  place: { x: 0, y: 0 },
  logical: { width: 1920, height: 1080 },
  ...some,
});

test('physical pixels, also of a scaled 4K display and one to the left of it', () => {
  const scaled = output({ mode: { width: 3840, height: 2160 }, scale: 2, logical: { width: 1920, height: 1080 } });
  const left = output({
    place: { x: -1280, y: 0 },
    mode: { width: 2560, height: 1440 },
    scale: 2,
    logical: { width: 1280, height: 720 },
  });
  expect(displaysOf([scaled, left])).toEqual([
    { id: 1, name: 'DP-1', x: 0, y: 0, width: 3840, height: 2160, scale: 2, primary: true },
    { id: 2, name: 'DP-1', x: -2560, y: 0, width: 2560, height: 1440, scale: 2, primary: false },
  ]);
});

test('a fractional scale is the one of the logical size, not the rounded one', () => {
  expect(displaysOf([output({ scale: 2, logical: { width: 1536, height: 864 } })])).toMatchObject([{ scale: 1.25 }]);
});

test('a turned display is as high as its mode is wide; one without a mode is off', () => {
  const turned = output({ transform: 1, logical: { width: 1080, height: 1920 } });
  expect(displaysOf([turned])).toMatchObject([{ width: 1080, height: 1920, scale: 1 }]);
  expect(displaysOf([output({ mode: { width: 0, height: 0 } })])).toEqual([]);
});
