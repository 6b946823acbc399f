import koffi from 'koffi';
import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';
import { X_KEYCODES, xKeycodeToCode } from './keys.ts';
import { codePointChar, deadKey, upperChar } from './keysyms.ts';

/** X.h modifier bits and keysyms. */
const SHIFT = 1;
const LOCK = 2;
const ISO_LEVEL3_SHIFT = 0xfe03;
const MODE_SWITCH = 0xff7e;
const ALT_RIGHT_KEYCODE = 108;

/** The server's answers from which the layout is made, so that the making is pure. */
export type Keymap = {
  /** Active group, 0 to 3. */
  group: number;
  /** The real modifier that selects level 3 (usually Mod5), 0 when none is bound. */
  level3: number;
  /** The real modifier of NumLock (usually Mod2), 0 when none is bound. */
  numLock: number;
  /** Keysym (0: none) and the modifiers that its key type took into account, for `mods` with the group in bits 13, 14. */
  translate(keycode: number, mods: number): { keysym: number; consumed: number };
  char(keysym: number): string | null;
  id: string;
  name: string;
};

/** The layout of the active group (I2): for every named key the character in each of the eight states. */
export function layoutOf(keymap: Keymap): KeyboardLayout {
  const keys: KeyboardLayout['keys'] = {};
  const at = (keycode: number, mods: number): KeyChar => {
    const { keysym, consumed } = keymap.translate(keycode, mods | (keymap.group << 13));
    const dead = deadKey(keysym);
    if (dead !== null) return dead;
    const char = keymap.char(keysym);
    // CapsLock that the key's type does not take makes capitals by itself (XLookupString, xkb_state_key_get_utf8).
    return char !== null && mods & ~consumed & LOCK ? upperChar(char) : char;
  };
  for (const keycode of X_KEYCODES) {
    const code = xKeycodeToCode(keycode);
    // Two keycodes with one name (a media key): the first is the keyboard's own.
    if (code === null || keys[code] !== undefined) continue;
    const chars = Array.from({ length: 8 }, (_, state) =>
      at(keycode, (state & 1 ? SHIFT : 0) | (state & 2 ? keymap.level3 : 0) | (state & 4 ? LOCK : 0)),
    );
    const num = keymap.numLock === 0 ? null : at(keycode, keymap.numLock);
    const numChanges = typeof num === 'string' && num !== chars[0];
    if (chars.every((char) => char === null) && !numChanges) continue;
    keys[code] = numChanges ? { chars, num } : { chars };
  }
  const altRight = keymap.translate(ALT_RIGHT_KEYCODE, keymap.group << 13).keysym;
  const altGr = altRight === ISO_LEVEL3_SHIFT || altRight === MODE_SWITCH;
  return { id: keymap.id, name: keymap.name, source: 'xkb', altGr, keys };
}

/** libxkbcommon's table where it is installed, else null. */
export function xkbcommonChar(): ((keysym: number) => string | null) | null {
  try {
    const toUtf32 = koffi.load('libxkbcommon.so.0').func('uint32 xkb_keysym_to_utf32(uint32 keysym)');
    return (keysym) => codePointChar(toUtf32(keysym));
  } catch {
    return null;
  }
}
