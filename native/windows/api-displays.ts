import koffi from 'koffi';
import type { Handle, WinRect } from './api-types.ts';

/** Displays and their scaling: user32, shcore. */
export type DisplayCalls = {
  /** user32. -4: DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2. */
  SetProcessDpiAwarenessContext(context: number): boolean;
  /** user32: the calling thread's awareness. */
  GetThreadDpiAwarenessContext(): Handle;
  /** user32. 0: unaware, 1: system, 2: per monitor (version 1 or 2). */
  GetAwarenessFromDpiAwarenessContext(context: Handle): number;
  /** user32: every display monitor's handle. */
  EnumDisplayMonitors(): Handle[];
  /** user32: rcMonitor, dwFlags (1: primary) and szDevice (`\\.\DISPLAY1`). */
  GetMonitorInfoW(monitor: Handle): { rect: WinRect; flags: number; device: string } | null;
  /** shcore. type 0: MDT_EFFECTIVE_DPI. Null when the call fails. */
  GetDpiForMonitor(monitor: Handle, type: number): { x: number; y: number } | null;
  /** user32. 68: SM_CXDRAG, 0x1000: SM_REMOTESESSION. */
  GetSystemMetrics(index: number): number;
};

export function displayCalls(): DisplayCalls {
  const user32 = koffi.load('user32.dll');
  const shcore = koffi.load('shcore.dll');
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
  const GetAwarenessFromDpiAwarenessContext = user32.func('__stdcall', 'GetAwarenessFromDpiAwarenessContext', 'int', [
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
  const GetSystemMetrics = user32.func('__stdcall', 'GetSystemMetrics', 'int', ['int']);

  return {
    SetProcessDpiAwarenessContext: (context) => SetProcessDpiAwarenessContext(context) !== 0,
    GetThreadDpiAwarenessContext: () => BigInt(GetThreadDpiAwarenessContext()),
    GetAwarenessFromDpiAwarenessContext: (context) => GetAwarenessFromDpiAwarenessContext(context),
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
    GetSystemMetrics: (index) => GetSystemMetrics(index),
  };
}
