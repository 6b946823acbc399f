import { codeOf, xKeycodeToCode } from '../input/keys.ts';
import type { RawKey } from './raw-keys.ts';

/** A key event as uiohook gives it: server ms, direction, uiohook keycode (0: a key its table lacks). */
export type HookKey = { time: number; down: boolean; keycode: number };

type KeyMatch = {
  /** The X11 keycode of the physical key; null when only uiohook's own code is known. */
  xKeycode: number | null;
  /** Made by the server's auto-repeat: repeats reach uiohook but make no raw key (measured on Xvfb 21.1). */
  repeat: boolean;
  /** Sent by a program through XTEST (I4). */
  xtest: boolean;
};

type KeyMatcher = {
  add(keys: readonly RawKey[]): void;
  /** The raw key behind a hook event; null when none is known (not arrived yet, or no raw keys at all). */
  match(event: HookKey): KeyMatch | null;
};

/** X keycodes for which uiohook 1.5's evdev table has a code; it gives 0 for all others. */
const KNOWN_TO_UIOHOOK: readonly (readonly [number, number])[] = [
  [9, 91],
  [95, 96],
  [98, 100],
  [103, 108],
  [110, 119],
  [121, 125],
  [127, 127],
  [132, 146],
  [148, 148],
  [150, 150],
  [166, 167],
  [186, 186],
  [191, 202],
  [225, 226],
];
const known = (keycode: number): boolean => KNOWN_TO_UIOHOOK.some(([from, to]) => keycode >= from && keycode <= to);

/** How long a raw key waits for its hook event, ms, before it is forgotten. */
const KEEP_MS = 2000;

/**
 * How much later than the raw key its hook event may be timed, ms. uiohook takes the time at which XRecord wrote the event
 * down (libuiohook x11/input_hook.c, `server_time`), not the event's own: the same millisecond on a calm machine, later when
 * the X server is held up between the two.
 */
const LATE_MS = 100;

/**
 * Pairs hook events with raw keys by order, direction and code: of those that fit, the one that has waited longest. Both
 * streams are in order, and each raw key is spent once; the server says raw releases twice, so both are spent together.
 */
export function keyMatcher(): KeyMatcher {
  let waiting: RawKey[] = [];
  const held = new Map<number, RawKey>();
  return {
    add: (keys) => {
      for (const key of keys) waiting.push(key);
      const newest = keys.at(-1)?.time;
      if (newest !== undefined) waiting = waiting.filter((key) => within(newest, key.time, KEEP_MS));
    },
    match: (event) => {
      const fits = (keycode: number): boolean =>
        event.keycode === 0 ? !known(keycode) : known(keycode) && sameKey(event.keycode, keycode);
      const key = waiting.find((one) => one.down === event.down && isBehind(event.time, one.time) && fits(one.keycode));
      if (key) {
        waiting = waiting.filter((one) => one !== key && (one.down || !sameEvent(one, key)));
        if (key.down) held.set(key.keycode, key);
        else held.delete(key.keycode);
        return { xKeycode: key.keycode, repeat: key.repeat, xtest: key.xtest };
      }
      if (!event.down) return null;
      // The last one pressed repeats.
      const repeated = [...held.values()].reverse().find((key) => fits(key.keycode));
      return repeated === undefined ? null : { xKeycode: repeated.keycode, repeat: true, xtest: repeated.xtest };
    },
  };
}

/** uiohook's names for the Japanese keys differ from W3C's, so an X keycode that it knows may carry another code. */
const RENAMED = new Map([
  [98, 0x70],
  [99, 0x7b],
  [103, 0x7e],
]);
function sameKey(hookCode: number, xKeycode: number): boolean {
  return RENAMED.get(xKeycode) === hookCode || codeOf(hookCode) === xKeycodeToCode(xKeycode);
}

function isBehind(hooked: number, raw: number): boolean {
  const late = (hooked - raw) | 0;
  return late >= 0 && late <= LATE_MS;
}

const sameEvent = (a: RawKey, b: RawKey): boolean => a.time === b.time && a.down === b.down && a.keycode === b.keycode;

/** Server times are ms modulo 2^32. */
function within(now: number, then: number, ms: number): boolean {
  return ((now - then) | 0) <= ms;
}
