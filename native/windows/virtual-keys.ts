/** Numbers of winuser.h for keys and their states. */

export const VK = {
  shift: 0x10,
  control: 0x11,
  menu: 0x12,
  capital: 0x14,
  numLock: 0x90,
  numpad0: 0x60,
  decimal: 0x6e,
  leftShift: 0xa0,
  rightShift: 0xa1,
  leftControl: 0xa2,
  rightControl: 0xa3,
  leftMenu: 0xa4,
  rightMenu: 0xa5,
  leftMeta: 0x5b,
  rightMeta: 0x5c,
} as const;

/** For ToUnicodeEx: a dead key is left to the program that gets it. */
export const KEEP_STATE = 4;
/** Bits of a key's state. */
export const DOWN = 0x80;
export const TOGGLED = 1;
/** Bit of `GetAsyncKeyState`. */
export const ASYNC_DOWN = 0x8000;
