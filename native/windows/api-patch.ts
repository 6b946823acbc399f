import koffi from 'koffi';
import type { Handle } from './api-types.ts';

/** WS_EX_TOPMOST, WS_EX_TOOLWINDOW, WS_EX_NOACTIVATE; WS_POPUP, WS_VISIBLE. */
const PATCH_EX_STYLE = 0x08 | 0x80 | 0x08000000;
const PATCH_STYLE = 0x90000000;
/** So many messages at most are taken in one go. */
const MOST_MESSAGES = 200;
const PM_REMOVE = 1;

/** The window of a patch: user32, gdi32, dwmapi. */
export type PatchCalls = {
  /** user32: a bare window above all others that never takes the focus, at physical px. 0n when Windows refuses it. */
  createPatchWindow(at: { x: number; y: number; size: number }): Handle;
  /** gdi32: fills a window with one colour (0xRRGGBB) and, through dwmapi, waits until the compositor has shown it. */
  fillWindow(window: Handle, size: number, rgb: number): boolean;
  /** user32: takes the thread's waiting messages, so that Windows does not think a window of its hangs. */
  pumpMessages(): void;
  /** user32. */
  DestroyWindow(window: Handle): boolean;
};

export function patchCalls(): PatchCalls {
  const user32 = koffi.load('user32.dll');
  const dwmapi = koffi.load('dwmapi.dll');
  const gdi32 = koffi.load('gdi32.dll');
  const handle = 'intptr';

  const PeekMessageW = user32.func('__stdcall', 'PeekMessageW', 'int', [
    'void *',
    handle,
    'uint32',
    'uint32',
    'uint32',
  ]);
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

  return {
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
  };
}
