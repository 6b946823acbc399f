import koffi from 'koffi';
import type { Handle } from './api-types.ts';

const WINEVENT_OUTOFCONTEXT = 0;
const WM_NULL = 0;
const SMTO_ABORTIFHUNG = 2;
/** GUITHREADINFO: its size, flags, then the handles that are active, have the focus, and more. */
const THREAD_INFO_BYTES = 72;

/** Which window lies where, has the keyboard, and answers: user32. */
export type FocusCalls = {
  /** user32, for the calling thread. -4: DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2. */
  SetThreadDpiAwarenessContext(context: number): void;
  /** user32: the innermost window at a place, physical px; 0n when there is none. */
  WindowFromPoint(x: number, y: number): Handle;
  /** user32: the window that all others lie in. */
  GetDesktopWindow(): Handle;
  /** user32. flags 1: GA_PARENT, 2: GA_ROOT. */
  GetAncestor(window: Handle, flags: number): Handle;
  /** user32, GetGUIThreadInfo of the thread in front: the window, and the part of it, that has the keyboard. Asks no program. */
  keyboardWindow(): { active: Handle; focus: Handle } | null;
  /** user32, SendMessageTimeoutW with a message that means nothing: the window's thread takes messages within this time. */
  answers(window: Handle, ms: number): boolean;
  /** user32, SetWinEventHook from `least` to `most`; `heard` is called while messages are taken. Null where it failed. */
  watchEvents(least: number, most: number, heard: () => void): (() => void) | null;
};

export function focusCalls(): FocusCalls {
  const user32 = koffi.load('user32.dll');
  const handle = 'intptr';
  const Place = koffi.struct({ x: 'int32', y: 'int32' });
  const Heard = koffi.proto('__stdcall', null, 'void', [
    ...[handle, 'uint32', handle, 'int32', 'int32', 'uint32', 'uint32'],
  ]);
  const SetThreadDpiAwarenessContext = user32.func('__stdcall', 'SetThreadDpiAwarenessContext', handle, [handle]);
  const WindowFromPoint = user32.func('__stdcall', 'WindowFromPoint', handle, [Place]);
  const GetAncestor = user32.func('__stdcall', 'GetAncestor', handle, [handle, 'uint32']);
  const GetDesktopWindow = user32.func('__stdcall', 'GetDesktopWindow', handle, []);
  const GetGUIThreadInfo = user32.func('__stdcall', 'GetGUIThreadInfo', 'int', ['uint32', 'void *']);
  const SendMessageTimeoutW = user32.func('__stdcall', 'SendMessageTimeoutW', handle, [
    ...[handle, 'uint32', handle, handle, 'uint32', 'uint32', 'void *'],
  ]);
  const SetWinEventHook = user32.func('__stdcall', 'SetWinEventHook', handle, [
    ...['uint32', 'uint32', handle],
    koffi.pointer(Heard),
    ...['uint32', 'uint32', 'uint32'],
  ]);
  const UnhookWinEvent = user32.func('__stdcall', 'UnhookWinEvent', 'int', [handle]);

  return {
    SetThreadDpiAwarenessContext: (context) => void SetThreadDpiAwarenessContext(context),
    WindowFromPoint: (x, y) => BigInt(WindowFromPoint({ x, y })),
    GetAncestor: (window, flags) => BigInt(GetAncestor(window, flags)),
    GetDesktopWindow: () => BigInt(GetDesktopWindow()),
    keyboardWindow: () => {
      const info = Buffer.alloc(THREAD_INFO_BYTES);
      info.writeUInt32LE(THREAD_INFO_BYTES);
      if (GetGUIThreadInfo(0, info) === 0) return null;
      return { active: info.readBigUInt64LE(8), focus: info.readBigUInt64LE(16) };
    },
    answers: (window, ms) =>
      BigInt(SendMessageTimeoutW(window, WM_NULL, 0, 0, SMTO_ABORTIFHUNG, ms, Buffer.alloc(8))) !== 0n,
    watchEvents: (least, most, heard) => {
      const callback = koffi.register(() => heard(), koffi.pointer(Heard));
      const hook = BigInt(SetWinEventHook(least, most, 0, callback, 0, 0, WINEVENT_OUTOFCONTEXT));
      if (hook === 0n) {
        koffi.unregister(callback);
        return null;
      }
      return () => {
        UnhookWinEvent(hook);
        koffi.unregister(callback);
      };
    },
  };
}
