import koffi from 'koffi';

/**
 * The Windows calls of this adapter, one function each with its documented arguments, so that tests can put a table of
 * their own in its place. `loadWindowsApi` is the only code here that needs Windows; it has not been run on this project's
 * test machines.
 */
export type Handle = bigint;
type WinRect = { left: number; top: number; right: number; bottom: number };

export type WindowsApi = {
  /** user32. -4: DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2. */
  SetProcessDpiAwarenessContext(context: number): boolean;
  /** user32: the calling thread's awareness. */
  GetThreadDpiAwarenessContext(): Handle;
  /** user32. */
  AreDpiAwarenessContextsEqual(a: Handle, b: Handle): boolean;
  /** user32: every display monitor's handle. */
  EnumDisplayMonitors(): Handle[];
  /** user32: rcMonitor, dwFlags (1: primary) and szDevice (`\\.\DISPLAY1`). */
  GetMonitorInfoW(monitor: Handle): { rect: WinRect; flags: number; device: string } | null;
  /** shcore. type 0: MDT_EFFECTIVE_DPI. Null when the call fails. */
  GetDpiForMonitor(monitor: Handle, type: number): { x: number; y: number } | null;
  /** user32; 0n when no window has the foreground. */
  GetForegroundWindow(): Handle;
  /** user32: the id of the thread that made the window. */
  GetWindowThreadProcessId(window: Handle): number;
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
  /** user32: makes this thread take in what happened to the keys, without removing a message (flags 0: PM_NOREMOVE). */
  PeekMessageW(flags: number): void;
  /** user32, ms. */
  GetDoubleClickTime(): number;
  /** user32. 68: SM_CXDRAG, 0x1000: SM_REMOTESESSION. */
  GetSystemMetrics(index: number): number;
  /** kernel32: `de-DE` of 0x0407; '' when unknown. */
  LCIDToLocaleName(locale: number): string;
  /** shell32: this process runs elevated. */
  IsUserAnAdmin(): boolean;
};

/** Longest text that one key makes, UTF-16 units. */
const TEXT_UNITS = 16;

export function loadWindowsApi(): WindowsApi {
  const user32 = koffi.load('user32.dll');
  const shcore = koffi.load('shcore.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const shell32 = koffi.load('shell32.dll');
  const Rect = koffi.struct({ left: 'int32', top: 'int32', right: 'int32', bottom: 'int32' });
  const MonitorInfo = koffi.struct({
    cbSize: 'uint32',
    rcMonitor: Rect,
    rcWork: Rect,
    dwFlags: 'uint32',
    szDevice: koffi.array('char16', 32, 'String'),
  });
  const MonitorProc = koffi.proto('__stdcall', null, 'int', ['intptr', 'intptr', 'void *', 'intptr']);
  const handle = 'intptr';

  const SetProcessDpiAwarenessContext = user32.func('__stdcall', 'SetProcessDpiAwarenessContext', 'int', [handle]);
  const GetThreadDpiAwarenessContext = user32.func('__stdcall', 'GetThreadDpiAwarenessContext', handle, []);
  const AreDpiAwarenessContextsEqual = user32.func('__stdcall', 'AreDpiAwarenessContextsEqual', 'int', [
    handle,
    handle,
  ]);
  const EnumDisplayMonitors = user32.func('__stdcall', 'EnumDisplayMonitors', 'int', [
    handle,
    'void *',
    koffi.pointer(MonitorProc),
    handle,
  ]);
  const GetMonitorInfoW = user32.func('__stdcall', 'GetMonitorInfoW', 'int', [
    handle,
    koffi.inout(koffi.pointer(MonitorInfo)),
  ]);
  const GetDpiForMonitor = shcore.func('__stdcall', 'GetDpiForMonitor', 'int32', [
    handle,
    'int',
    koffi.out(koffi.pointer('uint32')),
    koffi.out(koffi.pointer('uint32')),
  ]);
  const GetForegroundWindow = user32.func('__stdcall', 'GetForegroundWindow', handle, []);
  const GetWindowThreadProcessId = user32.func('__stdcall', 'GetWindowThreadProcessId', 'uint32', [handle, 'void *']);
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
  const PeekMessageW = user32.func('__stdcall', 'PeekMessageW', 'int', [
    'void *',
    handle,
    'uint32',
    'uint32',
    'uint32',
  ]);
  const GetDoubleClickTime = user32.func('__stdcall', 'GetDoubleClickTime', 'uint32', []);
  const GetSystemMetrics = user32.func('__stdcall', 'GetSystemMetrics', 'int', ['int']);
  const LCIDToLocaleName = kernel32.func('__stdcall', 'LCIDToLocaleName', 'int', ['uint32', 'void *', 'int', 'uint32']);
  const IsUserAnAdmin = shell32.func('__stdcall', 'IsUserAnAdmin', 'int', []);

  return {
    SetProcessDpiAwarenessContext: (context) => SetProcessDpiAwarenessContext(context) !== 0,
    GetThreadDpiAwarenessContext: () => BigInt(GetThreadDpiAwarenessContext()),
    AreDpiAwarenessContextsEqual: (a, b) => AreDpiAwarenessContextsEqual(a, b) !== 0,
    EnumDisplayMonitors: () => {
      const found: Handle[] = [];
      EnumDisplayMonitors(
        0,
        null,
        (monitor: number | bigint) => {
          found.push(BigInt(monitor));
          return 1;
        },
        0,
      );
      return found;
    },
    GetMonitorInfoW: (monitor) => {
      const info = { cbSize: koffi.sizeof(MonitorInfo), rcMonitor: {}, rcWork: {}, dwFlags: 0, szDevice: '' };
      if (GetMonitorInfoW(monitor, info) === 0) return null;
      // Filled in by the call, as the struct says.
      return { rect: info.rcMonitor as WinRect, flags: info.dwFlags, device: info.szDevice };
    },
    GetDpiForMonitor: (monitor, type) => {
      const x = [0];
      const y = [0];
      return GetDpiForMonitor(monitor, type, x, y) === 0 ? { x: x[0]!, y: y[0]! } : null;
    },
    GetForegroundWindow: () => BigInt(GetForegroundWindow()),
    GetWindowThreadProcessId: (window) => GetWindowThreadProcessId(window, null),
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
    PeekMessageW: (flags) => void PeekMessageW(Buffer.alloc(64), 0, 0, 0, flags),
    GetDoubleClickTime: () => GetDoubleClickTime(),
    GetSystemMetrics: (index) => GetSystemMetrics(index),
    LCIDToLocaleName: (locale) => {
      const name = Buffer.alloc(85 * 2);
      const units: number = LCIDToLocaleName(locale, name, 85, 0);
      return units > 0 ? name.toString('utf16le', 0, (units - 1) * 2) : '';
    },
    IsUserAnAdmin: () => IsUserAnAdmin() !== 0,
  };
}
