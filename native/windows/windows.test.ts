import { expect, test } from 'vitest';
import type { Display } from '../../schemas/events.ts';
import { layoutSchema } from '../../schemas/layout.ts';
import { sessionClock } from '../clock/session-clock.ts';
import { uiohookOf } from '../input/keys.ts';
import { fakeApi } from '../platform/fake-api-for-tests.ts';
import type { WindowsApi } from './api.ts';
import type { Handle } from './api-types.ts';
import { dxgiOutput, readDisplays } from './displays.ts';
import { inputSettings, openWindows, openWindowsHost, physicalKey } from './index.ts';
import { foregroundLayout, keyState, layoutId, readLayout, watchKeyboard, windowsCodeOf } from './layout.ts';
import { openWindowsPatch } from './patch.ts';
import { windowsPermissions } from './permissions.ts';
import { windowsOf } from './windows.ts';

const monitors: Record<string, { rect: [number, number, number, number]; flags: number; device: string; dpi: number }> =
  {
    1: { rect: [0, 0, 2560, 1440], flags: 1, device: '\\\\.\\DISPLAY1', dpi: 144 },
    2: { rect: [-1920, -200, 0, 880], flags: 0, device: '\\\\.\\DISPLAY3', dpi: 96 },
    3: { rect: [2560, 0, 4480, 1200], flags: 0, device: '\\\\.\\DISPLAY2', dpi: 120 },
  };
const monitorApi: Partial<WindowsApi> = {
  EnumDisplayMonitors: () => [1n, 2n, 3n],
  GetMonitorInfoW: (monitor) => {
    const { rect, flags, device } = monitors[String(monitor)]!;
    return { rect: { left: rect[0], top: rect[1], right: rect[2], bottom: rect[3] }, flags, device };
  },
  GetDpiForMonitor: (monitor) => {
    const { dpi } = monitors[String(monitor)]!;
    return { x: dpi, y: dpi };
  },
};

test('displays left to right in physical px, with their own scale, negative origins kept', () => {
  const calls: unknown[][] = [];
  const displays = readDisplays(fakeApi<WindowsApi>(monitorApi, calls));
  expect(displays).toEqual([
    { id: 1, name: '\\\\.\\DISPLAY3', x: -1920, y: -200, width: 1920, height: 1080, scale: 1, primary: false },
    { id: 2, name: '\\\\.\\DISPLAY1', x: 0, y: 0, width: 2560, height: 1440, scale: 1.5, primary: true },
    { id: 3, name: '\\\\.\\DISPLAY2', x: 2560, y: 0, width: 1920, height: 1200, scale: 1.25, primary: false },
  ]);
  expect(calls.filter(([name]) => name === 'GetDpiForMonitor')).toEqual([
    ['GetDpiForMonitor', 1n, 0],
    ['GetDpiForMonitor', 2n, 0],
    ['GetDpiForMonitor', 3n, 0],
  ]);
});

test('no display is NO_DISPLAY; a monitor that vanished while listing is left out', () => {
  expect(() => readDisplays(fakeApi<WindowsApi>({ EnumDisplayMonitors: () => [] }))).toThrow(
    expect.objectContaining({ code: 'NO_DISPLAY' }),
  );
  const api = fakeApi<WindowsApi>({
    ...monitorApi,
    GetMonitorInfoW: (m) => (m === 2n ? null : monitorApi.GetMonitorInfoW!(m)),
  });
  expect(readDisplays(api)).toHaveLength(2);
});

test('a failing GetDpiForMonitor counts as 100 %', () => {
  const api = fakeApi<WindowsApi>({ ...monitorApi, GetDpiForMonitor: () => null });
  expect(readDisplays(api).map(({ scale }) => scale)).toEqual([1, 1, 1]);
});

test('DXGI outputs: the primary is 0, the others follow by device number', () => {
  const displays = readDisplays(fakeApi<WindowsApi>(monitorApi));
  expect(displays.map((display) => dxgiOutput(display, displays))).toEqual([2, 0, 1]);
});

