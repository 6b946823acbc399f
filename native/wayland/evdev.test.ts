import { expect, test } from 'vitest';
import { X_KEYCODES, xKeycodeToCode } from '../input/keys.ts';
import type { DeviceEvent, PointerSettings } from './device-event.ts';
import { type DeviceInfo, isInputDevice, readDevice } from './evdev.ts';
import { type EvdevLine, evdevRecord, evdevReport, SYN_REPORT } from './records-for-tests.ts';

const report = (us: number, ...lines: EvdevLine[]): Buffer => evdevReport(us, lines);

const device = (some: Partial<DeviceInfo>): DeviceInfo => ({
  name: 'x',
  keys: [],
  rels: [],
  abs: {},
  props: [],
  ...some,
});
const KEYBOARD = device({ keys: Array.from({ length: 240 }, (_, i) => i + 1) });
const MOUSE = device({ keys: [0x110, 0x111, 0x112, 0x113, 0x114], rels: [0, 1, 8] });
const PAD = device({
  keys: [0x110, 0x145, 0x14a, 0x14d, 0x14e],
  abs: { 0: { min: 0, max: 1000 }, 1: { min: 0, max: 1000 }, 47: { min: 0, max: 4 }, 53: { min: 0, max: 1000 } },
});
const SETTINGS: PointerSettings = { naturalMouse: false, naturalTouchpad: true, tapToClick: true, leftHanded: false };

test('every key that has a name comes back by it', () => {
  const reader = readDevice(KEYBOARD);
  const named = X_KEYCODES.filter((keycode) => keycode - 8 < 0x100);
  for (const keycode of named) {
    const events = reader.feed(report(5, [4, 4, 1], [1, keycode - 8, 1]));
    expect(events).toEqual([
      { us: 5, kind: 'key', down: true, repeat: false, code: xKeycodeToCode(keycode), number: keycode - 8 },
    ]);
  }
  expect(named.length).toBeGreaterThan(120);
});

test('times are the kernel’s own, to the microsecond; a record may come in two reads', () => {
  const reader = readDevice(KEYBOARD);
  const bytes = report(4_000_000_123, [1, 30, 1]);
  expect(reader.feed(bytes.subarray(0, 17))).toEqual([]);
  expect(reader.feed(bytes.subarray(17))).toMatchObject([{ us: 4_000_000_123, code: 'KeyA', down: true }]);
});

test('auto-repeat is told from a press', () => {
  const reader = readDevice(KEYBOARD);
  const events = [1, 2, 2, 0].flatMap((value, i) => reader.feed(report(i, [1, 30, value])));
  expect(events.map((e) => e.kind === 'key' && [e.down, e.repeat])).toEqual([
    [true, false],
    [true, true],
    [true, true],
    [false, false],
  ]);
});

test('a mouse: the way before the press, buttons by name', () => {
  const reader = readDevice(MOUSE);
  expect(reader.feed(report(1, [1, 0x110, 1], [2, 0, 3], [2, 1, -4]))).toEqual([
    { us: 1, kind: 'moved', by: 5 },
    { us: 1, kind: 'button', down: true, button: 'left' },
  ]);
  const buttons = [0x111, 0x112, 0x113, 0x114].flatMap((code) => reader.feed(report(2, [1, code, 1])));
  expect(buttons.map((e) => e.kind === 'button' && e.button)).toEqual(['right', 'middle', 'back', 'forward']);
});

test('left-handed: the desktop swaps the two', () => {
  const reader = readDevice(MOUSE, () => ({ ...SETTINGS, leftHanded: true }));
  expect(reader.feed(report(1, [1, 0x110, 1]))).toMatchObject([{ button: 'right' }]);
});

test('a wheel: notches, and parts of them where the wheel is a fine one, never both', () => {
  expect(readDevice(MOUSE).feed(report(1, [2, 8, -1]))).toEqual([{ us: 1, kind: 'wheel', dx: 0, dy: 1 }]);
  const fine = readDevice(device({ keys: [0x110], rels: [0, 1, 6, 8, 11, 12] }));
  const events = [
    ...fine.feed(report(1, [2, 11, -30])),
    ...fine.feed(report(2, [2, 11, -90], [2, 8, -1])),
    ...fine.feed(report(3, [2, 12, 120], [2, 6, 1])),
  ];
  expect(events).toEqual([
    { us: 1, kind: 'wheel', dx: 0, dy: 0.25 },
    { us: 2, kind: 'wheel', dx: 0, dy: 0.75 },
    { us: 3, kind: 'wheel', dx: 1, dy: 0 },
  ]);
});

