import koffi from 'koffi';
import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { X_KEYCODES, xKeycodeToCode } from '../keys.ts';
import type { KeyboardWatch } from '../platform.ts';
import { codePointChar, deadKey, keysymToChar, upperChar } from './keysyms.ts';
import { libX11 } from './library.ts';
import type { Pointer } from './x11.ts';
import { type Xlib, xlib } from './xlib.ts';

/** X.h modifier bits and XKB constants (XKB.h). */
const SHIFT = 1;
const LOCK = 2;
const CORE_KEYBOARD = 0x100;
const ALL_MAP_COMPONENTS = 0xff;
const ISO_LEVEL3_SHIFT = 0xfe03;
const MODE_SWITCH = 0xff7e;
const NUM_LOCK = 0xff7f;
const ALT_RIGHT_KEYCODE = 108;
const NOTIFY = { newKeyboard: 1, map: 2, state: 4 } as const;
const STATE_NOTIFY = 2;
const GROUP_STATE = 1 << 4;
const GROUP_NAMES = 1 << 12;

type XkbState = { group: number; locked_mods: number };

/** What the layout is made of, so that the making is pure: the server answers through these. */
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

/** `_XKB_RULES_NAMES` (rules, model, layouts, variants, options; NUL-terminated) and a group as `us(intl)`; null: none. */
export function layoutId(rulesNames: Buffer | null, group: number): string | null {
  if (rulesNames === null) return null;
  const [, , layouts = '', variants = ''] = rulesNames.toString('latin1').split('\0');
  const layout = layouts.split(',')[group];
  if (!layout) return null;
  const variant = variants.split(',')[group];
  return variant ? `${layout}(${variant})` : layout;
}

/** A fresh US layout with unknown locks: what stands in when the X server's keymap cannot be read (I2). */
function fallback(): ReturnType<KeyboardWatch['read']> {
  return { layout: usLayout(), locks: { caps: false, num: false } };
}

/**
 * Watches the keyboard layout of an X server on a connection of its own. `displayName`: `:1`; absent: $DISPLAY.
 * Never throws: without a server, XKB or the libraries, `read` gives the US layout with source `us-fallback`.
 */
export function openXkb(displayName?: string): XkbWatch {
  try {
    const x = xlib();
    const display = x.open(displayName ?? null);
    if (display === null) return fallbackWatch();
    try {
      return watch(x, bindXkb(), display);
    } catch {
      x.close(display);
      return fallbackWatch();
    }
  } catch {
    return fallbackWatch();
  }
}

/** `changedAtMs`: the server's time of the last change, ms; null when it did not say. */
type XkbWatch = KeyboardWatch & { changedAtMs(): number | null };

/** XkbAnyEvent: the server's time stands behind type, serial, send_event and display. */
const XKB_EVENT_TIME = 32;

function fallbackWatch(): XkbWatch {
  return { read: fallback, changed: () => false, changedAtMs: () => null, close: () => {} };
}

function watch(x: Xlib, xkb: Xkb, display: Pointer): XkbWatch {
  const extension = xkb.initialise(display);
  if (extension === null) {
    x.close(display);
    return fallbackWatch();
  }
  xkb.selectChanges(display);
  x.flush(display);
  const event = Buffer.alloc(256);
  let open = true;
  let changedAtMs: number | null = null;
  const drain = (): boolean => {
    let changed = false;
    while (open && x.pending(display) > 0) {
      x.nextEvent(display, event);
      // MappingNotify (34) comes to every client; it says the same.
      const type = event.readInt32LE(0);
      changed ||= type === extension.firstEvent || type === 34;
      // The first of a burst: from then on keys may mean something else.
      if (type === extension.firstEvent) changedAtMs ??= Number(event.readBigUInt64LE(XKB_EVENT_TIME));
    }
    return changed;
  };
  const read = (): ReturnType<KeyboardWatch['read']> => {
    if (!open) return fallback();
    // What changed so far is about to be read: it is no news afterwards.
    drain();
    const state = xkb.state(display);
    const description = xkb.map(display);
    if (description === null) return fallback();
    try {
      const rules = x.property(display, x.root(display), x.atom(display, '_XKB_RULES_NAMES'));
      const groupName = x.atomName(display, xkb.groupAtom(display, description, state.group));
      const id = layoutId(rules, state.group) ?? groupName ?? 'unknown';
      const numLock = xkb.modifiersOf(display, NUM_LOCK);
      const layout = layoutOf({
        group: state.group,
        level3: xkb.modifiersOf(display, ISO_LEVEL3_SHIFT),
        numLock,
        translate: (keycode, mods) => xkb.translate(description, keycode, mods),
        char: xkb.char,
        id,
        name: groupName ?? id,
      });
      return { layout, locks: { caps: (state.locked_mods & LOCK) !== 0, num: (state.locked_mods & numLock) !== 0 } };
    } finally {
      xkb.free(description);
    }
  };
  return {
    read: () => {
      try {
        return read();
      } catch {
        return fallback();
      }
    },
    changed: () => {
      changedAtMs = null;
      return drain();
    },
    changedAtMs: () => changedAtMs,
    close: () => {
      if (open) x.close(display);
      open = false;
    },
  };
}

