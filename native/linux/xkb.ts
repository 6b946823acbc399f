import koffi from 'koffi';
import { usLayout } from '../../schemas/us-layout.ts';
import { keysymToChar } from '../input/keysyms.ts';
import { layoutOf, xkbcommonChar } from '../input/xkb-layout.ts';
import type { Pointer } from '../memory/memory.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import { libX11 } from './library.ts';
import { type Xlib, xlib } from './xlib.ts';

/** X.h modifier bits and XKB constants (XKB.h). */
const LOCK = 2;
const CORE_KEYBOARD = 0x100;
const ALL_MAP_COMPONENTS = 0xff;
const ISO_LEVEL3_SHIFT = 0xfe03;
const NUM_LOCK = 0xff7f;
const NOTIFY = { newKeyboard: 1, map: 2, state: 4 } as const;
const STATE_NOTIFY = 2;
const GROUP_STATE = 1 << 4;
const GROUP_NAMES = 1 << 12;

type XkbState = { group: number; locked_mods: number };

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

/** XkbAnyEvent: the server's time comes after type, serial, send_event and display. */
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
    // Changes up to now are about to be read: they are no news afterwards.
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
