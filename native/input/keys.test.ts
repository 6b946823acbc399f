import { UiohookKey } from 'uiohook-napi';
import { expect, test } from 'vitest';
import {
  codeOf,
  MAC_KEYS,
  macKeyToCode,
  uiohookOf,
  WINDOWS_SCANS,
  windowsScanToCode,
  X_KEYCODES,
  xKeycodeToCode,
} from './keys.ts';

/** uiohook-napi's names for keys whose W3C code is called otherwise. */
const W3C: Record<string, string> = {
  Ctrl: 'ControlLeft',
  CtrlRight: 'ControlRight',
  Alt: 'AltLeft',
  Shift: 'ShiftLeft',
  Meta: 'MetaLeft',
  NumpadEnd: 'Numpad1',
  NumpadArrowDown: 'Numpad2',
  NumpadPageDown: 'Numpad3',
  NumpadArrowLeft: 'Numpad4',
  NumpadArrowRight: 'Numpad6',
  NumpadHome: 'Numpad7',
  NumpadArrowUp: 'Numpad8',
  NumpadPageUp: 'Numpad9',
  NumpadInsert: 'Numpad0',
  NumpadDelete: 'NumpadDecimal',
};

test('every key that uiohook-napi names has its W3C code', () => {
  for (const [name, number] of Object.entries(UiohookKey)) {
    const expected = W3C[name] ?? (/^\d$/.test(name) ? `Digit${name}` : /^[A-Z]$/.test(name) ? `Key${name}` : name);
    expect([name, codeOf(number)]).toEqual([name, expected]);
  }
});

test('keys that only the C header defines', () => {
  const header: [number, string][] = [
    [0x0e46, 'IntlBackslash'],
    [0x0e0d, 'NumpadEqual'],
    [0x0e5d, 'ContextMenu'],
    [0x0e45, 'Pause'],
    [0x7d, 'IntlYen'],
    [0x73, 'IntlRo'],
    [0x7e, 'NumpadComma'],
    [0xe04c, 'Numpad5'],
    [0xee4c, 'Numpad5'],
    [0xe022, 'MediaPlayPause'],
    [0xe020, 'AudioVolumeMute'],
    [0xe06a, 'BrowserBack'],
    [0xff7a, 'Undo'],
  ];
  for (const [number, code] of header) expect(codeOf(number)).toBe(code);
});

test('0 and numbers that name no key give null', () => {
  expect(codeOf(0)).toBeNull();
  expect(codeOf(0xffff)).toBeNull();
  expect(xKeycodeToCode(8)).toBeNull();
});

test('code to uiohook number and back is the same code', () => {
  for (const keycode of X_KEYCODES) {
    const code = xKeycodeToCode(keycode)!;
    const number = uiohookOf(code);
    if (number !== null) expect(codeOf(number)).toBe(code);
  }
});

test('X11 keycodes that uiohook does not know', () => {
  expect(xKeycodeToCode(94)).toBe('IntlBackslash');
  expect(xKeycodeToCode(97)).toBe('IntlRo');
  expect(xKeycodeToCode(100)).toBe('Convert');
  expect(xKeycodeToCode(101)).toBe('KanaMode');
  expect(xKeycodeToCode(102)).toBe('NonConvert');
  expect(xKeycodeToCode(129)).toBe('NumpadComma');
  expect(xKeycodeToCode(132)).toBe('IntlYen');
  expect(xKeycodeToCode(202)).toBe('F24');
  expect(xKeycodeToCode(172)).toBe('MediaPlayPause');
});

test('the same physical key has one code on all systems', () => {
  // KeyZ: Linux KEY_Z 44 + 8, scan 0x2C, kVK_ANSI_Z 6.
  expect([xKeycodeToCode(52), windowsScanToCode(0x2c), macKeyToCode(6)]).toEqual(['KeyZ', 'KeyZ', 'KeyZ']);
  expect([xKeycodeToCode(105), windowsScanToCode(0xe01d), macKeyToCode(0x3e)]).toEqual(Array(3).fill('ControlRight'));
});

test('the X11 writing block is the scan code block moved by 8', () => {
  for (const keycode of X_KEYCODES.filter((key) => key < 92)) {
    const scan = keycode - 8;
    const code = xKeycodeToCode(keycode);
    // 0x45 is NumLock on the wire; Windows tells it from Pause by the extended bit.
    if (scan !== 0x45) expect([keycode, windowsScanToCode(scan)]).toEqual([keycode, code]);
  }
});

test('no number names two keys and no key of one system has two numbers, but for known doubles', () => {
  expect(new Set(MAC_KEYS.map(macKeyToCode)).size).toBe(MAC_KEYS.length);
  const doubles = WINDOWS_SCANS.length - new Set(WINDOWS_SCANS.map(windowsScanToCode)).size;
  // Pause twice more, PrintScreen, Lang1, Lang2.
  expect(doubles).toBe(5);
});
