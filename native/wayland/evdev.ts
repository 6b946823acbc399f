import type { Button } from '../../schemas/events.ts';
import { xKeycodeToCode } from '../input/keys.ts';

/**
 * evdev: what the kernel writes into /dev/input/event* (linux/input.h, input-event-codes.h), 24 bytes an event on 64-bit
 * machines. Pure: bytes in, what the person did out. Positions of relative devices are not in it; see pointer-track.ts.
 */
export const RECORD_BYTES = 24;

/** A device by its ioctls (input-devices.ts). */
export type DeviceInfo = {
  name: string;
  /** Codes of EV_KEY and EV_REL that it has. */
  keys: readonly number[];
  rels: readonly number[];
  /** Ranges of EV_ABS. */
  abs: Readonly<Record<number, { min: number; max: number }>>;
  /** INPUT_PROP_*. */
  props: readonly number[];
};

/** A device's report at `us` (CLOCK_MONOTONIC, µs). */
export type DeviceEvent = { us: number } & (
  | { kind: 'key'; down: boolean; repeat: boolean; code: string | null; number: number }
  | { kind: 'button'; down: boolean; button: Button }
  /** Notches, down and to the right above 0. */
  | { kind: 'wheel'; dx: number; dy: number }
  /** Moved by so much, in the device's own unit. */
  | { kind: 'moved'; by: number }
  /** Absolute: 0 to 1 of the area that it covers. */
  | { kind: 'at'; x: number; y: number }
);

export type PointerSettings = {
  /** The content follows the fingers or the wheel. */
  naturalMouse: boolean;
  naturalTouchpad: boolean;
  tapToClick: boolean;
  leftHanded: boolean;
};
export const DEFAULT_POINTER: PointerSettings = {
  naturalMouse: false,
  naturalTouchpad: true,
  tapToClick: true,
  leftHanded: false,
};

const EV = { syn: 0, key: 1, rel: 2, abs: 3 } as const;
const SYN = { report: 0, dropped: 3 } as const;
const REL = { x: 0, y: 1, hwheel: 6, wheel: 8, wheelFine: 11, hwheelFine: 12 } as const;
const ABS = { x: 0, y: 1, slot: 0x2f, mtX: 0x35, mtY: 0x36 } as const;
const BTN = {
  first: 0x100,
  left: 0x110,
  joystick: 0x120,
  toolPen: 0x140,
  toolFinger: 0x145,
  toolFive: 0x148,
  touch: 0x14a,
  stylus: 0x14b,
  stylus2: 0x14c,
  toolTwo: 0x14d,
  toolThree: 0x14e,
  toolFour: 0x14f,
  last: 0x15f,
} as const;
const DIRECT = 1;
const FINE = 120;
/** libinput's: longer, or farther than this share of the pad, is no tap. */
const TAP_US = 180_000;
const TAP_SHARE = 0.03;
/** Share of the pad's height that two fingers move for one notch of a wheel. */
const NOTCH_SHARE = 0.05;

/** By their codes, from BTN_LEFT on. */
export const MOUSE_BUTTONS: readonly Button[] = [
  'left',
  'right',
  'middle',
  'back',
  'forward',
  'forward',
  'back',
  'button8',
];
const STYLUS: Readonly<Record<number, Button>> = {
  [BTN.touch]: 'left',
  [BTN.stylus]: 'right',
  [BTN.stylus2]: 'middle',
};
const SWAPPED: Readonly<Record<string, Button>> = { left: 'right', right: 'left' };

type DeviceKind = 'touchpad' | 'absolute' | 'other';
export function kindOf({ keys, abs, props }: DeviceInfo): DeviceKind {
  const hasPlace = abs[ABS.x] !== undefined || abs[ABS.mtX] !== undefined;
  if (!hasPlace) return 'other';
  const isPad = keys.includes(BTN.toolFinger) && !keys.includes(BTN.toolPen) && !props.includes(DIRECT);
  if (isPad) return 'touchpad';
  return keys.includes(BTN.left) || keys.includes(BTN.touch) || keys.includes(BTN.toolPen) ? 'absolute' : 'other';
}

