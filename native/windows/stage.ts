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

/** Windows' functions that only the stage uses. */
function loadCalls() {
  const user32 = koffi.load('user32.dll');
  const handle = 'intptr';
  return {
    CreateWindowExW: user32.func('__stdcall', 'CreateWindowExW', handle, [
      ...['uint32', 'str16', 'str16', 'uint32', 'int', 'int', 'int', 'int'],
      ...[handle, handle, handle, handle],
    ]),
    DestroyWindow: user32.func('__stdcall', 'DestroyWindow', 'int', [handle]),
    SetForegroundWindow: user32.func('__stdcall', 'SetForegroundWindow', 'int', [handle]),
    SetFocus: user32.func('__stdcall', 'SetFocus', handle, [handle]),
    GetFocus: user32.func('__stdcall', 'GetFocus', handle, []),
    SetWindowTextW: user32.func('__stdcall', 'SetWindowTextW', 'int', [handle, 'str16']),
    GetWindowTextW: user32.func('__stdcall', 'GetWindowTextW', 'int', [handle, 'void *', 'int']),
    PeekMessageW: user32.func('__stdcall', 'PeekMessageW', 'int', [
      ...['void *', handle, 'uint32', 'uint32', 'uint32'],
    ]),
    TranslateMessage: user32.func('__stdcall', 'TranslateMessage', 'int', ['void *']),
    DispatchMessageW: user32.func('__stdcall', 'DispatchMessageW', handle, ['void *']),
    SendInput: user32.func('__stdcall', 'SendInput', 'uint32', ['uint32', 'void *', 'int']),
    GetCursorPos: user32.func('__stdcall', 'GetCursorPos', 'int', ['void *']),
    SetCursorPos: user32.func('__stdcall', 'SetCursorPos', 'int', ['int', 'int']),
    GetKeyboardLayoutList: user32.func('__stdcall', 'GetKeyboardLayoutList', 'int', ['int', 'void *']),
    ActivateKeyboardLayout: user32.func('__stdcall', 'ActivateKeyboardLayout', handle, [handle, 'uint32']),
    GetTickCount: koffi.load('kernel32.dll').func('__stdcall', 'GetTickCount', 'uint32', []),
  };
}

/** Our window on Windows. Throws CAPTURE_FAILED when Windows does not give it the keyboard. */
export async function openWindowsStage(rect: Rect): Promise<InputStage> {
  const window = new StageWindow(rect);
  await window.bringToFront();
  return new WindowsStage(window, rect);
}

/** The window with its text field, and the messages that Windows has for them. */
class StageWindow {
  readonly api = loadWindowsApi();
  readonly calls = loadCalls();
  readonly #window: unknown;
  readonly #edit: unknown;
  readonly #message = Buffer.alloc(64);
  /** Where the pointer was before. */
  readonly #place = Buffer.alloc(8);