test('both ways to open make the process DPI aware before anything else', () => {
  const clock = sessionClock(0n, 0);
  for (const open of [openWindows, openWindowsHost]) {
    const calls: unknown[][] = [];
    open(clock, fakeApi<WindowsApi>({ SetProcessDpiAwarenessContext: () => true }, calls));
    expect(calls).toEqual([['SetProcessDpiAwarenessContext', -4]]);
  }
});

test('the pointer’s place is what GetCursorPos says', () => {
  const aware = { SetProcessDpiAwarenessContext: () => true };
  const at = (place: { x: number; y: number } | null) =>
    openWindows(sessionClock(0n, 0), fakeApi<WindowsApi>({ ...aware, GetCursorPos: () => place })).pointer();
  expect(at({ x: -5, y: 900 })).toEqual({ x: -5, y: 900 });
  expect(at(null)).toBeNull();
});

/** A tiny German layout: Y and Z exchanged, @ on AltGr+Q, dead acute, Enter, keypad. Physical scan -> virtual key. */
const GERMAN: Record<number, number> = { 16: 0x51, 21: 0x5a, 44: 0x59, 13: 0xdd, 28: 0x0d, 83: 0x2e, 79: 0x23 };
const HKL: Handle = 0x04070407n;
function german(calls: unknown[][] = []): WindowsApi {
  return fakeApi<WindowsApi>(
    {
      MapVirtualKeyExW: (code, type) => {
        if (type === 3) return GERMAN[code] ?? 0;
        return Number(Object.entries(GERMAN).find(([, vk]) => vk === code)?.[0] ?? 0);
      },
      ToUnicodeEx: (vk, _scan, state) => {
        const shift = state[0x10] === 0x80;
        const altGr = state[0x11] === 0x80 && state[0x12] === 0x80;
        const upper = shift !== (state[0x14] === 1);
        if (vk === 0xdd) return altGr ? { result: 0, text: '' } : { result: -1, text: shift ? '`' : '\u00b4' };
        if (vk === 0x0d) return { result: 1, text: '\r' };
        if (vk === 0x6e) return { result: 1, text: ',' };
        if (vk === 0x61) return { result: 1, text: '1' };
        if (vk < 0x41 || vk > 0x5a) return { result: 0, text: '' };
        if (altGr) return vk === 0x51 ? { result: 1, text: '@' } : { result: 0, text: '' };
        const letter = String.fromCharCode(vk);
        return { result: 1, text: upper ? letter : letter.toLowerCase() };
      },
      LCIDToLocaleName: () => 'de-DE',
      GetForegroundWindow: () => 0x50n,
      GetWindowThreadProcessId: () => ({ thread: 77, pid: 9 }),
      GetKeyboardLayout: () => HKL,
      GetKeyState: (vk) => (vk === 0x14 ? 1 : 0),
      PeekMessageW: () => {},
    },
    calls,
  );
}

test('ToUnicodeEx becomes a layout: letters, AltGr, dead keys, the keypad, no control characters', () => {
  const layout = readLayout(german(), HKL);
  expect(layoutSchema.parse(layout)).toEqual(layout);
  expect(layout).toMatchObject({ id: '00000407', name: 'de-DE', source: 'ToUnicodeEx', altGr: true });
  expect(layout.keys.KeyY?.chars).toEqual(['z', 'Z', null, null, 'Z', 'z', null, null]);
  expect(layout.keys.KeyQ?.chars).toEqual(['q', 'Q', '@', '@', 'Q', 'q', '@', '@']);
  expect(layout.keys.Equal?.chars.slice(0, 3)).toEqual([
    { dead: '\u0301', alone: '\u00b4' },
    { dead: '\u0300', alone: '`' },
    null,
  ]);
  expect(layout.keys.Enter).toBeUndefined();
  expect(layout.keys.NumpadDecimal).toEqual({ chars: Array(8).fill(null), num: ',' });
  expect(layout.keys.Numpad1).toEqual({ chars: Array(8).fill(null), num: '1' });
});

