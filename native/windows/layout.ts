import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { markOf } from '../input/dead-keys.ts';
import { codeOf, uiohookOf, WINDOWS_SCANS, windowsScanToCode } from '../input/keys.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import type { WindowsApi } from './api.ts';
import type { Handle } from './api-types.ts';
import { DOWN, KEEP_STATE, TOGGLED, VK } from './virtual-keys.ts';

const VSC_TO_VK_EX = 3;
const VK_TO_VSC_EX = 4;

/** The 256 key states of a layout state (shift 1, altGr 2, caps 4). AltGr is Control and Alt together. */
export function keyState(state: number): Uint8Array {
  const keys = new Uint8Array(256);
  if (state & 1) keys[VK.shift] = DOWN;
  if (state & 2) {
    keys[VK.control] = DOWN;
    keys[VK.menu] = DOWN;
  }
  if (state & 4) keys[VK.capital] = TOGGLED;
  return keys;
}

/** The character of a key in a state, from ToUnicodeEx's answer: a negative result is a dead key, control characters are none. */
function keyChar(answer: { result: number; text: string }): KeyChar {
  const { result, text } = answer;
  if (result < 0) return text === '' ? null : { dead: markOf(text), alone: text };
  if (result === 0 || text === '') return null;
  return /^[^\u0000-\u001f\u007f]+$/.test(text) ? text : null;
}

/** The layout `hkl` (I2): for every named key the character in each of the eight states, through ToUnicodeEx. */
export function readLayout(api: WindowsApi, hkl: Handle): KeyboardLayout {
  const keys: KeyboardLayout['keys'] = {};
  const states = Array.from({ length: 8 }, (_, state) => keyState(state));
  const none = states[0]!;
  let altGr = false;
  for (const scan of WINDOWS_SCANS) {
    const code = windowsScanToCode(scan);
    const vk = api.MapVirtualKeyExW(scan, VSC_TO_VK_EX, hkl);
    if (code === null || keys[code] !== undefined) continue;
    const chars = states.map((state) => (vk === 0 ? null : keyChar(api.ToUnicodeEx(vk, scan, state, KEEP_STATE, hkl))));
    const numVk = numpadVk(code);
    const num = numVk === null ? null : keyChar(api.ToUnicodeEx(numVk, scan, none, KEEP_STATE, hkl));
    if (chars.every((char) => char === null) && num === null) continue;
    altGr ||= chars[2] !== null || chars[3] !== null;
    keys[code] = typeof num === 'string' ? { chars, num } : { chars };
  }
  return {
    id: layoutId(hkl),
    name: api.LCIDToLocaleName(languageOf(hkl)) || layoutId(hkl),
    source: 'ToUnicodeEx',
    altGr,
    keys,
  };
}

/** The keypad's virtual key while NumLock is on. */
function numpadVk(code: string): number | null {
  if (code === 'NumpadDecimal') return VK.decimal;
  const digit = /^Numpad(\d)$/.exec(code)?.[1];
  return digit === undefined ? null : VK.numpad0 + Number(digit);
}

const languageOf = (hkl: Handle): number => Number(hkl & 0xffffn);

/** A layout handle as its eight hex digits: `00000407` where language and device agree (a language's own layout). */
export function layoutId(hkl: Handle): string {
  const low = hkl & 0xffffn;
  const high = (hkl >> 16n) & 0xffffn;
  const id = high === low ? low : (high << 16n) | low;
  return id.toString(16).padStart(8, '0');
}

/** The layout of the window that has the keyboard. */
export function foregroundLayout(api: WindowsApi): Handle {
  const window = api.GetForegroundWindow();
  return api.GetKeyboardLayout(window === 0n ? 0 : api.GetWindowThreadProcessId(window).thread);
}

/** Watches the foreground window's layout: each window may have its own. Never throws (I2). */
export function watchKeyboard(api: WindowsApi): KeyboardWatch {
  let last: Handle | null = null;
  return {
    read: () => {
      try {
        last = foregroundLayout(api);
        // A thread's view of the lock keys follows its messages: let it catch up.
        api.PeekMessageW(0);
        const on = (vk: number): boolean => (api.GetKeyState(vk) & TOGGLED) !== 0;
        return { layout: readLayout(api, last), locks: { caps: on(VK.capital), num: on(VK.numLock) } };
      } catch {
        return { layout: usLayout(), locks: { caps: false, num: false } };
      }
    },
    changed: () => {
      try {
        return foregroundLayout(api) !== last;
      } catch {
        return false;
      }
    },
    close: () => {},
  };
}

/**
 * Keys whose virtual key moves with the layout, as uiohook number -> virtual key (libuiohook windows/input_helper.c).
 * uiohook looks the virtual key up, so on a German layout the key right of T arrives as VC_Z.
 */
const MOVING: ReadonlyMap<number, number> = new Map([
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [uiohookOf(`Key${letter}`)!, letter.charCodeAt(0)] as const),
  ...[...'0123456789'].map((digit) => [uiohookOf(`Digit${digit}`)!, digit.charCodeAt(0)] as const),
  [uiohookOf('Semicolon')!, 0xba],
  [uiohookOf('Equal')!, 0xbb],
  [uiohookOf('Comma')!, 0xbc],
  [uiohookOf('Minus')!, 0xbd],
  [uiohookOf('Period')!, 0xbe],
  [uiohookOf('Slash')!, 0xbf],
  [uiohookOf('Backquote')!, 0xc0],
  [uiohookOf('BracketLeft')!, 0xdb],
  [uiohookOf('Backslash')!, 0xdc],
  [uiohookOf('BracketRight')!, 0xdd],
  [uiohookOf('Quote')!, 0xde],
  // VK_OEM_8.
  [uiohookOf('IntlYen')!, 0xdf],
  [uiohookOf('IntlBackslash')!, 0xe2],
  // VK_KANA, VK_KANJI.
  [uiohookOf('KanaMode')!, 0x15],
  [uiohookOf('Convert')!, 0x19],
]);

/** The virtual key and the scan code of a key event; 0 for none. `digits`: the keypad makes digits now. */
export function virtualKeyOf(
  api: Pick<WindowsApi, 'MapVirtualKeyExW'>,
  { hookCode, code, hkl, digits }: { hookCode: number; code: string | null; hkl: Handle; digits: boolean },
): { vk: number; scan: number } {
  const moving = MOVING.get(hookCode);
  if (moving !== undefined) return { vk: moving, scan: api.MapVirtualKeyExW(moving, VK_TO_VSC_EX, hkl) };
  const scan = WINDOWS_SCANS.find((one) => code !== null && windowsScanToCode(one) === code) ?? 0;
  if (scan === 0) return { vk: 0, scan };
  return { vk: (digits && code && numpadVk(code)) || api.MapVirtualKeyExW(scan, VSC_TO_VK_EX, hkl), scan };
}

/** A uiohook keycode on Windows as the physical key's KeyboardEvent.code under the layout `hkl`; null: no such key. */
export function windowsCodeOf(api: Pick<WindowsApi, 'MapVirtualKeyExW'>, hookCode: number, hkl: Handle): string | null {
  const vk = MOVING.get(hookCode);
  if (vk === undefined) return codeOf(hookCode);
  const scan = api.MapVirtualKeyExW(vk, VK_TO_VSC_EX, hkl);
  return (scan === 0 ? null : windowsScanToCode(scan)) ?? codeOf(hookCode);
}
