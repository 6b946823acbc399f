import koffi from 'koffi';
import { usLayout } from '../../schemas/us-layout.ts';
import { keysymToChar } from '../input/keysyms.ts';
import { layoutOf, xkbcommonChar } from '../input/xkb-layout.ts';
import type { Pointer } from '../memory/memory.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import { ALL_MAP_COMPONENTS, CORE_KEYBOARD, xkbLibrary } from './xkb-library.ts';
import { type Xlib, xlib } from './xlib.ts';

/** X.h modifier bits and XKB constants (XKB.h). */
const LOCK = 2;
const ISO_LEVEL3_SHIFT = 0xfe03;
const NUM_LOCK = 0xff7f;
const NOTIFY = { newKeyboard: 1, map: 2 } as const;
const STATE_NOTIFY = 2;
const GROUP_STATE = 1 << 4;
const GROUP_NAMES = 1 << 12;

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
      return watch(x, xkbLibrary(), display);
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

function watch(x: Xlib, xkb: ReturnType<typeof xkbLibrary>, display: Pointer): XkbWatch {
  const extension = xkb.initialise(display);
  if (extension === null) {
    x.close(display);
    return fallbackWatch();
  }
  xkb.select(display, CORE_KEYBOARD, NOTIFY.newKeyboard | NOTIFY.map, NOTIFY.newKeyboard | NOTIFY.map);
  xkb.selectDetails(display, CORE_KEYBOARD, STATE_NOTIFY, GROUP_STATE, GROUP_STATE);
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
    const description = xkb.getMap(display, ALL_MAP_COMPONENTS, CORE_KEYBOARD);
    if (description === null) return fallback();
    try {
      const rules = x.property(display, x.root(display), x.atom(display, '_XKB_RULES_NAMES'));
      const groupName = x.atomName(display, groupAtom(xkb, display, description, state.group));
      const id = layoutId(rules, state.group) ?? groupName ?? 'unknown';
      const numLock = xkb.modifiersOf(display, NUM_LOCK);
      const layout = layoutOf({
        group: state.group,
        level3: xkb.modifiersOf(display, ISO_LEVEL3_SHIFT),
        numLock,
        translate: (keycode, mods) => xkb.translate(description, keycode, mods),
        char: xkbcommonChar() ?? keysymToChar,
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

function groupAtom(xkb: ReturnType<typeof xkbLibrary>, display: Pointer, description: Pointer, group: number): number {
  if (xkb.getNames(display, GROUP_NAMES, description) !== 0) return 0;
  const { names } = koffi.decode(description, xkb.Description);
  return names === null ? 0 : Number(koffi.decode(names, xkb.Names).groups[group] ?? 0);
}