test('each key is asked in all eight states with flag 4, so that the user’s dead key is not swallowed', () => {
  const calls: unknown[][] = [];
  readLayout(german(calls), HKL);
  const asked = calls.filter(([name, vk]) => name === 'ToUnicodeEx' && vk === 0x51);
  expect(asked).toEqual(Array.from({ length: 8 }, (_, state) => ['ToUnicodeEx', 0x51, 0x10, keyState(state), 4, HKL]));
});

test('the key states: Shift, AltGr as Control and Alt, CapsLock toggled', () => {
  const down = (state: number): number[][] => [...keyState(state).entries()].filter(([, value]) => value !== 0);
  expect(down(0)).toEqual([]);
  expect(down(1)).toEqual([[0x10, 0x80]]);
  expect(down(2)).toEqual([
    [0x11, 0x80],
    [0x12, 0x80],
  ]);
  expect(down(4)).toEqual([[0x14, 1]]);
});

test('layout ids', () => {
  expect(layoutId(0x04090409n)).toBe('00000409');
  // A substitute layout: the handle comes sign-extended.
  expect(layoutId(BigInt.asIntN(64, 0xfffffffff0020409n))).toBe('f0020409');
});

test('the layout is the foreground window’s thread’s; without one, the caller’s', () => {
  const calls: unknown[][] = [];
  foregroundLayout(german(calls));
  expect(calls).toEqual([['GetForegroundWindow'], ['GetWindowThreadProcessId', 0x50n], ['GetKeyboardLayout', 77]]);
  const none: unknown[][] = [];
  foregroundLayout(fakeApi<WindowsApi>({ GetForegroundWindow: () => 0n, GetKeyboardLayout: () => HKL }, none));
  expect(none).toEqual([['GetForegroundWindow'], ['GetKeyboardLayout', 0]]);
});

test('the watch reads locks, and changes when the foreground layout does', () => {
  let hkl = HKL;
  const watch = watchKeyboard(
    new Proxy(german(), {
      get: (api, name: keyof WindowsApi) => (name === 'GetKeyboardLayout' ? () => hkl : api[name]),
    }),
  );
  expect(watch.changed()).toBe(true);
  expect(watch.read().locks).toEqual({ caps: true, num: false });
  expect(watch.changed()).toBe(false);
  hkl = 0x04090409n;
  expect(watch.changed()).toBe(true);
});

test('a failing call gives the US layout and says so', () => {
  expect(watchKeyboard(fakeApi<WindowsApi>({})).read().layout.source).toBe('us-fallback');
  expect(watchKeyboard(fakeApi<WindowsApi>({})).changed()).toBe(false);
});

test('uiohook’s key is brought back to the physical key: VC_Z on a German layout is right of T', () => {
  const calls: unknown[][] = [];
  const api = german(calls);
  expect(windowsCodeOf(api, uiohookOf('KeyZ')!, HKL)).toBe('KeyY');
  expect(windowsCodeOf(api, uiohookOf('KeyY')!, HKL)).toBe('KeyZ');
  expect(calls).toEqual([
    ['MapVirtualKeyExW', 0x5a, 4, HKL],
    ['MapVirtualKeyExW', 0x59, 4, HKL],
  ]);
});

test('keys that do not move are not asked for; a key that the layout lacks keeps its name', () => {
  const api = fakeApi<WindowsApi>({ MapVirtualKeyExW: () => 0 });
  expect(windowsCodeOf(fakeApi<WindowsApi>({}), uiohookOf('ArrowLeft')!, HKL)).toBe('ArrowLeft');
  expect(windowsCodeOf(fakeApi<WindowsApi>({}), 0xee4f, HKL)).toBe('Numpad1');
  expect(windowsCodeOf(fakeApi<WindowsApi>({}), 0, HKL)).toBeNull();
  expect(windowsCodeOf(api, uiohookOf('KeyZ')!, HKL)).toBe('KeyZ');
});

test('key events carry the physical key; pointer events pass', () => {
  const key = { type: 'keydown', time: 1, mods: 0, code: 'KeyZ', hookCode: uiohookOf('KeyZ')! } as const;
  expect(physicalKey(german(), key, null)).toEqual({ ...key, code: 'KeyY' });
  const move = { type: 'move', time: 1, x: 3, y: 4, mods: 0 } as const;
  expect(physicalKey(fakeApi<WindowsApi>({}), move, null)).toBe(move);
});