/** True for a device that people type or point with: not a lid, a power button alone or a joystick. */
export function isInputDevice(info: DeviceInfo): boolean {
  const types = info.keys.some((key) => key > 0 && key < BTN.first && xKeycodeToCode(key + 8) !== null);
  const points = info.keys.includes(BTN.left) || kindOf(info) !== 'other';
  return types || points || info.rels.includes(REL.wheel);
}

type DeviceReader = {
  /** Takes what was read; the end of a record may come with the next read. */
  feed(bytes: Uint8Array): DeviceEvent[];
  /** The device is gone (unplugged, suspended): what is held on it is released. */
  gone(us: number): DeviceEvent[];
  /** The kernel dropped events: the next `resync` must say what is held. True once after each. */
  lost(): boolean;
  /** The keys and buttons that are really held, after a loss. */
  resync(us: number, held: ReadonlySet<number>): DeviceEvent[];
};

export function readDevice(info: DeviceInfo, settings: () => PointerSettings = () => DEFAULT_POINTER): DeviceReader {
  const kind = kindOf(info);
  const fine = { x: info.rels.includes(REL.hwheelFine), y: info.rels.includes(REL.wheelFine) };
  const held = new Set<number>();
  let rest = Buffer.alloc(0);
  let dropping = false;
  let hasLost = false;
  let slot = 0;
  let moved = { x: 0, y: 0 };
  let wheel = { x: 0, y: 0 };
  const place: { x: number | null; y: number | null } = { x: null, y: null };
  let placed = false;
  let fingers = 0;
  /** A touch of the pad, from the first finger on it. */
  let touch: { us: number; most: number; farthest: number; clicked: boolean } | null = null;
  let last: { x: number; y: number } | null = null;

  const share = (axis: number, alternative: number, value: number | null): number | null => {
    const area = info.abs[axis] ?? info.abs[alternative];
    if (!area || value === null || area.max <= area.min) return null;
    return Math.min(1, Math.max(0, (value - area.min) / (area.max - area.min)));
  };
  const here = (): { x: number; y: number } | null => {
    const x = share(ABS.x, ABS.mtX, place.x);
    const y = share(ABS.y, ABS.mtY, place.y);
    return x === null || y === null ? null : { x, y };
  };
  const button = (us: number, name: Button, down: boolean): DeviceEvent => {
    const swapped = settings().leftHanded ? SWAPPED[name] : undefined;
    return { us, kind: 'button', down, button: swapped ?? name };
  };

  function pressed(us: number, code: number, value: number, out: DeviceEvent[]): void {
    const down = value !== 0;
    if (down) held.add(code);
    else held.delete(code);
    if (code >= BTN.left && code < BTN.joystick) {
      if (value === 2) return;
      if (touch) touch.clicked = true;
      out.push(button(us, MOUSE_BUTTONS[code - BTN.left] ?? `button${code - BTN.left + 1}`, down));
    } else if (code >= BTN.toolPen && code <= BTN.last) tool(us, code, down, out);
    else if (code < BTN.first || code > BTN.last) {
      out.push({ us, kind: 'key', down, repeat: value === 2, code: xKeycodeToCode(code + 8), number: code });
    }
  }

  function tool(us: number, code: number, down: boolean, out: DeviceEvent[]): void {
    if (kind === 'absolute') {
      const name = STYLUS[code];
      if (name && !(code === BTN.touch && info.keys.includes(BTN.left))) out.push(button(us, name, down));
      return;
    }
    if (kind !== 'touchpad') return;
    const counts: Readonly<Record<number, number>> = {
      [BTN.toolFinger]: 1,
      [BTN.toolTwo]: 2,
      [BTN.toolThree]: 3,
      [BTN.toolFour]: 4,
      [BTN.toolFive]: 5,
    };
    const count = counts[code];
    if (count !== undefined && down) {
      fingers = count;
      last = null;
      if (touch) touch.most = Math.max(touch.most, count);
    } else if (count !== undefined && count === fingers) fingers = 0;
    if (code !== BTN.touch) return;
    if (down) touch = { us, most: Math.max(1, fingers), farthest: 0, clicked: false };
    else lifted(us, out);
    last = null;
  }

  /** The last finger left the pad: a tap is a click, as the desktop takes it. */
  function lifted(us: number, out: DeviceEvent[]): void {
    const tap = touch;
    touch = null;
    if (!tap || tap.clicked || !settings().tapToClick) return;
    if (us - tap.us > TAP_US || tap.farthest > TAP_SHARE || tap.most > 3) return;
    const name = (['left', 'right', 'middle'] as const)[tap.most - 1] ?? 'left';
    out.push(button(tap.us, name, true), button(us, name, false));
  }

  function padMoved(us: number, at: { x: number; y: number }, out: DeviceEvent[]): void {
    const before = last;
    last = at;
    if (!touch || !before) return;
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    touch.farthest += Math.hypot(dx, dy);
    if (fingers === 2) {
      // Fingers up, content up: that is natural, and scrolls down.
      const sign = settings().naturalTouchpad ? -1 : 1;
      out.push({ us, kind: 'wheel', dx: (sign * dx) / NOTCH_SHARE, dy: (sign * dy) / NOTCH_SHARE });
    } else if (fingers <= 1 && (dx !== 0 || dy !== 0)) out.push({ us, kind: 'moved', by: Math.hypot(dx, dy) * 1000 });
  }

  function reported(us: number, out: DeviceEvent[], presses: readonly [number, number][]): void {
    // The pointer is there before what is pressed there.
    if (moved.x !== 0 || moved.y !== 0) out.push({ us, kind: 'moved', by: Math.hypot(moved.x, moved.y) });
    const at = placed ? here() : null;
    if (at && kind === 'absolute') out.push({ us, kind: 'at', ...at });
    for (const [code, value] of presses) pressed(us, code, value, out);
    if (at && kind === 'touchpad') padMoved(us, at, out);
    if (wheel.x !== 0 || wheel.y !== 0) {
      const sign = settings().naturalMouse ? -1 : 1;
      out.push({ us, kind: 'wheel', dx: sign * wheel.x + 0, dy: -sign * wheel.y + 0 });
    }
    moved = { x: 0, y: 0 };
    wheel = { x: 0, y: 0 };
    placed = false;
  }

  function scrolled(code: number, value: number): void {
    if (code === REL.wheelFine) wheel.y += value / FINE;
    if (code === REL.hwheelFine) wheel.x += value / FINE;
    if (code === REL.wheel && !fine.y) wheel.y += value;
    if (code === REL.hwheel && !fine.x) wheel.x += value;
  }

  function absolute(code: number, value: number): void {
    if (code === ABS.slot) slot = value;
    // The first finger is the pointer; devices with slots repeat it in ABS_X and ABS_Y.
    const isX = code === ABS.x || (code === ABS.mtX && slot === 0);
    const isY = code === ABS.y || (code === ABS.mtY && slot === 0);
    if (isX) place.x = value;
    if (isY) place.y = value;
    placed ||= isX || isY;
  }

  let presses: [number, number][] = [];
  return {
    feed(bytes) {
      const out: DeviceEvent[] = [];
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : Buffer.from(bytes);
      let at = 0;
      for (; at + RECORD_BYTES <= all.length; at += RECORD_BYTES) {
        const us = Number(all.readBigInt64LE(at)) * 1_000_000 + Number(all.readBigInt64LE(at + 8));
        const [type, code, value] = [all.readUInt16LE(at + 16), all.readUInt16LE(at + 18), all.readInt32LE(at + 20)];
        if (type === EV.syn && code === SYN.dropped) dropping = true;
        else if (type === EV.syn && code === SYN.report) {
          if (dropping) [dropping, hasLost, presses] = [false, true, []];
          else reported(us, out, presses);
          presses = [];
        } else if (dropping) continue;
        else if (type === EV.key) presses.push([code, value]);
        else if (type === EV.abs) absolute(code, value);
        else if (type === EV.rel && code === REL.x) moved.x += value;
        else if (type === EV.rel && code === REL.y) moved.y += value;
        else if (type === EV.rel) scrolled(code, value);
      }
      rest = Buffer.from(all.subarray(at));
      return out;
    },
    gone(us) {
      const out: DeviceEvent[] = [];
      for (const code of [...held]) pressed(us, code, 0, out);
      return out;
    },
    lost() {
      const was = hasLost;
      hasLost = false;
      return was;
    },
    resync(us, now) {
      const out: DeviceEvent[] = [];
      for (const code of [...held]) if (!now.has(code)) pressed(us, code, 0, out);
      for (const code of now) if (!held.has(code)) pressed(us, code, 1, out);
      return out;
    },
  };
}
