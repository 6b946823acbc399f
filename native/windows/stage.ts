import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { Button, Rect } from '../../schemas/events.ts';
import type { InputStage } from '../platform/stage.ts';
import { loadWindowsApi } from './api.ts';
import { layoutId } from './layout.ts';
import { type SentInputs, sendInputs } from './send-input.ts';

/** WS_EX_TOPMOST, WS_EX_TOOLWINDOW; WS_POPUP, WS_VISIBLE, SS_NOTIFY (takes the mouse). */
const [STAGE_EX_STYLE, STAGE_STYLE] = [0x08 | 0x80, 0x90000100];
/** WS_CHILD, WS_VISIBLE, ES_MULTILINE, ES_AUTOVSCROLL: a text field as in any program. */
const EDIT_STYLE = 0x50000044;
const EDIT_HEIGHT = 60;
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
    GetCursorPos: user32.func('__stdcall', 'GetCursorPos', 'int', ['void *']),
    SetCursorPos: user32.func('__stdcall', 'SetCursorPos', 'int', ['int', 'int']),
    GetKeyboardLayoutList: user32.func('__stdcall', 'GetKeyboardLayoutList', 'int', ['int', 'void *']),
    ActivateKeyboardLayout: user32.func('__stdcall', 'ActivateKeyboardLayout', handle, [handle, 'uint32']),
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
  readonly #inputs: SentInputs;
  readonly #timer: NodeJS.Timeout;

  constructor(window: StageWindow, { x, y, width, height }: Rect) {
    this.#window = window;
    this.rect = { x, y, width, height: height - EDIT_HEIGHT };
    this.#first = window.api.GetKeyboardLayout(0);
    const list = Buffer.alloc(MOST_LAYOUTS * 8);
    const count: number = window.calls.GetKeyboardLayoutList(MOST_LAYOUTS, list);
    const found = Array.from({ length: Math.min(count, MOST_LAYOUTS) }, (_, i) => list.readBigInt64LE(i * 8));
    this.#layouts = found.length > 0 ? found : [this.#first];
    this.#inputs = sendInputs(
      window.api,
      () => window.api.GetKeyboardLayout(0),
      () => window.pump(),
    );
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

  move(x: number, y: number): void {
    this.#inputs.move(x, y);
  }

  button(button: Button, down: boolean): void {
    this.#inputs.button(button, down);
  }

  wheel(dx: number, dy: number): void {
    this.#inputs.wheel(dx, dy);
  }

  key(code: string, down: boolean): void {
    this.#inputs.key(code, down);
  }

  received(): string {
    return this.#window.takeText();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#window.calls.ActivateKeyboardLayout(this.#first, 0);
    this.#window.close();
  }
}
