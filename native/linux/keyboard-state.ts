import koffi from 'koffi';
import { lazy, type Pointer } from '../memory/memory.ts';
import { libX11 } from './library.ts';
import { EVENT_BYTES, type XDisplay, x11 } from './x11.ts';
import { CORE_KEYBOARD, xkbLibrary } from './xkb-library.ts';
import { xlib } from './xlib.ts';

/** What an X server tells of its keyboard as it changes: which modifiers are latched and locked, and that there is another keyboard. */
export type KeyboardNews = {
  /** Takes what was told. True: there is another keyboard, with a keymap of its own. */
  turn(): boolean;
  /** Latched and locked modifiers before this event; null where nothing that was told fits it. */
  before(event: { time: number; keycode: number; mods: number; group: number }): Held | null;
  /** The state by now, with XKB's controls that are on. */
  now(): KeyState;
  /** The logical button of a device's. */
  button(number: number): number;
};
export type Held = { latched: number; locked: number };
export type KeyState = Held & { mods: number; group: number; controls: number };
/** `onOther` is told of every event that is not the keyboard's state, in its order with those that are; `onMap` of each change of the keymap. */
type Listeners = { onMap?(): void; onOther?(event: Uint8Array): void };
type Told = Held & { time: number; keycode: number; mods: number; group: number };

const [NEW_KEYBOARD, MAP, STATE, CONTROLS] = [0, 1, 2, 3];
const ALL_STATE = 0x3fff;
const MAPPING_NOTIFY = 34;
const MAPPING_POINTER = 2;
const BUTTONS = 256;
/** So many changes are kept: an event may be looked at after changes that came later. */
const KEPT = 64;
/** Offsets in XkbStateNotifyEvent (64-bit), whose values are ints until `ptr_buttons`. */
const AT = {
  time: 32,
  xkbType: 40,
  device: 44,
  group: 52,
  latched: 76,
  locked: 80,
  lookup: 90,
  keycode: 96,
  request: 40,
  controls: 52,
} as const;
const ALL_CONTROLS = 0xffffffff;
/** `device_spec` and `ctrls` in XkbDescRec; `enabled_ctrls` in XkbControlsRec. */
const [DESCRIPTION_DEVICE, DESCRIPTION_CONTROLS, ENABLED_CONTROLS] = [10, 16, 12];

// A cast: koffi's functions are untyped; the C text in the call is what the type repeats.
const buttonsOf = lazy(
  () =>
    libX11().func('int XGetPointerMapping(void *display, _Out_ uint8 *map, int n)') as (
      display: Pointer,
      map: Uint8Array,
      n: number,
    ) => number,
);

/** Null where the server has no XKB. */
export function watchKeyboardNews(display: XDisplay, { onMap, onOther }: Listeners = {}): KeyboardNews | null {
  const x = xkbLibrary();
  const extension = x.initialise(display);
  if (extension === null) return null;
  const { firstEvent } = extension;
  const wanted = (1 << NEW_KEYBOARD) | (1 << MAP) | (1 << CONTROLS);
  x.select(display, CORE_KEYBOARD, wanted, wanted);
  x.selectDetails(display, CORE_KEYBOARD, STATE, ALL_STATE, ALL_STATE);
  xlib().flush(display);
  const first = x.state(display);
  let told: Told[] = [
    {
      time: 0,
      keycode: 0,
      mods: first.lookup_mods,
      group: first.group,
      latched: first.latched_mods,
      locked: first.locked_mods,
    },
  ];
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  let buttons = readButtons(display);
  // What changes is told once for each keyboard of the machine.
  const { device, controls: firstControls } = readKeyboard(display);
  let controls = firstControls;

  function take(): boolean {
    const type = view.getInt32(0, true) & 0x7f;
    if (type === MAPPING_NOTIFY && view.getInt32(AT.request, true) === MAPPING_POINTER) buttons = readButtons(display);
    if (type !== firstEvent) {
      onOther?.(event);
      return false;
    }
    const kind = view.getInt32(AT.xkbType, true);
    if (kind === NEW_KEYBOARD) return true;
    const isMain = view.getInt32(AT.device, true) === device;
    if (kind === MAP && isMain) onMap?.();
    if (kind === CONTROLS && isMain) controls = view.getUint32(AT.controls, true);
    if (kind !== STATE) return false;
    told.push({
      time: Number(view.getBigUint64(AT.time, true)),
      keycode: view.getUint8(AT.keycode),
      mods: view.getUint8(AT.lookup),
      group: view.getInt32(AT.group, true),
      latched: view.getUint32(AT.latched, true),
      locked: view.getUint32(AT.locked, true),
    });
    if (told.length > KEPT * 2) told = told.slice(-KEPT);
    return false;
  }

  return {
    turn() {
      let isNew = false;
      while (x11().pending(display) > 0) {
        x11().nextEvent(display, event);
        isNew = take() || isNew;
      }
      return isNew;
    },
    before({ time, keycode, mods, group: inGroup }) {
      // Not the change that this key itself made.
      const isBefore = (one: Told): boolean =>
        ((one.time - time) | 0) <= 0 && !(one.time === time && one.keycode === keycode);
      const found = told.findLast((one) => isBefore(one) && one.mods === mods && one.group === inGroup);
      return found === undefined ? null : { latched: found.latched, locked: found.locked };
    },
    now() {
      const { mods = 0, group = 0, latched = 0, locked = 0 } = told.at(-1) ?? {};
      return { mods, group, latched, locked, controls };
    },
    button: (number) => buttons[number - 1] || number,
  };
}

function readButtons(display: XDisplay): Uint8Array {
  const map = new Uint8Array(BUTTONS);
  buttonsOf()(display, map, BUTTONS);
  return map;
}

/** The number of the keyboard that programs hear, and its controls. */
function readKeyboard(display: XDisplay): { device: number; controls: number } {
  const x = xkbLibrary();
  const description = x.getMap(display, 0, CORE_KEYBOARD);
  if (description === null) return { device: 0, controls: 0 };
  try {
    const isRead = x.getControls(display, ALL_CONTROLS, description) === 0;
    const device: number = koffi.decode(description, DESCRIPTION_DEVICE, 'uint16');
    const at: Pointer = koffi.decode(description, DESCRIPTION_CONTROLS, 'uint64');
    return { device, controls: isRead ? koffi.decode(at, ENABLED_CONTROLS, 'uint32') : 0 };
  } finally {
    x.free(description);
  }
}