test('input settings', () => {
  const calls: unknown[][] = [];
  const api = fakeApi<WindowsApi>({ GetDoubleClickTime: () => 500, GetSystemMetrics: () => 4 }, calls);
  expect(inputSettings(api)).toEqual({ doubleClickMs: 500, dragThresholdPx: 4 });
  expect(calls).toEqual([['GetDoubleClickTime'], ['GetSystemMetrics', 68]]);
});

test('event times go through the running minimum and survive GetTickCount’s wrap', () => {
  const host = openWindowsHost(
    { ...sessionClock(0n, 0), now: () => now },
    fakeApi<WindowsApi>({ SetProcessDpiAwarenessContext: () => true }),
  );
  let now = 1_000_000;
  const first = host.eventTime(2 ** 32 - 8);
  now = 1_400_000;
  // Delivered 390 ms late. 20 µs: what 0.4 s allow for clocks that drift (50 ppm).
  expect(host.eventTime(2) - first).toBe(10_000 + 20);
});

test('the capture process ends at once, and waits for no thread', () => {
  const calls: unknown[][] = [];
  const api = fakeApi<WindowsApi>(
    { SetProcessDpiAwarenessContext: () => true, TerminateProcess: () => undefined },
    calls,
  );
  openWindowsHost(sessionClock(0n, 0), api).exit(3);
  expect(calls.at(-1)).toEqual(['TerminateProcess', 3]);
});

test('a pointer pushed past an edge stays on the display', () => {
  const host = openWindowsHost(sessionClock(0n, 0), fakeApi<WindowsApi>({ SetProcessDpiAwarenessContext: () => true }));
  const displays: Display[] = [{ id: 1, name: 'a', x: 0, y: 0, width: 100, height: 50, scale: 1, primary: true }];
  expect(host.toPhysical(-3, 60, displays)).toEqual({ x: 0, y: 49 });
  expect(host.toPhysical(99, 0, displays)).toEqual({ x: 99, y: 0 });
});

test('what Windows may hide is told: elevated windows, remote sessions, DPI', () => {
  const api = (admin: boolean, remote: number, aware: boolean): WindowsApi =>
    fakeApi<WindowsApi>({
      IsUserAnAdmin: () => admin,
      GetSystemMetrics: (index) => (index === 0x1000 ? remote : -1),
      GetThreadDpiAwarenessContext: () => 34n,
      GetAwarenessFromDpiAwarenessContext: (context) => (context === 34n && aware ? 2 : 1),
    });
  const granted = (checked: WindowsApi): unknown[] => windowsPermissions(checked).map((check) => check.granted);
  expect(granted(api(true, 0, true))).toEqual([true, true, true]);
  expect(granted(api(false, 1, false))).toEqual(['unknown', 'unknown', false]);
});

test('the patch: a window that is painted between two readings of the clock, and is gone when closed', async () => {
  let now = 100;
  const calls: unknown[][] = [];
  const api = fakeApi<WindowsApi>(
    {
      createPatchWindow: () => 7n,
      pumpMessages: () => {},
      fillWindow: () => {
        now += 30;
        return true;
      },
      DestroyWindow: () => true,
    },
    calls,
  );
  const patch = openWindowsPatch(api, { ...sessionClock(0n, 0), now: () => now }, { x: -40, y: 7, size: 24 });
  expect(await patch.paint(0x102030)).toEqual({ before: 100, after: 130 });
  await patch.close();
  await patch.close();
  expect(calls.filter(([name]) => name !== 'pumpMessages')).toEqual([
    ['createPatchWindow', { x: -40, y: 7, size: 24 }],
    ['fillWindow', 7n, 24, 0x102030],
    ['DestroyWindow', 7n],
  ]);
  await expect(patch.paint(1)).rejects.toMatchObject({ code: 'SYNC_FAILED' });
});

