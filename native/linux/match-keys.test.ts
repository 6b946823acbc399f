import { expect, test } from 'vitest';
import { keyMatcher } from './match-keys.ts';
import type { RawKey } from './raw-keys.ts';

const raw = (time: number, down: boolean, keycode: number, xtest = false): RawKey => ({
  time,
  down,
  keycode,
  repeat: false,
  sourceId: 8,
  xtest,
});

test('keycode 0 of uiohook becomes the raw key behind it', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 94), raw(560, false, 94)]);
  expect(matcher.match({ time: 500, down: true, keycode: 0 })).toEqual({ xKeycode: 94, repeat: false, xtest: false });
  expect(matcher.match({ time: 560, down: false, keycode: 0 })?.xKeycode).toBe(94);
});

test('Shift and < pressed in one millisecond each find their own raw key', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 50), raw(500, true, 94)]);
  expect(matcher.match({ time: 500, down: true, keycode: 0 })?.xKeycode).toBe(94);
  expect(matcher.match({ time: 500, down: true, keycode: 0x2a })?.xKeycode).toBe(50);
});

test('a hook event that was written down later than its key was pressed finds it', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 94), raw(503, false, 94), raw(504, true, 94), raw(509, false, 94)]);
  const found = [
    [501, true],
    [504, false],
    [512, true],
    [512, false],
  ] as const;
  for (const [time, down] of found) {
    expect(matcher.match({ time, down, keycode: 0 })).toEqual({ xKeycode: 94, repeat: false, xtest: false });
  }
});

test('a key is not taken for one long before it, nor for one that comes after it', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 94), raw(900, true, 187)]);
  expect(matcher.match({ time: 700, down: true, keycode: 0 })).toBeNull();
  expect(matcher.match({ time: 901, down: true, keycode: 0 })?.xKeycode).toBe(187);
});

test('auto-repeat of a key has no raw key: it repeats the one that is held', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 94)]);
  matcher.match({ time: 500, down: true, keycode: 0 });
  expect(matcher.match({ time: 1160, down: true, keycode: 0 })).toEqual({ xKeycode: 94, repeat: true, xtest: false });
  matcher.add([raw(1200, false, 94)]);
  matcher.match({ time: 1200, down: false, keycode: 0 });
  expect(matcher.match({ time: 1300, down: true, keycode: 0 })).toBeNull();
});

test('a repeat of A is told from a first press, and not taken for another held key', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 50), raw(510, true, 38)]);
  matcher.match({ time: 500, down: true, keycode: 0x2a });
  expect(matcher.match({ time: 510, down: true, keycode: 0x1e })?.repeat).toBe(false);
  expect(matcher.match({ time: 1170, down: true, keycode: 0x1e })).toEqual({
    xKeycode: 38,
    repeat: true,
    xtest: false,
  });
  expect(matcher.match({ time: 1180, down: true, keycode: 0x30 })).toBeNull();
});

test('releases that the server says twice are spent once and then forgotten', () => {
  const matcher = keyMatcher();
  matcher.add([
    raw(700, false, 50),
    raw(700, false, 50),
    raw(706, false, 94),
    raw(706, false, 94),
    raw(720, false, 187),
  ]);
  expect(matcher.match({ time: 700, down: false, keycode: 0x2a })?.xKeycode).toBe(50);
  expect(matcher.match({ time: 706, down: false, keycode: 0 })?.xKeycode).toBe(94);
  expect(matcher.match({ time: 721, down: false, keycode: 0 })?.xKeycode).toBe(187);
});

test('keys of a program are told (I4)', () => {
  const matcher = keyMatcher();
  matcher.add([raw(500, true, 38, true)]);
  expect(matcher.match({ time: 500, down: true, keycode: 0x1e })?.xtest).toBe(true);
});

test('a hook event whose raw key has not come yet has no match', () => {
  expect(keyMatcher().match({ time: 500, down: true, keycode: 0x1e })).toBeNull();
});

test('the server time wrapping at 2^32 keeps the keys before it', () => {
  const matcher = keyMatcher();
  matcher.add([raw(2 ** 32 - 5, true, 94)]);
  matcher.add([raw(3, false, 94)]);
  expect(matcher.match({ time: 2 ** 32 - 5, down: true, keycode: 0 })?.xKeycode).toBe(94);
});
