import type { Button } from '../../schemas/events.ts';
import { xKeycodeToCode } from '../input/keys.ts';
import type { DeviceEvent, PointerSettings } from './device-event.ts';
import { ABS, BTN, EV, REL, SYN } from './evdev-codes.ts';
import { Touchpad } from './touchpad.ts';

/**
 * evdev: what the kernel writes into /dev/input/event* (linux/input.h, input-event-codes.h), 24 bytes an event on 64-bit
 * machines. Pure: bytes in, what the person did out. Positions of relative devices are not in it; see pointer-track.ts.
 */
const RECORD_BYTES = 24;

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

export const DEFAULT_POINTER: PointerSettings = {
  naturalMouse: false,
  naturalTouchpad: true,
  tapToClick: true,
  leftHanded: false,
};

const DIRECT = 1;
const FINE = 120;
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
function kindOf({ keys, abs, props }: DeviceInfo): DeviceKind {
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

/** Reads one device; what `DeviceInfo` says of it does not change. */
class DeviceReader {
  readonly #info: DeviceInfo;
  readonly #settings: () => PointerSettings;
  readonly #kind: DeviceKind;
  readonly #fine: { x: boolean; y: boolean };
  readonly #pad: Touchpad;
  readonly #held = new Set<number>();
  #rest = Buffer.alloc(0);
  #dropping = false;
  #hasLost = false;
  #presses: [number, number][] = [];
  #slot = 0;
  #moved = { x: 0, y: 0 };
  #wheel = { x: 0, y: 0 };
  readonly #place: { x: number | null; y: number | null } = { x: null, y: null };
  #placed = false;

  constructor(info: DeviceInfo, settings: () => PointerSettings) {
    this.#info = info;
    this.#settings = settings;
    this.#kind = kindOf(info);
    this.#fine = { x: info.rels.includes(REL.hwheelFine), y: info.rels.includes(REL.wheelFine) };
    this.#pad = new Touchpad(settings, (us, name, down) => this.#button(us, name, down));
  }

  /** Takes what was read; the end of a record may come with the next read. */
  feed(bytes: Uint8Array): DeviceEvent[] {
    const out: DeviceEvent[] = [];
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : Buffer.from(bytes);
    let at = 0;
    for (; at + RECORD_BYTES <= all.length; at += RECORD_BYTES) {
      const us = Number(all.readBigInt64LE(at)) * 1_000_000 + Number(all.readBigInt64LE(at + 8));
      this.#take(us, [all.readUInt16LE(at + 16), all.readUInt16LE(at + 18), all.readInt32LE(at + 20)], out);
    }
    this.#rest = Buffer.from(all.subarray(at));
    return out;
  }

  /** The device is gone (unplugged, suspended): what is held on it is released. */
  gone(us: number): DeviceEvent[] {
    const out: DeviceEvent[] = [];
    for (const code of [...this.#held]) this.#pressed(us, code, 0, out);
    return out;
  }

  /** The kernel dropped events: the next `resync` must say what is held. True once after each. */
  lost(): boolean {
    const was = this.#hasLost;
    this.#hasLost = false;
    return was;
  }

  /** The keys and buttons that are really held, after a loss. */
  resync(us: number, now: ReadonlySet<number>): DeviceEvent[] {
    const out: DeviceEvent[] = [];
    for (const code of [...this.#held]) if (!now.has(code)) this.#pressed(us, code, 0, out);
    for (const code of now) if (!this.#held.has(code)) this.#pressed(us, code, 1, out);
    return out;
  }

  #take(us: number, [type, code, value]: readonly [number, number, number], out: DeviceEvent[]): void {
    if (type === EV.syn && code === SYN.dropped) this.#dropping = true;
    else if (type === EV.syn && code === SYN.report) {
      if (this.#dropping) [this.#dropping, this.#hasLost, this.#presses] = [false, true, []];
      else this.#reported(us, out);
      this.#presses = [];
    } else if (this.#dropping) return;
    else if (type === EV.key) this.#presses.push([code, value]);
    else if (type === EV.abs) this.#absolute(code, value);
    else if (type === EV.rel && code === REL.x) this.#moved.x += value;
    else if (type === EV.rel && code === REL.y) this.#moved.y += value;
    else if (type === EV.rel) this.#scrolled(code, value);
  }

  #share(axis: number, alternative: number, value: number | null): number | null {
    const area = this.#info.abs[axis] ?? this.#info.abs[alternative];
    if (!area || value === null || area.max <= area.min) return null;
    return Math.min(1, Math.max(0, (value - area.min) / (area.max - area.min)));
  }

  #here(): { x: number; y: number } | null {
    const x = this.#share(ABS.x, ABS.mtX, this.#place.x);
    const y = this.#share(ABS.y, ABS.mtY, this.#place.y);
    return x === null || y === null ? null : { x, y };
  }

  #button(us: number, name: Button, down: boolean): DeviceEvent {
    const swapped = this.#settings().leftHanded ? SWAPPED[name] : undefined;
    return { us, kind: 'button', down, button: swapped ?? name };
  }

  #pressed(us: number, code: number, value: number, out: DeviceEvent[]): void {
    const down = value !== 0;
    if (down) this.#held.add(code);
    else this.#held.delete(code);
    if (code >= BTN.left && code < BTN.joystick) {
      if (value === 2) return;
      this.#pad.clicked();
      out.push(this.#button(us, MOUSE_BUTTONS[code - BTN.left] ?? `button${code - BTN.left + 1}`, down));
    } else if (code >= BTN.toolPen && code <= BTN.last) this.#tool(us, code, down, out);
    else if (code < BTN.first || code > BTN.last) {
      out.push({ us, kind: 'key', down, repeat: value === 2, code: xKeycodeToCode(code + 8), number: code });
    }
  }

  #tool(us: number, code: number, down: boolean, out: DeviceEvent[]): void {
    if (this.#kind === 'touchpad') this.#pad.tool(us, code, down, out);
    if (this.#kind !== 'absolute') return;
    const name = STYLUS[code];
    if (name && !(code === BTN.touch && this.#info.keys.includes(BTN.left))) out.push(this.#button(us, name, down));
  }

  #reported(us: number, out: DeviceEvent[]): void {
    const [moved, wheel] = [this.#moved, this.#wheel];
    // The pointer is there before what is pressed there.
    if (moved.x !== 0 || moved.y !== 0) out.push({ us, kind: 'moved', by: Math.hypot(moved.x, moved.y) });
    const at = this.#placed ? this.#here() : null;
    if (at && this.#kind === 'absolute') out.push({ us, kind: 'at', ...at });
    for (const [code, value] of this.#presses) this.#pressed(us, code, value, out);
    if (at && this.#kind === 'touchpad') this.#pad.moved(us, at, out);
    if (wheel.x !== 0 || wheel.y !== 0) {
      const sign = this.#settings().naturalMouse ? -1 : 1;
      out.push({ us, kind: 'wheel', dx: sign * wheel.x + 0, dy: -sign * wheel.y + 0 });
    }
    this.#moved = { x: 0, y: 0 };
    this.#wheel = { x: 0, y: 0 };
    this.#placed = false;
  }

  #scrolled(code: number, value: number): void {
    if (code === REL.wheelFine) this.#wheel.y += value / FINE;
    if (code === REL.hwheelFine) this.#wheel.x += value / FINE;
    if (code === REL.wheel && !this.#fine.y) this.#wheel.y += value;
    if (code === REL.hwheel && !this.#fine.x) this.#wheel.x += value;
  }

  #absolute(code: number, value: number): void {
    if (code === ABS.slot) this.#slot = value;
    // The first finger is the pointer; devices with slots repeat it in ABS_X and ABS_Y.
    const isX = code === ABS.x || (code === ABS.mtX && this.#slot === 0);
    const isY = code === ABS.y || (code === ABS.mtY && this.#slot === 0);
    if (isX) this.#place.x = value;
    if (isY) this.#place.y = value;
    this.#placed ||= isX || isY;
  }
}

export function readDevice(info: DeviceInfo, settings: () => PointerSettings = () => DEFAULT_POINTER): DeviceReader {
  return new DeviceReader(info, settings);
}