  constructor({ x, y, width, height }: Rect) {
    const { GetCursorPos, CreateWindowExW } = this.calls;
    GetCursorPos(this.#place);
    const title = 'Trajectory Studio: please touch nothing';
    const window = CreateWindowExW(STAGE_EX_STYLE, 'STATIC', title, STAGE_STYLE, x, y, width, height, 0, 0, 0, 0);
    const [top, wide] = [height - EDIT_HEIGHT, width - 60];
    const edit = CreateWindowExW(0, 'EDIT', '', EDIT_STYLE, 0, top, wide, EDIT_HEIGHT, window, 0, 0, 0);
    if (BigInt(window) === 0n || BigInt(edit) === 0n)
      throw new StudioError('CAPTURE_FAILED', 'Windows gave no window for the known inputs.', {});
    this.#window = window;
    this.#edit = edit;
  }

  async bringToFront(): Promise<void> {
    const { SetForegroundWindow, SetFocus, DestroyWindow } = this.calls;
    const end = performance.now() + WAIT_MS;
    while (!this.isInFront()) {
      if (performance.now() > end) {
        DestroyWindow(this.#window);
        throw new StudioError(
          'CAPTURE_FAILED',
          'Windows did not put our window in front. Click on the terminal, and begin again.',
          {},
        );
      }
      SetForegroundWindow(this.#window);
      SetFocus(this.#edit);
      this.pump();
      await new Promise((done) => setTimeout(done, PUMP_MS));
    }
  }

  isInFront(): boolean {
    if (this.api.GetForegroundWindow() !== BigInt(this.#window as bigint)) return false;
    // A click on the window around it may take the keyboard from the text field.
    if (!this.#hasFocus()) this.calls.SetFocus(this.#edit);
    return this.#hasFocus();
  }

  #hasFocus(): boolean {
    return BigInt(this.calls.GetFocus()) === BigInt(this.#edit as bigint);
  }

  pump(): void {
    const { PeekMessageW, TranslateMessage, DispatchMessageW } = this.calls;
    for (let n = 0; n < 200 && PeekMessageW(this.#message, 0, 0, 0, 1) !== 0; n++) {
      TranslateMessage(this.#message);
      DispatchMessageW(this.#message);
    }
  }

  /** The text typed into the text field since the last question. */
  takeText(): string {
    this.pump();
    const text = Buffer.alloc(TEXT_UNITS * 2);
    const units: number = this.calls.GetWindowTextW(this.#edit, text, TEXT_UNITS);
    this.calls.SetWindowTextW(this.#edit, '');
    return text.toString('utf16le', 0, units * 2).replaceAll('\r\n', '\n');
  }

  /** Gives the pointer its place back. */
  close(): void {
    this.calls.SetCursorPos(this.#place.readInt32LE(0), this.#place.readInt32LE(4));
    this.calls.DestroyWindow(this.#window);
    this.pump();
  }
}

class WindowsStage implements InputStage {
  readonly injection = 'SendInput';
  readonly rect: Rect;
  readonly #window: StageWindow;
  readonly #first: bigint;
  readonly #layouts: readonly bigint[];
  readonly #scans = numbersByCode(WINDOWS_SCANS, windowsScanToCode);
  readonly #timer: NodeJS.Timeout;
  /** The time of what is made in this turn of the loop, as `GetTickCount` counts. */
  #made: number | null = null;

  constructor(window: StageWindow, { x, y, width, height }: Rect) {
    this.#window = window;
    this.rect = { x, y, width, height: height - EDIT_HEIGHT };
    this.#first = window.api.GetKeyboardLayout(0);
    const list = Buffer.alloc(MOST_LAYOUTS * 8);
    const count: number = window.calls.GetKeyboardLayoutList(MOST_LAYOUTS, list);
    const found = Array.from({ length: Math.min(count, MOST_LAYOUTS) }, (_, i) => list.readBigInt64LE(i * 8));
    this.#layouts = found.length > 0 ? found : [this.#first];
    this.#timer = setInterval(() => window.pump(), PUMP_MS);
  }

  layouts(): string[] {
    const { api } = this.#window;
    return this.#layouts.map((hkl) => api.LCIDToLocaleName(Number(hkl & 0xffffn)) || layoutId(hkl));
  }

  takeLayout(index: number): void {
    this.#window.calls.ActivateKeyboardLayout(this.#layouts[index] ?? this.#first, 0);
    this.#window.pump();
  }

  isInFront(): boolean {
    return this.#window.isInFront();
  }

  move(toX: number, toY: number): void {
    const [left, top, wide, high] = VIRTUAL_SCREEN.map((index) => this.#window.api.GetSystemMetrics(index)) as [
      number,
      number,
      number,
      number,
    ];
    // 65,536 parts of the virtual screen; rounded up, they name exactly this pixel.
    this.#mouse(MOVE_ABSOLUTE, 0, Math.ceil(((toX - left) * 65536) / wide), Math.ceil(((toY - top) * 65536) / high));
  }

  button(button: Button, down: boolean): void {
    const flags = BUTTONS[button] ?? BUTTONS.left;
    if (flags) this.#mouse(down ? flags.down : flags.up, flags.data);
  }

  wheel(dx: number, dy: number): void {
    // Windows counts upwards; a notch at a time, as a wheel turns.
    for (let n = Math.abs(dy || dx); n > 0; n--)
      this.#mouse(dy !== 0 ? WHEEL : HORIZONTAL_WHEEL, dy !== 0 ? -Math.sign(dy) * NOTCH : Math.sign(dx) * NOTCH);
  }

  key(code: string, down: boolean): void {
    const scan = this.#scans.get(code);
    if (scan === undefined) return;
    const { api } = this.#window;
    this.#send(KEY_TIME, (input) => {
      // Like a keyboard's driver: the scan code, and the virtual key that it has on this layout. (By the scan code
      // alone Wine's hooks are told of no key.)
      const vk = api.MapVirtualKeyExW(scan, VSC_TO_VK_EX, api.GetKeyboardLayout(0));
      input.writeUInt32LE(INPUT_KEYBOARD, 0);
      input.writeUInt16LE(vk, 8);
      input.writeUInt16LE(scan & 0xff, 10);
      input.writeUInt32LE((scan > 0xff ? EXTENDED : 0) | (down ? 0 : KEY_UP), 12);
    });
  }

  received(): string {
    return this.#window.takeText();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#window.calls.ActivateKeyboardLayout(this.#first, 0);
    this.#window.close();
  }

  #mouse(flags: number, data = 0, dx = 0, dy = 0): void {
    this.#send(MOUSE_TIME, (input) => {
      input.writeUInt32LE(INPUT_MOUSE, 0);
      input.writeInt32LE(dx, 8);
      input.writeInt32LE(dy, 12);
      input.writeInt32LE(data, 16);
      input.writeUInt32LE(flags, 20);
    });
  }

  #send(time: number, fill: (input: Buffer) => void): void {
    const input = Buffer.alloc(INPUT_BYTES);
    fill(input);
    input.writeUInt32LE(this.#madeAt(), time);
    this.#window.calls.SendInput(1, input, INPUT_BYTES);
    this.#window.pump();
  }

  /**
   * Inputs made in one go have one time: Windows hands each input to every hook before it takes the next, which on a busy
   * machine would draw out the clicks of a double click until they are two.
   */
  #madeAt(): number {
    if (this.#made === null) {
      this.#made = Number(this.#window.calls.GetTickCount());
      setImmediate(() => {
        this.#made = null;
      });
    }
    return this.#made;
  }
}
