import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import { MAC_KEYS, macKeyToCode } from '../input/keys.ts';
import { type InputStage, numbersByCode } from '../platform/stage.ts';
import { loadMacApi } from './api.ts';
import { physicalToPoint, readDisplays } from './displays.ts';

/** CGEventTypes of a button: pressed, released, moved while it is held; and its CGMouseButton. */
const MOUSE: Record<string, { down: number; up: number; dragged: number; button: number }> = {
  left: { down: 1, up: 2, dragged: 6, button: 0 },
  right: { down: 3, up: 4, dragged: 7, button: 1 },
  middle: { down: 25, up: 26, dragged: 27, button: 2 },
};
const MOVED = 5;
/** kCGHIDEventTap, kCGScrollEventUnitLine. */
const [HID_TAP, LINES] = [0, 1];
const FLAGS: Record<string, number> = {
  ShiftLeft: 0x20000,
  ControlLeft: 0x40000,
  AltLeft: 0x80000,
  AltRight: 0x80000,
  MetaLeft: 0x100000,
};
const WAIT_MS = 8000;
const GRAPHICS = '/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics';

/**
 * Our window on macOS. Not run on this project's test machines. Throws NO_PERMISSION where inputs may not be made, CAPTURE_FAILED
 * when the window does not come to the front.
 */
export async function openMacStage(rect: Rect): Promise<InputStage> {
  const api = loadMacApi();
  if (!api.AXIsProcessTrusted())
    throw new StudioError(
      'NO_PERMISSION',
      'macOS lets this program make no inputs. Switch it on in System Settings > Privacy & Security > Accessibility, and start it again.',
      {},
    );
  const graphics = koffi.load(GRAPHICS);
  const Point = koffi.struct({ x: 'double', y: 'double' });
  const mouseEvent = graphics.func('CGEventCreateMouseEvent', 'void *', ['void *', 'uint32', Point, 'uint32']);
  const keyEvent = graphics.func('CGEventCreateKeyboardEvent', 'void *', ['void *', 'uint16', 'bool']);
  const wheelEvent = graphics.func('CGEventCreateScrollWheelEvent2', 'void *', [
    ...['void *', 'uint32', 'uint32', 'int32', 'int32', 'int32'],
  ]);
  const setFlags = graphics.func('CGEventSetFlags', 'void', ['void *', 'uint64']);
  const post = graphics.func('CGEventPost', 'void', ['uint32', 'void *']);
  const displays = readDisplays(api);
  const { scale, ...corner } = physicalToPoint(rect.x, rect.y, displays);
  const words = [corner.x, corner.y, rect.width / scale, rect.height / scale].map(String);
  const script = fileURLToPath(new URL('./stage.jxa.js', import.meta.url));
  const child = spawn('osascript', ['-l', 'JavaScript', script, ...words], { stdio: ['pipe', 'pipe', 'ignore'] });
  let seen = { front: false, text: '' };
  let pending = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    const lines = (pending + more).split('\n');
    pending = lines.pop() ?? '';
    // Our own script writes nothing else.
    for (const line of lines) seen = JSON.parse(line) as typeof seen;
  });
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  child.once('close', () => {
    ended = true;
  });
  for (let waited = 0; !seen.front; waited += 50) {
    if (ended || waited > WAIT_MS) {
      child.kill();
      throw new StudioError('CAPTURE_FAILED', 'The window for the known inputs did not come to the front.', {});
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  const keys = numbersByCode(MAC_KEYS, macKeyToCode);
  const held = new Set<string>();
  let at = { x: corner.x, y: corner.y };
  let pressed: keyof typeof MOUSE | null = null;
  let taken = 0;
  const send = (event: bigint): void => {
    setFlags(
      event,
      [...held].reduce((flags, code) => flags | (FLAGS[code] ?? 0), 0),
    );
    post(HID_TAP, event);
    api.CFRelease(event);
  };
  return {
    injection: 'CGEventPost',
    rect,
    layouts() {
      const source = api.TISCopyCurrentKeyboardLayoutInputSource();
      if (source === null) return ['the present one'];
      const name = api.inputSourceString(source, 'LocalizedName');
      api.CFRelease(source);
      return [name];
    },
    // Another program's layouts are the person's to change; the present one is proved.
    takeLayout: () => undefined,
    isInFront: () => !ended && seen.front,
    move(x, y) {
      const { x: left, y: top } = physicalToPoint(x, y, displays);
      at = { x: left, y: top };
      const dragging = pressed === null ? undefined : MOUSE[pressed];
      send(mouseEvent(null, dragging?.dragged ?? MOVED, at, dragging?.button ?? 0));
    },
    button(button, down) {
      const numbers = MOUSE[button];
      if (!numbers) return;
      pressed = down ? button : null;
      send(mouseEvent(null, down ? numbers.down : numbers.up, at, numbers.button));
    },
    wheel(dx, dy) {
      // macOS counts upwards and to the left.
      for (let n = Math.abs(dy || dx); n > 0; n--) send(wheelEvent(null, LINES, 2, -Math.sign(dy), -Math.sign(dx), 0));
    },
    key(code, down) {
      const number = keys.get(code);
      if (number === undefined) return;
      if (down) held.add(code);
      else held.delete(code);
      send(keyEvent(null, number, down));
    },
    received() {
      const text = seen.text.slice(taken);
      taken = seen.text.length;
      return text;
    },
    close() {
      child.stdin.end();
      child.kill();
    },
  };
}
