import koffi from 'koffi';
import type { Handle } from './api-types.ts';

/** Longest text that one key makes, UTF-16 units. */
const TEXT_UNITS = 16;

/** Keyboard and pointer: user32, kernel32. */
export type WindowsInputCalls = {
  /** user32: the layout (HKL) of a thread; 0: of the caller. */
  GetKeyboardLayout(thread: number): Handle;
  /** user32. type 3: MAPVK_VSC_TO_VK_EX, 4: MAPVK_VK_TO_VSC_EX. */
  MapVirtualKeyExW(code: number, type: number, layout: Handle): number;
  /** user32. `state` has 256 bytes. flags 4: do not change the keyboard state (Windows 10 1607 and later). */
  ToUnicodeEx(
    vk: number,
    scan: number,
    state: Uint8Array,
    flags: number,
    layout: Handle,
  ): { result: number; text: string };
  /** user32: low bit set when a lock key is on. */
  GetKeyState(vk: number): number;
  /** user32: high bit set while a key is held, whichever thread has the keyboard. */
  GetAsyncKeyState(vk: number): number;
  /** kernel32: ms since the start, 32 bits; the clock of a hook's events. */
  GetTickCount(): number;
  /** user32: makes this thread take in what happened to the keys, without removing a message (flags 0: PM_NOREMOVE). */
  PeekMessageW(flags: number): void;
  /** user32, ms. */
  GetDoubleClickTime(): number;
  /** user32: physical px in a process that knows of scaling; null when the desktop is not ours to ask (locked). */
  GetCursorPos(): { x: number; y: number } | null;
  /** kernel32: `de-DE` of 0x0407; '' when unknown. */
  LCIDToLocaleName(locale: number): string;
};

export function inputCalls(): WindowsInputCalls {
  const user32 = koffi.load('user32.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const handle = 'intptr';

  const GetKeyboardLayout = user32.func('__stdcall', 'GetKeyboardLayout', handle, ['uint32']);
  const MapVirtualKeyExW = user32.func('__stdcall', 'MapVirtualKeyExW', 'uint32', ['uint32', 'uint32', handle]);
  const ToUnicodeEx = user32.func('__stdcall', 'ToUnicodeEx', 'int', [
    'uint32',
    'uint32',
    'uint8 *',
    'void *',
    'int',
    'uint32',
    handle,
  ]);
  const GetKeyState = user32.func('__stdcall', 'GetKeyState', 'int16', ['int']);
  const GetAsyncKeyState = user32.func('__stdcall', 'GetAsyncKeyState', 'int16', ['int']);
  const GetTickCount = kernel32.func('__stdcall', 'GetTickCount', 'uint32', []);
  const PeekMessageW = user32.func('__stdcall', 'PeekMessageW', 'int', [
    'void *',
    handle,
    'uint32',
    'uint32',
    'uint32',
  ]);
  const GetDoubleClickTime = user32.func('__stdcall', 'GetDoubleClickTime', 'uint32', []);
  const GetCursorPos = user32.func('__stdcall', 'GetCursorPos', 'int', ['void *']);
  const LCIDToLocaleName = kernel32.func('__stdcall', 'LCIDToLocaleName', 'int', ['uint32', 'void *', 'int', 'uint32']);

  return {
    GetKeyboardLayout: (thread) => BigInt(GetKeyboardLayout(thread)),
    MapVirtualKeyExW: (code, type, layout) => MapVirtualKeyExW(code, type, layout),
    ToUnicodeEx: (vk, scan, state, flags, layout) => {
      const text = Buffer.alloc(TEXT_UNITS * 2);
      const result: number = ToUnicodeEx(vk, scan, state, text, TEXT_UNITS, flags, layout);
      // A dead key (negative) leaves its spacing form, one unit.
      const units = result < 0 ? 1 : Math.min(result, TEXT_UNITS);
      return { result, text: text.toString('utf16le', 0, units * 2) };
    },
    GetKeyState: (vk) => GetKeyState(vk),
    GetAsyncKeyState: (vk) => GetAsyncKeyState(vk),
    GetTickCount: () => GetTickCount(),
    PeekMessageW: (flags) => void PeekMessageW(Buffer.alloc(64), 0, 0, 0, flags),
    GetDoubleClickTime: () => GetDoubleClickTime(),
    GetCursorPos: () => {
      const place = Buffer.alloc(8);
      return GetCursorPos(place) === 0 ? null : { x: place.readInt32LE(0), y: place.readInt32LE(4) };
    },
    LCIDToLocaleName: (locale) => {
      const name = Buffer.alloc(85 * 2);
      const units: number = LCIDToLocaleName(locale, name, 85, 0);
      return units > 0 ? name.toString('utf16le', 0, (units - 1) * 2) : '';
    },
  };
}
