import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { Button, Rect } from '../../schemas/events.ts';
import { WINDOWS_SCANS, windowsScanToCode } from '../input/keys.ts';
import { type InputStage, numbersByCode } from '../platform/stage.ts';
import { loadWindowsApi } from './api.ts';
import { layoutId } from './layout.ts';

/** WS_EX_TOPMOST, WS_EX_TOOLWINDOW; WS_POPUP, WS_VISIBLE, SS_NOTIFY (takes the mouse). */
const [STAGE_EX_STYLE, STAGE_STYLE] = [0x08 | 0x80, 0x90000100];
/** WS_CHILD, WS_VISIBLE, ES_MULTILINE, ES_AUTOVSCROLL: a text field as in any program. */
const EDIT_STYLE = 0x50000044;
const EDIT_HEIGHT = 60;
const [INPUT_BYTES, INPUT_MOUSE, INPUT_KEYBOARD] = [40, 0, 1];
/** Where the time of each stands. */
const [MOUSE_TIME, KEY_TIME] = [24, 16];
/** MOUSEEVENTF_MOVE, _VIRTUALDESK, _ABSOLUTE. */
const MOVE_ABSOLUTE = 0x0001 | 0x4000 | 0x8000;
const [WHEEL, HORIZONTAL_WHEEL, NOTCH] = [0x0800, 0x1000, 120];
const BUTTONS: Record<string, { down: number; up: number; data: number }> = {
  left: { down: 0x0002, up: 0x0004, data: 0 },
  right: { down: 0x0008, up: 0x0010, data: 0 },
  middle: { down: 0x0020, up: 0x0040, data: 0 },
};
const [EXTENDED, KEY_UP] = [1, 2];
const VSC_TO_VK_EX = 3;
/** SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN. */
const VIRTUAL_SCREEN = [76, 77, 78, 79] as const;
const MOST_LAYOUTS = 16;
const TEXT_UNITS = 4096;
const PUMP_MS = 10;
const WAIT_MS = 3000;