/** A finger goes down, along, and off. */
function touch(
  reader: ReturnType<typeof readDevice>,
  at: [us: number, x: number, y: number][],
  tool = 0x145,
): DeviceEvent[] {
  const [first, ...rest] = at;
  const last = at.at(-1)!;
  const x = ([us, px, py]: [number, number, number]): [number, EvdevLine, EvdevLine] => [us, [3, 0, px], [3, 1, py]];
  const [us, ax, ay] = x(first!);
  return [
    ...reader.feed(report(us, [1, tool, 1], [1, 0x14a, 1], ax, ay)),
    ...rest.flatMap((one) => reader.feed(report(...x(one)))),
    ...reader.feed(report(last[0] + 10_000, [1, 0x14a, 0], [1, tool, 0])),
  ];
}

test('a touchpad: one finger moves, a tap is a click, two fingers’ tap the other button', () => {
  const moves = touch(readDevice(PAD), [
    [0, 100, 100],
    [100_000, 400, 500],
    [400_000, 400, 500],
  ]);
  expect(moves).toEqual([{ us: 100_000, kind: 'moved', by: 500 }]);
  const tap = touch(readDevice(PAD), [[0, 100, 100]]);
  expect(tap.map((e) => e.kind === 'button' && [e.button, e.down])).toEqual([
    ['left', true],
    ['left', false],
  ]);
  const two = touch(readDevice(PAD), [[0, 100, 100]], 0x14d);
  expect(two).toMatchObject([{ button: 'right' }, { button: 'right' }]);
  expect(
    touch(
      readDevice(PAD, () => ({ ...SETTINGS, tapToClick: false })),
      [[0, 100, 100]],
    ),
  ).toEqual([]);
});

test('a touchpad: two fingers scroll, by the desktop’s own direction', () => {
  const along: [number, number, number][] = [
    [0, 500, 500],
    [300_000, 500, 400],
  ];
  expect(touch(readDevice(PAD), along, 0x14d)).toEqual([{ us: 300_000, kind: 'wheel', dx: -0, dy: expect.closeTo(2) }]);
  const usual = readDevice(PAD, () => ({ ...SETTINGS, naturalTouchpad: false }));
  expect(touch(usual, along, 0x14d)).toEqual([{ us: 300_000, kind: 'wheel', dx: 0, dy: expect.closeTo(-2) }]);
});

test('a tablet: the pen’s place, its tip and its two buttons', () => {
  const tablet = device({
    keys: [0x140, 0x14a, 0x14b, 0x14c],
    abs: { 0: { min: 0, max: 20_000 }, 1: { min: 0, max: 10_000 } },
  });
  const reader = readDevice(tablet);
  expect(reader.feed(report(1, [1, 0x140, 1], [3, 0, 5000], [3, 1, 10_000]))).toEqual([
    { us: 1, kind: 'at', x: 0.25, y: 1 },
  ]);
  const presses = [0x14a, 0x14b, 0x14c].flatMap((code) => reader.feed(report(2, [1, code, 1])));
  expect(presses.map((e) => e.kind === 'button' && e.button)).toEqual(['left', 'right', 'middle']);
});

test('a touchscreen presses where it is touched', () => {
  const screen = device({ keys: [0x14a], abs: { 53: { min: 0, max: 99 }, 54: { min: 0, max: 99 } }, props: [1] });
  const events = readDevice(screen).feed(report(1, [3, 0x35, 99], [3, 0x36, 0], [1, 0x14a, 1]));
  expect(events).toEqual([
    { us: 1, kind: 'at', x: 1, y: 0 },
    { us: 1, kind: 'button', down: true, button: 'left' },
  ]);
});

test('a device that goes (unplugged, asleep) lets go of what is held on it', () => {
  const reader = readDevice(KEYBOARD);
  reader.feed(report(1, [1, 42, 1]));
  reader.feed(report(2, [1, 30, 1]));
  expect(reader.gone(9).map((e) => e.kind === 'key' && [e.code, e.down, e.us])).toEqual([
    ['ShiftLeft', false, 9],
    ['KeyA', false, 9],
  ]);
  expect(reader.gone(10)).toEqual([]);
});

test('dropped events: what is half there is left out, and what is really held is asked', () => {
  const reader = readDevice(KEYBOARD);
  reader.feed(report(1, [1, 30, 1]));
  const bytes = Buffer.concat([evdevRecord(2, [0, 3, 0]), evdevRecord(2, [1, 31, 1]), evdevRecord(2, SYN_REPORT)]);
  expect(reader.feed(bytes)).toEqual([]);
  expect([reader.lost(), reader.lost()]).toEqual([true, false]);
  expect(reader.resync(3, new Set([48])).map((e) => e.kind === 'key' && [e.code, e.down])).toEqual([
    ['KeyA', false],
    ['KeyB', true],
  ]);
});

test('a lid, a power button and a joystick are no input devices', () => {
  expect([KEYBOARD, MOUSE, PAD].map(isInputDevice)).toEqual([true, true, true]);
  expect(isInputDevice(device({ name: 'lid' }))).toBe(false);
  expect(isInputDevice(device({ keys: [0x120, 0x121], abs: { 0: { min: 0, max: 255 } } }))).toBe(false);
});