type Xkb = {
  initialise(display: Pointer): { firstEvent: number } | null;
  selectChanges(display: Pointer): void;
  state(display: Pointer): XkbState;
  map(display: Pointer): Pointer | null;
  free(description: Pointer): void;
  groupAtom(display: Pointer, description: Pointer, group: number): number;
  modifiersOf(display: Pointer, keysym: number): number;
  translate(description: Pointer, keycode: number, mods: number): { keysym: number; consumed: number };
  char(keysym: number): string | null;
};

let bound: Xkb | null = null;
function bindXkb(): Xkb {
  bound ??= makeXkb();
  return bound;
}

function makeXkb(): Xkb {
  const lib = libX11();
  // XKBstr.h; the tails that are not read are left out, as these are only decoded from memory that Xlib owns.
  const State = koffi.struct({
    group: 'uint8',
    locked_group: 'uint8',
    base_group: 'uint16',
    latched_group: 'uint16',
    mods: 'uint8',
    base_mods: 'uint8',
    latched_mods: 'uint8',
    locked_mods: 'uint8',
    rest: koffi.array('uint8', 7),
    ptr_buttons: 'uint16',
  });
  const Names = koffi.struct({ before: koffi.array('ulong', 5 + 16 + 32), groups: koffi.array('ulong', 4) });
  const Description = koffi.struct({
    dpy: 'void *',
    flags: 'uint16',
    device_spec: 'uint16',
    min_key_code: 'uint8',
    max_key_code: 'uint8',
    ctrls: 'void *',
    server: 'void *',
    map: 'void *',
    indicators: 'void *',
    names: 'void *',
  });
  const XkbQueryExtension = lib.func(
    'int XkbQueryExtension(void *display, _Out_ int *opcode, _Out_ int *event, _Out_ int *error, _Inout_ int *major, _Inout_ int *minor)',
  );
  const XkbSelectEvents = lib.func('int XkbSelectEvents(void *display, uint device, uint affect, uint values)');
  const XkbSelectEventDetails = lib.func(
    'int XkbSelectEventDetails(void *display, uint device, uint type, ulong affect, ulong details)',
  );
  const XkbGetState = lib.func('int XkbGetState(void *display, uint device, _Out_ void *state)');
  const XkbGetMap = lib.func('void *XkbGetMap(void *display, uint which, uint device)');
  const XkbGetNames = lib.func('int XkbGetNames(void *display, uint which, void *description)');
  const XkbFreeKeyboard = lib.func('void XkbFreeKeyboard(void *description, uint which, int free_all)');
  const XkbKeysymToModifiers = lib.func('uint XkbKeysymToModifiers(void *display, ulong keysym)');
  const XkbTranslateKeyCode = lib.func(
    'int XkbTranslateKeyCode(void *description, uint8 keycode, uint mods, _Out_ uint *consumed, _Out_ ulong *keysym)',
  );
  return {
    initialise: (display) => {
      const event = [0];
      return XkbQueryExtension(display, [0], event, [0], [1], [0]) === 0 ? null : { firstEvent: event[0]! };
    },
    selectChanges: (display) => {
      XkbSelectEvents(display, CORE_KEYBOARD, NOTIFY.newKeyboard | NOTIFY.map, NOTIFY.newKeyboard | NOTIFY.map);
      XkbSelectEventDetails(display, CORE_KEYBOARD, STATE_NOTIFY, GROUP_STATE, GROUP_STATE);
    },
    state: (display) => {
      const bytes = Buffer.alloc(koffi.sizeof(State));
      XkbGetState(display, CORE_KEYBOARD, bytes);
      return koffi.decode(bytes, State);
    },
    map: (display) => XkbGetMap(display, ALL_MAP_COMPONENTS, CORE_KEYBOARD),
    free: (description) => XkbFreeKeyboard(description, 0, 1),
    groupAtom: (display, description, group) => {
      if (XkbGetNames(display, GROUP_NAMES, description) !== 0) return 0;
      const { names } = koffi.decode(description, Description);
      return names === null ? 0 : Number(koffi.decode(names, Names).groups[group] ?? 0);
    },
    modifiersOf: (display, keysym) => XkbKeysymToModifiers(display, keysym),
    translate: (description, keycode, mods) => {
      const consumed = [0];
      const keysym = [0];
      if (XkbTranslateKeyCode(description, keycode, mods, consumed, keysym) === 0) return { keysym: 0, consumed: 0 };
      return { keysym: Number(keysym[0]), consumed: consumed[0]! };
    },
    char: xkbcommonChar() ?? keysymToChar,
  };
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
