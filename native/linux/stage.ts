import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import { codePointChar, keysymToChar } from '../input/keysyms.ts';
import type { InputStage } from '../platform/stage.ts';
import { libX11 } from './library.ts';
import { readPointer } from './pointer.ts';
import { attributesOf, focusedId } from './windows.ts';
import { EVENT_BYTES, openX, x11 } from './x11.ts';
import { xlib } from './xlib.ts';
import { xtestOn } from './xtest.ts';

const [KEY_PRESS, KEY_PRESS_MASK, BUTTON_PRESS_MASK, STRUCTURE_MASK] = [2, 1 << 0, 1 << 2, 1 << 17];
const CW_OVERRIDE_REDIRECT = 1 << 9;
const [REVERT_TO_POINTER_ROOT, CORE_KEYBOARD] = [1, 0x100];
const WAIT_MS = 3000;

/** Our window on X11. Throws NO_DISPLAY, NO_LIBRARY; CAPTURE_FAILED when the server gives it no keyboard. */
export async function openX11Stage(rect: Rect): Promise<InputStage> {
  const display = openX();
  const x = x11();
  const lib = libX11();
  const hands = xtestOn(display);
  const setFocus = lib.func('int XSetInputFocus(void *d, unsigned long window, int revert, unsigned long time)');
  const lookup = lib.func(
    'int XLookupString(void *event, _Out_ uint8_t *text, int bytes, _Out_ unsigned long *keysym, void *status)',
  );
  const lockGroup = lib.func('int XkbLockGroup(void *d, unsigned int device, unsigned int group)');
  const getState = lib.func('int XkbGetState(void *d, unsigned int device, _Out_ uint8_t *state)');
  const root = x.root(display);
  const pointer = readPointer(display);
  const group = (): number => {
    const state = Buffer.alloc(32);
    getState(display, CORE_KEYBOARD, state);
    return state.readUInt8(0);
  };
  const firstGroup = group();

  const window = x.createWindow(display, root, rect.x, rect.y, rect.width, rect.height, 0, 0, 0xf4f4f4);
  // No window manager moves it, decorates it or puts another above it.
  const attributes = new Uint8Array(112);
  attributes[88] = 1;
  x.changeAttributes(display, window, CW_OVERRIDE_REDIRECT, attributes);
  x.selectInput(display, window, KEY_PRESS_MASK | BUTTON_PRESS_MASK | STRUCTURE_MASK);
  x.mapRaised(display, window);
  const isViewable = (): boolean => attributesOf(display, window)?.isViewable === true;
  const isInFront = (): boolean => focusedId(display) === window;
  const end = performance.now() + WAIT_MS;
  while (!(isViewable() && isInFront())) {
    if (performance.now() > end) {
      x.closeDisplay(display);
      throw new StudioError('CAPTURE_FAILED', 'The X server did not give the keyboard to our window.', {});
    }
    // Only a window that can be seen may have the keyboard.
    if (isViewable()) setFocus(display, window, REVERT_TO_POINTER_ROOT, 0);
    x.sync(display, 0);
    await new Promise((done) => setTimeout(done, 20));
  }
  const event = Buffer.alloc(EVENT_BYTES);
  const send = () => x.sync(display, 0);
  return {
    injection: 'XTEST',
    rect,
    layouts() {
      const rules = xlib().property(display, root, xlib().atom(display, '_XKB_RULES_NAMES'));
      const [, , layouts = '', variants = ''] = rules?.toString('latin1').split('\0') ?? [];
      const names = layouts === '' ? ['the present one'] : layouts.split(',');
      // X11 has four groups at most; what comes after them is not in use.
      return names.slice(0, 4).map((name, i) => {
        const variant = variants.split(',')[i];
        return variant ? `${name}(${variant})` : name;
      });
    },
    takeLayout(index) {
      lockGroup(display, CORE_KEYBOARD, index);
      send();
    },
    isInFront,
    ...hands,
    received() {
      send();
      let text = '';
      while (x.pending(display) > 0) {
        x.nextEvent(display, event);
        if (event.readInt32LE(0) !== KEY_PRESS) continue;
        const keysym = [0];
        lookup(event, Buffer.alloc(32), 32, keysym, null);
        const symbol = Number(keysym[0]);
        text += keysymToChar(symbol) ?? codePointChar(0) ?? '';
      }
      return text;
    },
    close() {
      lockGroup(display, CORE_KEYBOARD, firstGroup);
      if (pointer) hands.move(pointer.x, pointer.y);
      x.destroyWindow(display, window);
      send();
      x.closeDisplay(display);
    },
  };
}