/** Our window on Windows. Throws CAPTURE_FAILED when Windows does not give it the keyboard. */
export async function openWindowsStage(rect: Rect): Promise<InputStage> {
  const api = loadWindowsApi();
  const user32 = koffi.load('user32.dll');
  const handle = 'intptr';
  const CreateWindowExW = user32.func('__stdcall', 'CreateWindowExW', handle, [
    ...['uint32', 'str16', 'str16', 'uint32', 'int', 'int', 'int', 'int'],
    ...[handle, handle, handle, handle],
  ]);
  const DestroyWindow = user32.func('__stdcall', 'DestroyWindow', 'int', [handle]);
  const SetForegroundWindow = user32.func('__stdcall', 'SetForegroundWindow', 'int', [handle]);
  const SetFocus = user32.func('__stdcall', 'SetFocus', handle, [handle]);
  const GetFocus = user32.func('__stdcall', 'GetFocus', handle, []);
  const SetWindowTextW = user32.func('__stdcall', 'SetWindowTextW', 'int', [handle, 'str16']);
  const GetWindowTextW = user32.func('__stdcall', 'GetWindowTextW', 'int', [handle, 'void *', 'int']);
  const PeekMessageW = user32.func('__stdcall', 'PeekMessageW', 'int', [
    ...['void *', handle, 'uint32', 'uint32', 'uint32'],
  ]);
  const TranslateMessage = user32.func('__stdcall', 'TranslateMessage', 'int', ['void *']);
  const DispatchMessageW = user32.func('__stdcall', 'DispatchMessageW', handle, ['void *']);
  const SendInput = user32.func('__stdcall', 'SendInput', 'uint32', ['uint32', 'void *', 'int']);
  const GetCursorPos = user32.func('__stdcall', 'GetCursorPos', 'int', ['void *']);
  const SetCursorPos = user32.func('__stdcall', 'SetCursorPos', 'int', ['int', 'int']);
  const GetKeyboardLayoutList = user32.func('__stdcall', 'GetKeyboardLayoutList', 'int', ['int', 'void *']);
  const ActivateKeyboardLayout = user32.func('__stdcall', 'ActivateKeyboardLayout', handle, [handle, 'uint32']);

  const first = api.GetKeyboardLayout(0);
  const list = Buffer.alloc(MOST_LAYOUTS * 8);
  const count: number = GetKeyboardLayoutList(MOST_LAYOUTS, list);
  const found = Array.from({ length: Math.min(count, MOST_LAYOUTS) }, (_, i) => list.readBigInt64LE(i * 8));
  const layouts = found.length > 0 ? found : [first];
  const place = Buffer.alloc(8);
  GetCursorPos(place);
  const { x, y, width, height } = rect;
  const title = 'Trajectory Studio: please touch nothing';
  const window = CreateWindowExW(STAGE_EX_STYLE, 'STATIC', title, STAGE_STYLE, x, y, width, height, 0, 0, 0, 0);
  const edit = CreateWindowExW(
    0,
    'EDIT',
    '',
    EDIT_STYLE,
    0,
    height - EDIT_HEIGHT,
    width - 60,
    EDIT_HEIGHT,
    window,
    0,
    0,
    0,
  );
  if (BigInt(window) === 0n || BigInt(edit) === 0n)
    throw new StudioError('CAPTURE_FAILED', 'Windows gave no window for the known inputs.', {});
  const message = Buffer.alloc(64);
  const pump = (): void => {
    for (let n = 0; n < 200 && PeekMessageW(message, 0, 0, 0, 1) !== 0; n++) {
      TranslateMessage(message);
      DispatchMessageW(message);
    }
  };
  const hasFocus = (): boolean => BigInt(GetFocus()) === BigInt(edit);
  const isInFront = (): boolean => {
    if (api.GetForegroundWindow() !== BigInt(window)) return false;
    // A click on the window around it may take the keyboard from the text field.
    if (!hasFocus()) SetFocus(edit);
    return hasFocus();
  };
  const end = performance.now() + WAIT_MS;
  while (!isInFront()) {
    if (performance.now() > end) {
      DestroyWindow(window);
      throw new StudioError(
        'CAPTURE_FAILED',
        'Windows did not put our window in front. Click on the terminal, and begin again.',
        {},
      );
    }
    SetForegroundWindow(window);
    SetFocus(edit);
    pump();
    await new Promise((done) => setTimeout(done, PUMP_MS));
  }
  const timer = setInterval(pump, PUMP_MS);
  const scans = numbersByCode(WINDOWS_SCANS, windowsScanToCode);
  const GetTickCount = koffi.load('kernel32.dll').func('__stdcall', 'GetTickCount', 'uint32', []);
  // What is made in one go has one time: Windows hands each input to every hook before it takes the next, which on a busy
  // machine would draw out the clicks of a double click until they are two.
  let made: number | null = null;
  const madeAt = (): number => {
    if (made === null) {
      made = Number(GetTickCount());
      setImmediate(() => {
        made = null;
      });
    }
    return made;
  };
  const send = (time: number, fill: (input: Buffer) => void): void => {
    const input = Buffer.alloc(INPUT_BYTES);
    fill(input);
    input.writeUInt32LE(madeAt(), time);
    SendInput(1, input, INPUT_BYTES);
    pump();
  };
  const mouse = (flags: number, data = 0, dx = 0, dy = 0): void =>
    send(MOUSE_TIME, (input) => {
      input.writeUInt32LE(INPUT_MOUSE, 0);
      input.writeInt32LE(dx, 8);
      input.writeInt32LE(dy, 12);
      input.writeInt32LE(data, 16);
      input.writeUInt32LE(flags, 20);
    });
  return {
    injection: 'SendInput',
    rect: { x, y, width, height: height - EDIT_HEIGHT },
    layouts: () => layouts.map((hkl) => api.LCIDToLocaleName(Number(hkl & 0xffffn)) || layoutId(hkl)),
    takeLayout(index) {
      ActivateKeyboardLayout(layouts[index] ?? first, 0);
      pump();
    },
    isInFront,
    move(toX, toY) {
      const [left, top, wide, high] = VIRTUAL_SCREEN.map((index) => api.GetSystemMetrics(index)) as [
        number,
        number,
        number,
        number,
      ];
      // 65,536 parts of the virtual screen; rounded up, they name exactly this pixel.
      mouse(MOVE_ABSOLUTE, 0, Math.ceil(((toX - left) * 65536) / wide), Math.ceil(((toY - top) * 65536) / high));
    },
    button(button: Button, down) {
      const flags = BUTTONS[button] ?? BUTTONS.left;
      if (flags) mouse(down ? flags.down : flags.up, flags.data);
    },
    wheel(dx, dy) {
      // Windows counts upwards; a notch at a time, as a wheel turns.
      for (let n = Math.abs(dy || dx); n > 0; n--)
        mouse(dy !== 0 ? WHEEL : HORIZONTAL_WHEEL, dy !== 0 ? -Math.sign(dy) * NOTCH : Math.sign(dx) * NOTCH);
    },
    key(code, down) {
      const scan = scans.get(code);
      if (scan === undefined) return;
      send(KEY_TIME, (input) => {
        // As a keyboard's driver does it: the scan code, and the virtual key that it has on this layout. (By the scan code
        // alone Wine's hooks are told of no key.)
        const vk = api.MapVirtualKeyExW(scan, VSC_TO_VK_EX, api.GetKeyboardLayout(0));
        input.writeUInt32LE(INPUT_KEYBOARD, 0);
        input.writeUInt16LE(vk, 8);
        input.writeUInt16LE(scan & 0xff, 10);
        input.writeUInt32LE((scan > 0xff ? EXTENDED : 0) | (down ? 0 : KEY_UP), 12);
      });
    },
    received() {
      pump();
      const text = Buffer.alloc(TEXT_UNITS * 2);
      const units: number = GetWindowTextW(edit, text, TEXT_UNITS);
      SetWindowTextW(edit, '');
      return text.toString('utf16le', 0, units * 2).replaceAll('\r\n', '\n');
    },
    close() {
      clearInterval(timer);
      ActivateKeyboardLayout(first, 0);
      SetCursorPos(place.readInt32LE(0), place.readInt32LE(4));
      DestroyWindow(window);
      pump();
    },
  };
}
