import { codeToXKeycode } from '../input/keys.ts';
import { libX11 } from './library.ts';
import { openX, x11 } from './x11.ts';

/** Keys of foreign keyboards, which most layouts leave empty: on a display of our own they can make any character. */
export const SPARE_CODES = ['IntlYen', 'IntlRo', 'KanaMode', 'Convert', 'NonConvert'] as const;

/** Changes what keys make on $DISPLAY, for every program on it: only for a display of our own. Throws NO_DISPLAY. */
export function openSpareKeys(): { put(code: string, char: string): void; close(): void } {
  const display = openX();
  const change = libX11().func(
    'int XChangeKeyboardMapping(void *d, int first, int perKey, unsigned long *symbols, int keys)',
  );
  return {
    put(code, char) {
      const keycode = codeToXKeycode(code);
      if (keycode === null) return;
      const symbol = keysymOf(char.codePointAt(0) ?? 0x20);
      // Without and with Shift.
      change(display, keycode, 2, [symbol, symbol], 1);
      x11().sync(display, 0);
    },
    close: () => void x11().closeDisplay(display),
  };
}

/** The keysym of a character: Latin-1 as it is, others as X numbers Unicode. */
const keysymOf = (point: number): number =>
  (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff) ? point : 0x0100_0000 + point;
