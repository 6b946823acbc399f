import { codeToXKeycode, isOnKeyboard } from '../input/keys.ts';
import type { StageKeyboard } from '../platform/stage-display.ts';
import { libX11 } from './library.ts';
import { openX, x11 } from './x11.ts';
import { openXkb } from './xkb.ts';

/** Keys of foreign keyboards, which most layouts leave empty: on a display of our own they can make any character. */
const SPARE_CODES = ['IntlYen', 'IntlRo', 'KanaMode', 'Convert', 'NonConvert'] as const;

/** The keyboard of $DISPLAY. What keys make is changed for every program on it: only for a display of our own. Throws NO_DISPLAY. */
export function openX11Keyboard(): StageKeyboard {
  const display = openX();
  const watch = openXkb();
  const change = libX11().func(
    'int XChangeKeyboardMapping(void *d, int first, int perKey, unsigned long *symbols, int keys)',
  );
  return {
    layout: () => watch.read().layout,
    spare: SPARE_CODES,
    has: isOnKeyboard,
    put(code, char) {
      const keycode = codeToXKeycode(code);
      if (keycode === null) return;
      const symbol = keysymOf(char.codePointAt(0) ?? 0x20);
      // Without and with Shift.
      change(display, keycode, 2, [symbol, symbol], 1);
      x11().sync(display, 0);
    },
    close() {
      watch.close();
      x11().closeDisplay(display);
    },
  };
}

/** The keysym of a character: Latin-1 as it is, others as X numbers Unicode. */
const keysymOf = (point: number): number =>
  (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff) ? point : 0x0100_0000 + point;
