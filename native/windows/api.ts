import koffi from 'koffi';

/**
 * The Windows calls of this adapter, one function each with its documented arguments, so that tests can put a table of
 * their own in its place. `loadWindowsApi` is the only code here that needs Windows; test/windows runs it under Wine.
 */
export type Handle = bigint;
export type WinRect = { left: number; top: number; right: number; bottom: number };

export type WindowsApi = {
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
  /** kernel32, QueryFullProcessImageNameW: the program's file; '' when Windows does not say. */
  processPath(pid: number): string;
  /** version.dll: a program's FileDescription ("Notepad", "Google Chrome"); '' when the file has none. */
  fileDescription(path: string): string;
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
  /** user32: physical px in a process that knows of scaling; null when the desktop is not ours to ask (locked). */
  GetCursorPos(): { x: number; y: number } | null;
  /** kernel32: `de-DE` of 0x0407; '' when unknown. */
  LCIDToLocaleName(locale: number): string;
  /** user32: a bare window above all others that never takes the focus, at physical px. 0n when Windows refuses it. */
  createPatchWindow(at: { x: number; y: number; size: number }): Handle;
  /** gdi32: fills a window with one colour (0xRRGGBB) and, through dwmapi, waits until the compositor has shown it. */
  fillWindow(window: Handle, size: number, rgb: number): boolean;
  /** user32: takes the thread's waiting messages, so that Windows does not think a window of its hangs. */
  pumpMessages(): void;
  /** user32. */
  DestroyWindow(window: Handle): boolean;
  /** kernel32: this process ends now. */
  TerminateProcess(status: number): void;
  /** shell32: this process runs elevated. */
  IsUserAnAdmin(): boolean;
};

/** Longest text that one key makes, UTF-16 units. */
const TEXT_UNITS = 16;
/** Longest window title and class name that are read, and longest path of a program, UTF-16 units. */
const TITLE_UNITS = 1024;
const PATH_UNITS = 32768;
const DWMWA_EXTENDED_FRAME_BOUNDS = 9;
const DWMWA_CLOAKED = 14;
/** WS_EX_TOPMOST, WS_EX_TOOLWINDOW, WS_EX_NOACTIVATE; WS_POPUP, WS_VISIBLE. */
const PATCH_EX_STYLE = 0x08 | 0x80 | 0x08000000;
const PATCH_STYLE = 0x90000000;
/** So many messages at most are taken in one go. */
const MOST_MESSAGES = 200;
const PM_REMOVE = 1;
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;

let loaded: WindowsApi | null = null;

/** Loaded once a thread: koffi refuses a second declaration of a function whose arguments are types of its own. */
export function loadWindowsApi(): WindowsApi {
  loaded ??= load();
  return loaded;
}

