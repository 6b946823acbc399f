import koffi from 'koffi';
import { libc } from '../memory/libc.ts';
import { lazy, type Pointer } from '../memory/memory.ts';
import { libX11, loadLibrary } from './library.ts';
import { x11 } from './x11.ts';
import { xlib } from './xlib.ts';

/**
 * What the X server does with keys and the pointer, by its RECORD extension: events of the devices, as they are before any program
 * gets them, and the requests that change the keyboard, in the one order in which the server took them. So the keymap at a
 * press is known however soon it changes again.
 */
export type Recorded =
  | {
      type: 'keydown' | 'keyup' | 'down' | 'up' | 'move';
      /** X server time, ms. */
      time: number;
      /** Keycode, or the number of the button as the device has it. */
      detail: number;
      x: number;
      y: number;
      /** Effective modifiers before the event, and the group. */
      mods: number;
      group: number;
    }
  | { type: 'mapping'; first: number; width: number; keysyms: number[] }
  /** The keyboard was changed in another way: its keymap is to be fetched anew. */
  | { type: 'keymap' };

/** X.h, Xproto.h, XKBproto.h, record.h. */
const EVENTS = { 2: 'keydown', 3: 'keyup', 4: 'down', 5: 'up', 6: 'move' } as const;
const CHANGE_KEYBOARD_MAPPING = 100;
const SET_MODIFIER_MAPPING = 118;
const XKB_SET_MAP = 9;
const XKB_GET_KBD_BY_NAME = 23;
const ALL_CLIENTS = 3;
const FROM_SERVER = 0;
const FROM_CLIENT = 1;
const START_OF_DATA = 4;
/** The head before the data of each piece, bytes. */
const REPLY_HEAD = 32;
const START_MS = 10_000;
const START_STEP_MS = 100;
const POLLIN = 1;
/** FIONREAD. */
const BYTES_TO_READ = 0x541b;
const RANGE_BYTES = 32;
const EVENT_BYTES = 32;

/** What one piece of RECORD's data says; null: nothing of interest. `swapped`: the client has the other byte order. */
export function readRecorded(category: number, data: Uint8Array, swapped: boolean): Recorded | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (category === FROM_SERVER) return data.length < EVENT_BYTES ? null : readEvent(view);
  if (category !== FROM_CLIENT || data.length < 8) return null;
  const little = !swapped;
  const opcode = view.getUint8(0);
  if (opcode !== CHANGE_KEYBOARD_MAPPING) return { type: 'keymap' };
  const [keys, first, width] = [view.getUint8(1), view.getUint8(4), view.getUint8(5)];
  const keysyms: number[] = [];
  for (let i = 0; i < keys * width && 8 + i * 4 + 4 <= data.length; i++)
    keysyms.push(view.getUint32(8 + i * 4, little));
  return keysyms.length < keys * width ? null : { type: 'mapping', first, width, keysyms };
}

function readEvent(view: DataView): Recorded | null {
  const type = EVENTS[(view.getUint8(0) & 0x7f) as keyof typeof EVENTS] as (typeof EVENTS)[2] | undefined;
  if (type === undefined) return null;
  const state = view.getUint16(28, true);
  return {
    type,
    time: view.getUint32(4, true),
    detail: view.getUint8(1),
    x: view.getInt16(20, true),
    y: view.getInt16(22, true),
    mods: state & 0xff,
    group: (state >> 13) & 3,
  };
}

type Fn<A extends unknown[], R> = (...args: A) => R;
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
const xrecord = lazy(() => {
  const t = loadLibrary('libXtst.so.6');
  const Data = koffi.struct({
    id_base: 'ulong',
    server_time: 'ulong',
    client_seq: 'ulong',
    category: 'int',
    client_swapped: 'int',
    data: 'void *',
    data_len: 'ulong',
  });
  const Callback = koffi.proto('void RecordCallback(void *closure, void *data)');
  return {
    Data,
    Callback,
    query: t.func('int XRecordQueryVersion(void *display, _Out_ int *major, _Out_ int *minor)') as Fn<
      [Pointer, number[], number[]],
      number
    >,
    create: t.func(
      'ulong XRecordCreateContext(void *display, int flags, ulong *clients, int nClients, void **ranges, int nRanges)',
    ) as Fn<[Pointer, number, BigUint64Array, number, BigUint64Array, number], number>,
    allocRange: t.func('void *XRecordAllocRange()') as Fn<[], Pointer>,
    enable: t.func('XRecordEnableContextAsync', 'int', ['void *', 'ulong', koffi.pointer(Callback), 'void *']) as Fn<
      [Pointer, number, unknown, null],
      number
    >,
    process: t.func('void XRecordProcessReplies(void *display)') as Fn<[Pointer], void>,
    freeData: t.func('void XRecordFreeData(void *data)') as Fn<[Pointer], void>,
    free: libX11().func('int XFree(void *p)') as Fn<[Pointer], number>,
    socket: libX11().func('int XConnectionNumber(void *display)') as Fn<[Pointer], number>,
  };
});