test('a patch window that Windows refuses, or does not paint, is SYNC_FAILED', async () => {
  const at = { x: 0, y: 0, size: 8 };
  const clock = sessionClock(0n, 0);
  expect(() => openWindowsPatch(fakeApi<WindowsApi>({ createPatchWindow: () => 0n }), clock, at)).toThrow(
    expect.objectContaining({ code: 'SYNC_FAILED' }),
  );
  const unpainted = fakeApi<WindowsApi>({
    createPatchWindow: () => 7n,
    pumpMessages: () => {},
    fillWindow: () => false,
  });
  await expect(openWindowsPatch(unpainted, clock, at).paint(1)).rejects.toMatchObject({ code: 'SYNC_FAILED' });
});

type FakeWindow = { title: string; pid: number; at: [number, number, number, number] } & Partial<
  Record<'hidden' | 'cloaked' | 'minimized', true>
> & { style?: number; className?: string; content?: bigint; frame?: [number, number, number, number] };
const OPEN: Record<string, FakeWindow> = {
  16: { title: 'Untitled - Notepad', pid: 5, at: [-7, 0, 407, 307], frame: [0, 0, 400, 300] },
  17: { title: 'Behind', pid: 6, at: [50, 60, 70, 90], minimized: true },
  18: { title: 'Calculator', pid: 7, at: [1, 2, 3, 4], className: 'ApplicationFrameWindow', content: 19n },
  19: { title: 'Calculator', pid: 8, at: [0, 0, 1, 1], hidden: true },
  20: { title: 'Elsewhere', pid: 5, at: [0, 0, 9, 9], cloaked: true },
  21: { title: 'Palette', pid: 5, at: [0, 0, 9, 9], style: 0x80 },
  22: { title: '', pid: 5, at: [0, 0, 9, 9] },
};
function desktop(foreground: bigint): WindowsApi {
  const of = (window: Handle): FakeWindow => OPEN[String(window)]!;
  const rect = ([left, top, right, bottom]: [number, number, number, number]) => ({ left, top, right, bottom });
  return fakeApi<WindowsApi>({
    EnumWindows: () => Object.keys(OPEN).map(BigInt),
    GetForegroundWindow: () => foreground,
    IsWindowVisible: (window) => !of(window).hidden,
    isCloaked: (window) => of(window).cloaked ?? false,
    IsIconic: (window) => of(window).minimized ?? false,
    GetWindowLongW: (window) => of(window).style ?? 0,
    GetWindowTextW: (window) => of(window).title,
    GetClassNameW: (window) => of(window).className ?? 'Notepad',
    FindWindowExW: (window) => of(window).content ?? 0n,
    GetWindowThreadProcessId: (window) => ({ thread: 1, pid: OPEN[String(window)]?.pid ?? 0 }),
    GetWindowRect: (window) => rect(of(window).at),
    frameBounds: (window) => (of(window).frame ? rect(of(window).frame!) : null),
    processPath: (pid) => (pid === 6 ? '' : `C:\\Programs\\tool${pid}.EXE`),
    fileDescription: (path) => (path.includes('tool5') ? 'Notepad' : ''),
  });
}

test('windows that a person sees, without shadows; a store app is its own program, not the frame’s', () => {
  expect(windowsOf(desktop(0n)).windows()).toEqual([
    {
      id: '0x10',
      title: 'Untitled - Notepad',
      app: 'Notepad',
      pid: 5,
      bounds: { x: 0, y: 0, width: 400, height: 300 },
    },
    { id: '0x11', title: 'Behind', app: '', pid: 6, bounds: null },
    { id: '0x12', title: 'Calculator', app: 'tool8', pid: 8, bounds: { x: 1, y: 2, width: 2, height: 2 } },
  ]);
});

test('the window in front, with or without a title; none when Windows names none or it is gone', () => {
  expect(windowsOf(desktop(22n)).activeWindow()).toMatchObject({ id: '0x16', title: '', app: 'Notepad' });
  expect(windowsOf(desktop(0n)).activeWindow()).toBeNull();
  expect(windowsOf(desktop(99n)).activeWindow()).toBeNull();
});