function load(): WindowsApi {
  const user32 = koffi.load('user32.dll');
  const shcore = koffi.load('shcore.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const shell32 = koffi.load('shell32.dll');
  const dwmapi = koffi.load('dwmapi.dll');
  const version = koffi.load('version.dll');
  const gdi32 = koffi.load('gdi32.dll');
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
  const OpenProcess = kernel32.func('__stdcall', 'OpenProcess', handle, ['uint32', 'int', 'uint32']);
  const CloseHandle = kernel32.func('__stdcall', 'CloseHandle', 'int', [handle]);
  const QueryFullProcessImageNameW = kernel32.func('__stdcall', 'QueryFullProcessImageNameW', 'int', [
    handle,
    'uint32',
    'void *',
    koffi.inout(koffi.pointer('uint32')),
  ]);
  const GetFileVersionInfoSizeW = version.func('__stdcall', 'GetFileVersionInfoSizeW', 'uint32', ['str16', 'void *']);
  const GetFileVersionInfoW = version.func('__stdcall', 'GetFileVersionInfoW', 'int', [
    'str16',
    'uint32',
    'uint32',
    'void *',
  ]);
  const VerQueryValueW = version.func('__stdcall', 'VerQueryValueW', 'int', [
    'void *',
    'str16',
    koffi.out(koffi.pointer('void *')),
    koffi.out(koffi.pointer('uint32')),
  ]);
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
  const GetCursorPos = user32.func('__stdcall', 'GetCursorPos', 'int', ['void *']);
  const GetSystemMetrics = user32.func('__stdcall', 'GetSystemMetrics', 'int', ['int']);
  const LCIDToLocaleName = kernel32.func('__stdcall', 'LCIDToLocaleName', 'int', ['uint32', 'void *', 'int', 'uint32']);
  const CreateWindowExW = user32.func('__stdcall', 'CreateWindowExW', handle, [
    ...['uint32', 'str16', 'str16', 'uint32', 'int', 'int', 'int', 'int'],
    ...[handle, handle, handle, handle],
  ]);
  const DisableProcessWindowsGhosting = user32.func('__stdcall', 'DisableProcessWindowsGhosting', 'void', []);
  const DestroyWindow = user32.func('__stdcall', 'DestroyWindow', 'int', [handle]);
  const DispatchMessageW = user32.func('__stdcall', 'DispatchMessageW', handle, ['void *']);
  const GetDC = user32.func('__stdcall', 'GetDC', handle, [handle]);
  const ReleaseDC = user32.func('__stdcall', 'ReleaseDC', 'int', [handle, handle]);
  const FillRect = user32.func('__stdcall', 'FillRect', 'int', [handle, 'void *', handle]);
  const CreateSolidBrush = gdi32.func('__stdcall', 'CreateSolidBrush', handle, ['uint32']);
  const DeleteObject = gdi32.func('__stdcall', 'DeleteObject', 'int', [handle]);
  const GdiFlush = gdi32.func('__stdcall', 'GdiFlush', 'int', []);
  const DwmFlush = dwmapi.func('__stdcall', 'DwmFlush', 'int32', []);
  const GetCurrentProcess = kernel32.func('__stdcall', 'GetCurrentProcess', handle, []);
  const TerminateProcess = kernel32.func('__stdcall', 'TerminateProcess', 'int', [handle, 'uint32']);
  const IsUserAnAdmin = shell32.func('__stdcall', 'IsUserAnAdmin', 'int', []);

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
    processPath: (pid) => {
      const opened = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid);
      if (BigInt(opened) === 0n) return '';
      try {
        return wideText(PATH_UNITS, (text, units) => {
          const size = [units];
          return QueryFullProcessImageNameW(opened, 0, text, size) === 0 ? 0 : size[0]!;
        });
      } finally {
        CloseHandle(opened);
      }
    },
    fileDescription: (path) => {
      const size: number = GetFileVersionInfoSizeW(path, null);
      if (size === 0) return '';
      const info = Buffer.alloc(size);
      if (GetFileVersionInfoW(path, 0, size, info) === 0) return '';
      const ask = (name: string): { at: unknown; length: number } | null => {
        const at: unknown[] = [null];
        const length = [0];
        return VerQueryValueW(info, name, at, length) === 0 ? null : { at: at[0], length: length[0]! };
      };
      const languages = ask('\\VarFileInfo\\Translation');
      if (!languages || languages.length < 4) return '';
      const [language, codePage]: number[] = koffi.decode(languages.at, koffi.array('uint16', 2));
      const hex = (value = 0): string => value.toString(16).padStart(4, '0');
      const found = ask(`\\StringFileInfo\\${hex(language)}${hex(codePage)}\\FileDescription`);
      return found && found.length > 0
        ? String(koffi.decode(found.at, 'char16', found.length)).replace(/\0.*$/s, '')
        : '';
    },
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
    GetCursorPos: () => {
      const place = Buffer.alloc(8);
      return GetCursorPos(place) === 0 ? null : { x: place.readInt32LE(0), y: place.readInt32LE(4) };
    },
    GetSystemMetrics: (index) => GetSystemMetrics(index),
    LCIDToLocaleName: (locale) => {
      const name = Buffer.alloc(85 * 2);
      const units: number = LCIDToLocaleName(locale, name, 85, 0);
      return units > 0 ? name.toString('utf16le', 0, (units - 1) * 2) : '';
    },
    createPatchWindow: ({ x, y, size }) => {
      DisableProcessWindowsGhosting();
      // STATIC is a class of the system's own, so none has to be registered.
      const window = CreateWindowExW(PATCH_EX_STYLE, 'STATIC', '', PATCH_STYLE, x, y, size, size, 0, 0, 0, 0);
      return BigInt(window);
    },
    fillWindow: (window, size, rgb) => {
      const area = Buffer.alloc(16);
      area.writeInt32LE(size, 8);
      area.writeInt32LE(size, 12);
      const context = GetDC(window);
      // A COLORREF is 0x00BBGGRR.
      const brush = CreateSolidBrush(((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16));
      const filled = FillRect(context, area, brush) !== 0;
      DeleteObject(brush);
      ReleaseDC(window, context);
      GdiFlush();
      // An error says that there is no compositor: the picture is on the screen then.
      DwmFlush();
      return filled;
    },
    pumpMessages: () => {
      const message = Buffer.alloc(64);
      for (let n = 0; n < MOST_MESSAGES && PeekMessageW(message, 0, 0, 0, PM_REMOVE) !== 0; n++)
        DispatchMessageW(message);
    },
    DestroyWindow: (window) => DestroyWindow(window) !== 0,
    TerminateProcess: (status) => void TerminateProcess(GetCurrentProcess(), status),
    IsUserAnAdmin: () => IsUserAnAdmin() !== 0,
  };
}

/** A text that Windows writes into a buffer of so many UTF-16 units; `ask` gives how many it wrote. */
function wideText(units: number, ask: (text: Buffer, units: number) => number): string {
  const text = Buffer.alloc(units * 2);
  return text.toString('utf16le', 0, Math.max(0, ask(text, units)) * 2);
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
