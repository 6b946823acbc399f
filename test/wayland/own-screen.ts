import koffi from 'koffi';
import { memory, type Pointer } from '../../native/memory/memory.ts';
import { META, META_BYTES, PARAM } from '../../native/wayland/cast-params.ts';
import { fraction, id, int, object, range, rectangle } from '../../native/wayland/pod.ts';

/**
 * A screen of our own in PipeWire, in the place of the compositor's: Mutter ends a cast whose display changes, others (KDE's)
 * keep it and change its size in the middle, and Mutter 43 itself ends when a display that it casts is turned off. Every
 * picture is one colour, with the pointer's place beside it.
 */
export type OwnScreen = {
  /** Its number in PipeWire; `NO_NODE` until PipeWire has taken it. */
  node(): number;
  show(picture: { colour: number; pointer: { x: number; y: number } }): void;
  /** Offers another size from now on: the one who takes the pictures agrees to it by PipeWire's own way. */
  resize(size: Size): void;
  /** Lets PipeWire work; waits at most so long for something to do. */
  turn(withinMs?: number): void;
  /** The pictures end, as when a compositor takes the display away. */
  end(): void;
};
type Size = { width: number; height: number };
type Fn<A extends unknown[], R> = (...args: A) => R;

export const NO_NODE = 0xffffffff;
const OUTPUT = 1;
/** PW_STREAM_FLAG_MAP_BUFFERS, PW_STREAM_FLAG_DRIVER: pictures come when there is one, not by a clock. */
const FLAGS = 4 | 8;
const MEM_FD = 1 << 2;
const CURSOR_BYTES = META_BYTES.cursor + 20 + 64 * 64 * 4;
/** spa_loop_control_methods, offsets. */
const CONTROL = { enter: 24n, iterate: 40n };
const FORMAT = { object: 0x40003, buffers: 0x40004, meta: 0x40005 };
const BGRX = 8;

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind() {
  const p = koffi.load('libpipewire-0.3.so.0');
  (p.func('void pw_init(void *argc, void *argv)') as Fn<[null, null], void>)(null, null);
  return {
    loopNew: p.func('void *pw_loop_new(void *properties)') as Fn<[null], Pointer>,
    contextNew: p.func('void *pw_context_new(void *loop, void *properties, size_t more)') as Fn<
      [Pointer, null, number],
      Pointer
    >,
    connect: p.func('void *pw_context_connect(void *context, void *properties, size_t more)') as Fn<
      [Pointer, null, number],
      Pointer | null
    >,
    streamNew: p.func('void *pw_stream_new(void *core, const char *name, void *properties)') as Fn<
      [Pointer, string, Pointer | null],
      Pointer
    >,
    propertiesNew: p.func('void *pw_properties_new_string(const char *text)') as Fn<[string], Pointer>,
    listen: p.func('void pw_stream_add_listener(void *stream, void *hook, void *events, void *data)') as Fn<
      [Pointer, Pointer, Pointer, null],
      void
    >,
    streamConnect: p.func(
      'int pw_stream_connect(void *stream, int direction, uint32 target, int flags, const void **params, uint32 n)',
    ) as Fn<[Pointer, number, number, number, Pointer[], number], number>,
    update: p.func('int pw_stream_update_params(void *stream, const void **params, uint32 n)') as Fn<
      [Pointer, Pointer[], number],
      number
    >,
    destroy: p.func('void pw_stream_destroy(void *stream)') as Fn<[Pointer], void>,
    nodeId: p.func('uint32 pw_stream_get_node_id(void *stream)') as Fn<[Pointer], number>,
    dequeue: p.func('void *pw_stream_dequeue_buffer(void *stream)') as Fn<[Pointer], Pointer | null>,
    queue: p.func('int pw_stream_queue_buffer(void *stream, void *buffer)') as Fn<[Pointer, Pointer], number>,
    onParam: koffi.pointer(koffi.proto('void OwnParam(void *data, uint32 id, void *pod)')),
    iterate: koffi.proto('int OwnIterate(void *object, int timeout)'),
    enter: koffi.proto('void OwnEnter(void *object)'),
  };
}

const pointerAt = (at: Pointer): Pointer => BigInt(koffi.decode(at, 'uintptr_t') as number); // may come as bigint
function read(from: Pointer, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  memory().memcpyOut(out, from, bytes);
  return out;
}
/** Kept until the process ends. */
function copyOut(bytes: Uint8Array): Pointer {
  const at = koffi.alloc('uint8', bytes.length) as bigint; // koffi hands addresses out as bigint
  memory().memcpyIn(at, bytes, bytes.length);
  return at;
}

