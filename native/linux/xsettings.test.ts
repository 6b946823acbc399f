import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputSettingsOf, parseXSettings, readXSettings } from './xsettings.ts';
import { startXvfb, type TestServer } from './xvfb-for-tests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startXvfb();
});
afterAll(() => server.close());

type Setting = { name: string; type: number; value: number[] };

/** `_XSETTINGS_SETTINGS` bytes, little endian, by the specification. */
function bytesOf(...settings: Setting[]): Uint8Array {
  const out = [0, 0, 0, 0, 9, 0, 0, 0, settings.length, 0, 0, 0];
  for (const { name, type, value } of settings) {
    out.push(type, 0, name.length, 0, ...Buffer.from(name));
    while (out.length % 4 !== 0) out.push(0);
    out.push(1, 0, 0, 0, ...value);
    while (out.length % 4 !== 0) out.push(0);
  }
  return Uint8Array.from(out);
}

const DOUBLE_CLICK = { name: 'Net/DoubleClickTime', type: 0, value: [0x90, 0x01, 0, 0] };
const THRESHOLD = { name: 'Net/DndDragThreshold', type: 0, value: [8, 0, 0, 0] };
const THEME = { name: 'Net/ThemeName', type: 1, value: [5, 0, 0, 0, ...Buffer.from('Adwai')] };
const COLOUR = { name: 'Net/Bg', type: 2, value: [1, 0, 2, 0, 3, 0, 4, 0] };

test('integers, strings and colours', () => {
  const settings = parseXSettings(bytesOf(THEME, COLOUR, DOUBLE_CLICK));
  expect(settings.get('Net/ThemeName')).toBe('Adwai');
  // On the wire red, blue, green, alpha.
  expect(settings.get('Net/Bg')).toEqual([1, 3, 2, 4]);
  expect(settings.get('Net/DoubleClickTime')).toBe(400);
});

test('big-endian settings', () => {
  const bytes = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 19, ...Buffer.from('Net/DoubleClickTime'), 0];
  expect(parseXSettings(Uint8Array.from([...bytes, 0, 0, 0, 1, 0, 0, 1, 0xf4])).get('Net/DoubleClickTime')).toBe(500);
});

test('the input settings are those two, and absent when the desktop does not say', () => {
  expect(inputSettingsOf(parseXSettings(bytesOf(THEME, DOUBLE_CLICK, THRESHOLD)))).toEqual({
    doubleClickMs: 400,
    dragThresholdPx: 8,
  });
  expect(inputSettingsOf(parseXSettings(bytesOf(THEME)))).toEqual({});
});

test('truncated bytes keep what was whole and throw nothing', () => {
  const whole = bytesOf(THRESHOLD, DOUBLE_CLICK);
  for (let length = 0; length < whole.length; length++) {
    const settings = parseXSettings(whole.subarray(0, length));
    expect(settings.has('Net/DoubleClickTime')).toBe(false);
  }
  expect(parseXSettings(whole.subarray(0, whole.length - 1)).get('Net/DndDragThreshold')).toBe(8);
});

test('a server without a settings manager says nothing', () => {
  expect(readXSettings(server.name)).toEqual({});
  expect(readXSettings(':6399')).toEqual({});
});
