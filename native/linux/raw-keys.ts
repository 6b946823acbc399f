import koffi from 'koffi';
import type { Pointer } from '../memory/memory.ts';
import { libX11, loadLibrary } from './library.ts';
import { xlib } from './xlib.ts';

/** A key as the X server saw it, before any application. */
export type RawKey = {
  /** X server time, ms (CLOCK_MONOTONIC ms modulo 2^32): uiohook's `time` of this event, or some ms before it. */
  time: number;
  down: boolean;
  /** X11 keycode: `xKeycodeToCode` names it. */
  keycode: number;
  /** Made by auto-repeat, where the server marks it. */
  repeat: boolean;
  /** The device that sent it, by XInput's number. */
  sourceId: number;
  /** Sent by XTEST (a program, not a hand): synthetic input (I4). */
  xtest: boolean;
};

export type RawKeys = {
  /** Every key since the last call, in order. Never blocks. */
  drain(): RawKey[];
  close(): void;
};

/** XI2.h. */
const XI_ALL_DEVICES = 0;
const XI_ALL_MASTER_DEVICES = 1;
const XI_HIERARCHY_CHANGED = 11;
const XI_RAW_KEY_PRESS = 13;
const XI_RAW_KEY_RELEASE = 14;
const XI_KEY_REPEAT = 1 << 16;
const GENERIC_EVENT = 35;

/**
 * Listens to raw keys through XInput2 on a connection of its own. uiohook 1.5 gives keycode 0 for X keycodes that its
 * table lacks (the key between left Shift and Z, the Japanese and Brazilian keys, most media keys): the raw key
 * behind the hook's event (match-keys.ts) says which key it was. Returns null where XInput2 or its library is missing.
 */
export function openRawKeys(displayName?: string): RawKeys | null {
  try {
    const x = xlib();
    const display = x.open(displayName ?? null);
    if (display === null) return null;
    const listener = listen(display);
    if (listener === null) x.close(display);
    return listener;
  } catch {
    return null;
  }
}

function listen(display: Pointer): RawKeys | null {
  const x = xlib();
  const xi = bindXi();
  const extension = x.extension(display, 'XInputExtension');
  if (extension === null || !xi.supported(display)) return null;
  xi.select(display, x.root(display), XI_ALL_MASTER_DEVICES, [XI_RAW_KEY_PRESS, XI_RAW_KEY_RELEASE]);
  xi.select(display, x.root(display), XI_ALL_DEVICES, [XI_HIERARCHY_CHANGED]);
  x.flush(display);
  const event = Buffer.alloc(256);
  let xtestIds = xi.xtestDevices(display);
  let open = true;
  return {
    drain: () => {
      const keys: RawKey[] = [];
      while (open && x.pending(display) > 0) {
        x.nextEvent(display, event);
        if (event.readInt32LE(0) !== GENERIC_EVENT) continue;
        const raw = xi.data(display, event, extension.opcode);
        if (raw === null) continue;
        if (raw.type === XI_HIERARCHY_CHANGED) {
          xtestIds = xi.xtestDevices(display);
          continue;
        }
        keys.push({
          time: raw.time,
          down: raw.type === XI_RAW_KEY_PRESS,
          keycode: raw.detail,
          repeat: (raw.flags & XI_KEY_REPEAT) !== 0,
          sourceId: raw.sourceId,
          xtest: xtestIds.has(raw.sourceId),
        });
      }
      return keys;
    },
    close: () => {
      if (open) x.close(display);
      open = false;
    },
  };
}

type RawData = { type: number; time: number; sourceId: number; detail: number; flags: number };
type Xi = {
  supported(display: Pointer): boolean;
  select(display: Pointer, window: number, device: number, types: readonly number[]): void;
  /** Device ids whose name says XTEST. */
  xtestDevices(display: Pointer): Set<number>;
  data(display: Pointer, event: Buffer, opcode: number): RawData | null;
};

let bound: Xi | null = null;
function bindXi(): Xi {
  bound ??= makeXi();
  return bound;
}

function makeXi(): Xi {
  const lib = loadLibrary('libXi.so.6');
  const core = libX11();
  const EventMask = koffi.struct({ deviceid: 'int', mask_len: 'int', mask: 'uint8 *' });
  // The first fields of every event.
  const beginning = {
    type: 'int',
    serial: 'ulong',
    send_event: 'int',
    display: 'void *',
    extension: 'int',
    evtype: 'int',
  };
  const Cookie = koffi.struct({
    ...beginning,
    cookie: 'uint',
    data: 'void *',
  });
  // XIRawEvent up to `flags`; XIHierarchyEvent agrees with it up to `time`.
  const RawEvent = koffi.struct({
    ...beginning,
    time: 'ulong',
    deviceid: 'int',
    sourceid: 'int',
    detail: 'int',
    flags: 'int',
  });
  const DeviceInfo = koffi.struct({
    deviceid: 'int',
    name: 'const char *',
    use: 'int',
    attachment: 'int',
    enabled: 'int',
    num_classes: 'int',
    classes: 'void *',
  });
  const XIQueryVersion = lib.func('int XIQueryVersion(void *display, _Inout_ int *major, _Inout_ int *minor)');
  const XISelectEvents = lib.func('XISelectEvents', 'int', ['void *', 'ulong', koffi.pointer(EventMask), 'int']);
  const XIQueryDevice = lib.func('void *XIQueryDevice(void *display, int device, _Out_ int *count)');
  const XIFreeDeviceInfo = lib.func('void XIFreeDeviceInfo(void *info)');
  const XGetEventData = core.func('int XGetEventData(void *display, void *cookie)');
  const XFreeEventData = core.func('void XFreeEventData(void *display, void *cookie)');
  return {
    supported: (display) => XIQueryVersion(display, [2], [2]) === 0,
    select: (display, window, device, types) => {
      const mask = Buffer.alloc(4);
      for (const type of types) mask[type >> 3] = mask[type >> 3]! | (1 << (type & 7));
      XISelectEvents(display, window, { deviceid: device, mask_len: mask.length, mask }, 1);
    },
    xtestDevices: (display) => {
      const count = [0];
      const info: Pointer | null = XIQueryDevice(display, XI_ALL_DEVICES, count);
      if (info === null) return new Set();
      const size = koffi.sizeof(DeviceInfo);
      const ids = new Set<number>();
      for (let index = 0; index < count[0]!; index++) {
        const device = koffi.decode(info, index * size, DeviceInfo);
        if (/\bXTEST\b/.test(device.name)) ids.add(device.deviceid);
      }
      XIFreeDeviceInfo(info);
      return ids;
    },
    data: (display, event, opcode) => {
      if (XGetEventData(display, event) === 0) return null;
      try {
        const cookie = koffi.decode(event, Cookie);
        if (cookie.extension !== opcode) return null;
        const raw = koffi.decode(cookie.data, RawEvent);
        return {
          type: cookie.evtype,
          time: Number(raw.time),
          sourceId: raw.sourceid,
          detail: raw.detail,
          flags: raw.flags,
        };
      } finally {
        XFreeEventData(display, event);
      }
    },
  };
}