/** Waits until one of the connections, or of the pipes (`fds`), has something to read, or so long, ms; false when nothing came. */
export function waitForSockets(displays: readonly Pointer[], ms: number, fds: readonly number[] = []): boolean {
  const sockets = [...displays.map((display) => xrecord().socket(display)), ...fds];
  const asked = new Uint8Array(sockets.length * 8);
  const view = new DataView(asked.buffer);
  sockets.forEach((fd, i) => {
    view.setInt32(i * 8, fd, true);
    view.setInt16(i * 8 + 4, POLLIN, true);
  });
  return libc().poll(asked, sockets.length, ms) > 0;
}

/**
 * Begins to record, on two connections of this thread: RECORD needs one for its data. Null where the server has no RECORD.
 * `turn` hands over what came, and gives how many bytes that was; `unread` gives how many wait in the socket.
 */
export function openRecord(
  control: Pointer,
  data: Pointer,
  onRecorded: (recorded: Recorded) => void,
): { turn(): number; unread(): number } | null {
  const x = xrecord();
  if (x.query(control, [0], [0]) === 0) return null;
  const xkb = xlib().extension(control, 'XKEYBOARD')?.opcode ?? 0;
  const ranges = BigUint64Array.from(
    [
      { request: CHANGE_KEYBOARD_MAPPING, xkb: XKB_SET_MAP, events: true },
      { request: SET_MODIFIER_MAPPING, xkb: XKB_GET_KBD_BY_NAME, events: false },
    ].map((range) => {
      const at = x.allocRange();
      const bytes = new Uint8Array(koffi.view(at, RANGE_BYTES));
      // XRecordRange: core_requests, core_replies, ext_requests {major, minor}, ext_replies, delivered_events, device_events.
      bytes.set([range.request, range.request], 0);
      if (xkb !== 0) {
        bytes.set([xkb, xkb], 4);
        new DataView(bytes.buffer, bytes.byteOffset).setUint16(6, range.xkb, true);
        new DataView(bytes.buffer, bytes.byteOffset).setUint16(8, range.xkb, true);
      }
      if (range.events) bytes.set([2, 6], 18);
      return at;
    }),
  );
  const context = x.create(control, 0, BigUint64Array.of(BigInt(ALL_CLIENTS)), 1, ranges, ranges.length);
  for (const range of ranges) x.free(range);
  if (Number(context) === 0) return null;
  // The server must know the context before the other connection names it.
  x11().sync(control, 0);
  let isStarted = false;
  let taken = 0;
  const callback = koffi.register((_closure: unknown, at: Pointer) => {
    const piece = koffi.decode(at, x.Data);
    isStarted ||= piece.category === START_OF_DATA;
    const bytes = Number(piece.data_len) * 4;
    taken += REPLY_HEAD + bytes;
    const copy = bytes > 0 && piece.data ? new Uint8Array(koffi.view(piece.data, bytes)).slice() : new Uint8Array();
    const recorded = readRecorded(piece.category, copy, piece.client_swapped !== 0);
    x.freeData(at);
    if (recorded) onRecorded(recorded);
  }, koffi.pointer(x.Callback));
  if (x.enable(data, context, callback, null) === 0) return null;
  x11().flush(data);
  // From its own word on it misses nothing.
  for (const end = performance.now() + START_MS; !isStarted && performance.now() < end; x.process(data)) {
    waitForSockets([data], START_STEP_MS);
  }
  const bytes = new Int32Array(1);
  const unread = (): number => (libc().ioctl(x.socket(data), BYTES_TO_READ, bytes) === 0 ? (bytes[0] ?? 0) : 0);
  const turn = (): number => {
    taken = 0;
    x.process(data);
    return taken;
  };
  return isStarted ? { turn, unread } : null;
}