export function openOwnScreen(first: Size): OwnScreen {
  const pw = bind();
  let size = first;
  const loop = pw.loopNew(null);
  const control = pointerAt(loop + 16n);
  const [methods, object_] = [pointerAt(control + 16n), pointerAt(control + 24n)];
  const method = (offset: bigint, proto: ReturnType<typeof koffi.proto>) =>
    koffi.decode(pointerAt(methods + offset), proto) as (...args: unknown[]) => number; // as the prototype says
  const iterate = method(CONTROL.iterate, pw.iterate);
  method(CONTROL.enter, pw.enter)(object_);
  const core = pw.connect(pw.contextNew(loop, null, 0), null, 0);
  if (!core) throw new Error('PipeWire does not answer.');
  const stream = pw.streamNew(core, 'own-screen', pw.propertiesNew('media.class=Video/Source node.name=own-screen'));

  const offered = () =>
    copyOut(
      object(FORMAT.object, PARAM.enumFormat, [
        [1, id(2)],
        [2, id(1)],
        [0x20001, id(BGRX)],
        [0x20003, rectangle(size.width, size.height)],
        [0x20004, fraction(0, 1)],
        [0x20005, range(fraction(60, 1), fraction(1, 1), fraction(60, 1))],
      ]),
    );
  const meta = (type: number, bytes: number) =>
    copyOut(
      object(FORMAT.meta, PARAM.meta, [
        [1, id(type)],
        [2, int(bytes)],
      ]),
    );
  const onParam = koffi.register((_data: unknown, param: number, pod: Pointer | null) => {
    if (param !== PARAM.format || !pod) return;
    const stride = size.width * 4;
    const buffers = copyOut(
      object(FORMAT.buffers, PARAM.buffers, [
        [1, range(int(4), int(2), int(8))],
        [2, int(1)],
        [3, int(stride * size.height)],
        [4, int(stride)],
        [6, int(MEM_FD)],
      ]),
    );
    const params = [buffers, meta(META.header, META_BYTES.header), meta(META.cursor, CURSOR_BYTES)];
    pw.update(stream, params, params.length);
  }, pw.onParam) as bigint; // koffi hands registered callbacks out as addresses
  const events = Buffer.alloc(96);
  events.writeUInt32LE(2, 0);
  events.writeBigUInt64LE(onParam, 40);
  pw.listen(stream, copyOut(Buffer.alloc(64)), copyOut(events), null);
  if (pw.streamConnect(stream, OUTPUT, NO_NODE, FLAGS, [offered()], 1) < 0) throw new Error('No stream.');

  let open = true;
  return {
    node: () => pw.nodeId(stream),
    turn(withinMs = 0) {
      if (open) iterate(object_, withinMs);
    },
    show({ colour, pointer }) {
      const buffer = pw.dequeue(stream);
      if (!buffer) return;
      const head = read(pointerAt(buffer), 24);
      const metas = read(head.readBigUInt64LE(8), head.readUInt32LE(0) * 16);
      for (let at = 0; at < metas.length; at += 16) {
        const [type, place] = [metas.readUInt32LE(at), metas.readBigUInt64LE(at + 8)];
        if (type === META.header) memory().memcpyIn(place, headerOf(process.hrtime.bigint()), META_BYTES.header);
        if (type === META.cursor) memory().memcpyIn(place, cursorOf(pointer), META_BYTES.cursor);
      }
      const data = read(head.readBigUInt64LE(16), 40);
      const bytes = size.width * size.height * 4;
      const room = data.readUInt32LE(20);
      // One from before the last change of the size: it goes back as it is, and empty.
      const fits = room >= bytes;
      if (fits) memory().memcpyIn(data.readBigUInt64LE(24), Buffer.alloc(bytes, pixel(colour)), bytes);
      const chunk = Buffer.alloc(16);
      chunk.writeUInt32LE(fits ? bytes : 0, 4);
      chunk.writeInt32LE(size.width * 4, 8);
      memory().memcpyIn(data.readBigUInt64LE(32), chunk, 16);
      pw.queue(stream, buffer);
    },
    resize(next) {
      size = next;
      pw.update(stream, [offered()], 1);
    },
    end() {
      if (!open) return;
      open = false;
      pw.destroy(stream);
      // The word of it still has to leave.
      iterate(object_, 0);
    },
  };
}

function pixel(colour: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(colour);
  return bytes;
}
/** spa_meta_header: flags, offset, the picture's time, its delay and its number. */
function headerOf(ns: bigint): Buffer {
  const bytes = Buffer.alloc(META_BYTES.header);
  bytes.writeBigInt64LE(ns, 8);
  return bytes;
}
/** spa_meta_cursor: a number above 0 says that it is there; then its place, and no picture of it. */
function cursorOf({ x, y }: { x: number; y: number }): Buffer {
  const bytes = Buffer.alloc(META_BYTES.cursor);
  bytes.writeUInt32LE(1, 0);
  bytes.writeInt32LE(x, 8);
  bytes.writeInt32LE(y, 12);
  return bytes;
}
