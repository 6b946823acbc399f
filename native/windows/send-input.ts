import koffi from 'koffi';
import type { Button } from '../../schemas/events.ts';
import { WINDOWS_SCANS, windowsScanToCode } from '../input/keys.ts';
import { lazy } from '../memory/memory.ts';
import { numbersByCode } from '../platform/stage.ts';
import type { WindowsApi } from './api.ts';
import { virtualScreen } from './displays.ts';

const [INPUT_BYTES, INPUT_MOUSE, INPUT_KEYBOARD] = [40, 0, 1];
/** Where the time of each stands. */
const [MOUSE_TIME, KEY_TIME] = [24, 16];
/** MOUSEEVENTF_MOVE, _VIRTUALDESK, _ABSOLUTE. */
const MOVE_ABSOLUTE = 0x0001 | 0x4000 | 0x8000;
const [WHEEL, HORIZONTAL_WHEEL, NOTCH] = [0x0800, 0x1000, 120];
const [X_DOWN, X_UP] = [0x0080, 0x0100];
const BUTTONS: Readonly<Record<string, { down: number; up: number; data: number }>> = {
  left: { down: 0x0002, up: 0x0004, data: 0 },
  right: { down: 0x0008, up: 0x0010, data: 0 },
  middle: { down: 0x0020, up: 0x0040, data: 0 },
  back: { down: X_DOWN, up: X_UP, data: 1 },
  forward: { down: X_DOWN, up: X_UP, data: 2 },
};
const [EXTENDED, KEY_UP] = [1, 2];
const VSC_TO_VK_EX = 3;

const loadCalls = lazy(() => ({
  SendInput: koffi.load('user32.dll').func('__stdcall', 'SendInput', 'uint32', ['uint32', 'void *', 'int']),
  GetTickCount: koffi.load('kernel32.dll').func('__stdcall', 'GetTickCount', 'uint32', []),
}));

/** Inputs that programs take for a person's. Positions are physical px of the virtual desktop. */
export type SentInputs = {
  move(x: number, y: number): void;
  /** False for a button that Windows does not have (the sixth and up); nothing is sent then. */
  button(button: Button, down: boolean): boolean;
  /** Notches, one at a time; dy > 0 is down, dx > 0 to the right. */
  wheel(dx: number, dy: number): void;
  /** False for a key that Windows does not have; nothing is sent then. */
  key(code: string, down: boolean): boolean;
};

/** By SendInput. `layout`: of the program that has the keyboard. `sent`: after each input. */
export function sendInputs(api: WindowsApi, layout: () => bigint, sent: () => void = () => undefined): SentInputs {
  const { SendInput, GetTickCount } = loadCalls();
  const scans = numbersByCode(WINDOWS_SCANS, windowsScanToCode);
  /** The time of what is made in this turn of the loop, as `GetTickCount` counts. */
  let made: number | null = null;
  /**
   * Inputs made in one go have one time: Windows hands each input to every hook before it takes the next, which on a busy
   * machine would draw out the clicks of a double click until they are two.
   */
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
    sent();
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
    move(x, y) {
      const all = virtualScreen(api);
      // 65,536 parts of the virtual screen; rounded up, they name exactly this pixel.
      const part = (px: number, size: number): number => Math.ceil((px * 65536) / size);
      mouse(MOVE_ABSOLUTE, 0, part(x - all.x, all.width), part(y - all.y, all.height));
    },
    button(button, down) {
      const found = BUTTONS[button];
      if (found) mouse(down ? found.down : found.up, found.data);
      return found !== undefined;
    },
    wheel(dx, dy) {
      // Windows counts upwards.
      for (let n = Math.abs(dy); n > 0; n--) mouse(WHEEL, -Math.sign(dy) * NOTCH);
      for (let n = Math.abs(dx); n > 0; n--) mouse(HORIZONTAL_WHEEL, Math.sign(dx) * NOTCH);
    },
    key(code, down) {
      const scan = scans.get(code);
      if (scan === undefined) return false;
      send(KEY_TIME, (input) => {
        // Like a keyboard's driver: the scan code, and the virtual key that it has on this layout. (By the scan code
        // alone Wine's hooks are told of no key.)
        input.writeUInt32LE(INPUT_KEYBOARD, 0);
        input.writeUInt16LE(api.MapVirtualKeyExW(scan, VSC_TO_VK_EX, layout()), 8);
        input.writeUInt16LE(scan & 0xff, 10);
        input.writeUInt32LE((scan > 0xff ? EXTENDED : 0) | (down ? 0 : KEY_UP), 12);
      });
      return true;
    },
  };
}
