import koffi from 'koffi';
import { lazy, type Pointer } from '../memory/memory.ts';
import { libX11, loadLibrary } from './library.ts';
import { type XDisplay, x11 } from './x11.ts';

/** A key or a button as the device gave it, before the keyboard's own rules: by the X server's other way of telling, XInput 2. */
export type RawInput = {
  type: 'keydown' | 'keyup' | 'down' | 'up';
  /** X server time, ms. */
  time: number;
  /** Keycode, or the number of the button as the device has it. */
  detail: number;
};

/** XI2.h. */
const RAW = { 13: 'keydown', 14: 'keyup', 15: 'down', 16: 'up' } as const;
const ALL_MASTERS = 1;
/** 2.1 tells raw events also while a program has grabbed the device. */
const VERSION = { major: 2, minor: 2 } as const;
/** X.h, and the offsets in XGenericEventCookie and XIRawEvent (64-bit). */
const GENERIC_EVENT = 35;
const COOKIE = { type: 0, extension: 32, kind: 36, data: 48 } as const;
const RAW_EVENT = { time: 40, detail: 56, bytes: 64 } as const;
const MASK_BYTES = 4;
const EVENT_MASK_BYTES = 16;

type Fn<A extends unknown[], R> = (...args: A) => R;
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
const xi = lazy(() => {
  const lib = loadLibrary('libXi.so.6');
  return {
    version: lib.func('int XIQueryVersion(void *display, _Inout_ int *major, _Inout_ int *minor)') as Fn<
      [Pointer, number[], number[]],
      number
    >,
    select: lib.func('int XISelectEvents(void *display, ulong window, const uint8_t *masks, int n)') as Fn<
      [Pointer, number, Uint8Array, number],
      number
    >,
    getData: libX11().func('int XGetEventData(void *display, _Inout_ uint8_t *cookie)') as Fn<
      [Pointer, Uint8Array],
      number
    >,
    freeData: libX11().func('void XFreeEventData(void *display, _Inout_ uint8_t *cookie)') as Fn<
      [Pointer, Uint8Array],
      void
    >,
  };
});

/** Has keys and buttons told to this connection, among its other events; null where the server has no XInput 2.1. */
export function selectRawInput(display: XDisplay): { read(event: Uint8Array): RawInput | null } | null {
  const opcode = [0];
  if (x11().queryExtension(display, 'XInputExtension', opcode, [0], [0]) === 0) return null;
  const [major, minor] = [[VERSION.major], [VERSION.minor]];
  if (xi().version(display, major, minor) !== 0) return null;
  if (major[0] !== VERSION.major || (minor[0] ?? 0) < 1) return null;
  const bits = koffi.alloc('uint8', MASK_BYTES) as unknown as Pointer; // koffi hands addresses out as bigint
  const wanted = Object.keys(RAW).reduce((mask, type) => mask | (1 << Number(type)), 0);
  koffi.encode(bits, 'uint32', wanted);
  // XIEventMask: the device, the length of the mask, where it is.
  const mask = new DataView(new ArrayBuffer(EVENT_MASK_BYTES));
  mask.setInt32(0, ALL_MASTERS, true);
  mask.setInt32(4, MASK_BYTES, true);
  mask.setBigUint64(8, bits, true);
  xi().select(display, x11().root(display), new Uint8Array(mask.buffer), 1);
  x11().sync(display, 0);
  koffi.free(bits);

  return {
    read(event) {
      const view = new DataView(event.buffer, event.byteOffset, event.byteLength);
      const isOurs =
        view.getInt32(COOKIE.type, true) === GENERIC_EVENT && view.getInt32(COOKIE.extension, true) === opcode[0];
      if (!isOurs || xi().getData(display, event) === 0) return null;
      try {
        const type = RAW[view.getInt32(COOKIE.kind, true) as keyof typeof RAW] as RawInput['type'] | undefined;
        if (type === undefined) return null;
        const raw = new DataView(koffi.view(view.getBigUint64(COOKIE.data, true), RAW_EVENT.bytes));
        return { type, time: raw.getUint32(RAW_EVENT.time, true), detail: raw.getInt32(RAW_EVENT.detail, true) };
      } finally {
        xi().freeData(display, event);
      }
    },
  };
}
