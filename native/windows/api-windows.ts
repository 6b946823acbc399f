import koffi from 'koffi';
import type { Handle, WinRect } from './api-types.ts';
import { wideText } from './wide-text.ts';

/** Longest window title and class name that are read, UTF-16 units. */
const TITLE_UNITS = 1024;
const DWMWA_EXTENDED_FRAME_BOUNDS = 9;
const DWMWA_CLOAKED = 14;

/** Windows of all programs: user32, dwmapi. */
export type WindowCalls = {
  /** user32; 0n when no window has the foreground. */
  GetForegroundWindow(): Handle;
  /** user32: every top-level window, the topmost first. */
  EnumWindows(): Handle[];
  /** user32. */
  IsWindowVisible(window: Handle): boolean;
  /** user32: minimized. */
  IsIconic(window: Handle): boolean;
  /** user32: the title; '' when there is none. */
  GetWindowTextW(window: Handle): string;
  /** user32. */
  GetClassNameW(window: Handle): string;
  /** user32. index -20: GWL_EXSTYLE. */
  GetWindowLongW(window: Handle, index: number): number;
  /** user32: with the invisible borders that Windows 10 draws shadows in. */
  GetWindowRect(window: Handle): WinRect | null;
  /** dwmapi, DWMWA_EXTENDED_FRAME_BOUNDS: the window as it is seen, physical px. Null where the compositor does not say. */
  frameBounds(window: Handle): WinRect | null;
  /** dwmapi, DWMWA_CLOAKED: on another virtual desktop, or a suspended app. */
  isCloaked(window: Handle): boolean;
  /** user32: the first child window of a class; 0n when there is none. */
  FindWindowExW(parent: Handle, className: string): Handle;
  /** user32: thread and process that made the window; zeros when it is gone. */
  GetWindowThreadProcessId(window: Handle): { thread: number; pid: number };
};

export function windowCalls(): WindowCalls {
  const user32 = koffi.load('user32.dll');
  const dwmapi = koffi.load('dwmapi.dll');
  const handle = 'intptr';

  const GetForegroundWindow = user32.func('__stdcall', 'GetForegroundWindow', handle, []);
  const WindowProc = koffi.proto('__stdcall', null, 'int', ['intptr', 'intptr']);
  const EnumWindows = user32.func('__stdcall', 'EnumWindows', 'int', [koffi.pointer(WindowProc), handle]);
  const IsWindowVisible = user32.func('__stdcall', 'IsWindowVisible', 'int', [handle]);
  const IsIconic = user32.func('__stdcall', 'IsIconic', 'int', [handle]);
  const GetWindowTextW = user32.func('__stdcall', 'GetWindowTextW', 'int', [handle, 'void *', 'int']);
  const GetClassNameW = user32.func('__stdcall', 'GetClassNameW', 'int', [handle, 'void *', 'int']);
  const GetWindowLongW = user32.func('__stdcall', 'GetWindowLongW', 'int32', [handle, 'int']);
  const GetWindowRect = user32.func('__stdcall', 'GetWindowRect', 'int', [handle, 'void *']);
  const FindWindowExW = user32.func('__stdcall', 'FindWindowExW', handle, [handle, handle, 'str16', 'str16']);
  const GetWindowThreadProcessId = user32.func('__stdcall', 'GetWindowThreadProcessId', 'uint32', [handle, 'void *']);
  const DwmGetWindowAttribute = dwmapi.func('__stdcall', 'DwmGetWindowAttribute', 'int32', [
    handle,
    'uint32',
    'void *',
    'uint32',
  ]);

  return {
    GetForegroundWindow: () => BigInt(GetForegroundWindow()),
    EnumWindows: () => {
      const found: Handle[] = [];
      EnumWindows((window: number | bigint) => {
        found.push(BigInt(window));
        return 1;
      }, 0);
      return found;
    },
    IsWindowVisible: (window) => IsWindowVisible(window) !== 0,
    IsIconic: (window) => IsIconic(window) !== 0,
    GetWindowTextW: (window) => wideText(TITLE_UNITS, (text, units) => GetWindowTextW(window, text, units)),
    GetClassNameW: (window) => wideText(TITLE_UNITS, (text, units) => GetClassNameW(window, text, units)),
    GetWindowLongW: (window, index) => GetWindowLongW(window, index),
    GetWindowRect: (window) => {
      const bytes = Buffer.alloc(16);
      return GetWindowRect(window, bytes) === 0 ? null : winRect(bytes);
    },
    frameBounds: (window) => {
      const bytes = Buffer.alloc(16);
      const failed = DwmGetWindowAttribute(window, DWMWA_EXTENDED_FRAME_BOUNDS, bytes, bytes.length) !== 0;
      return failed ? null : winRect(bytes);
    },
    isCloaked: (window) => {
      const bytes = Buffer.alloc(4);
      return DwmGetWindowAttribute(window, DWMWA_CLOAKED, bytes, bytes.length) === 0 && bytes.readUInt32LE() !== 0;
    },
    FindWindowExW: (parent, className) => BigInt(FindWindowExW(parent, 0, className, null)),
    GetWindowThreadProcessId: (window) => {
      const bytes = Buffer.alloc(4);
      const thread = GetWindowThreadProcessId(window, bytes);
      return { thread, pid: bytes.readUInt32LE() };
    },
  };
}

function winRect(bytes: Buffer): WinRect {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { left, top, right, bottom };
}
