import koffi, { type LibraryHandle } from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { bindLibrary } from '../memory/library.ts';
import { memory, type Pointer } from '../memory/memory.ts';
import { agreedFormat, type CastFormat, META, META_BYTES, PARAM, wantedBuffers, wantedFormat } from './cast-params.ts';

/**
 * A screen cast taken from PipeWire, in the thread that turns it: callbacks come only within `turn`. gst-launch could fetch
 * the pictures too, but drops what comes with them: the pointer's place and the compositor's own times.
 */
export type Cast = {
  /** Waits at most this long for something to come, and hands it out. */
  turn(withinMs: number): void;
  close(): void;
};
export type CastListener = {
  onFormat(format: CastFormat): void;
  /** A picture, whole; `give` hands its memory back, at once or when another has come. `ns`: CLOCK_MONOTONIC, 0: unknown. */
  onPicture(picture: CastPicture, give: () => void): void;
  /** The memory of this picture is about to go. */
  onLost(data: Pointer): void;
  onPointer(pointer: CastPointer): void;
  onState(state: 'error' | 'unconnected' | 'connecting' | 'paused' | 'streaming', message: string): void;
};
export type CastPicture = {
  ns: bigint;
  data: Pointer;
  stride: number;
  size: number;
  rows: { from: number; to: number } | null;
};
/** Where the pointer is, px of the picture; null: on another display, or hidden. */
export type CastPointer = { ns: bigint; at: { x: number; y: number } | null };

type Fn<A extends unknown[], R> = (...args: A) => R;

const INPUT = 0;
const AUTOCONNECT = 1;
const MAP_BUFFERS = 4;
const CORRUPTED = 1;
const STATES = ['error', 'unconnected', 'connecting', 'paused', 'streaming'] as const;
/** spa_loop_control_methods, offsets. */
const CONTROL = { enter: 24n, leave: 32n, iterate: 40n };

const MISSING =
  ', through which a Wayland desktop hands its screen over. Install PipeWire: "apt install pipewire libpipewire-0.3-0" (Debian, Ubuntu), "dnf install pipewire-libs" (Fedora).';
let loaded: ReturnType<typeof bind> | null = null;
function pipewire(): ReturnType<typeof bind> {
  loaded ??= bindLibrary('libpipewire-0.3.so.0', MISSING, bind);
  return loaded;
}

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind(p: LibraryHandle) {
  (p.func('void pw_init(void *argc, void *argv)') as Fn<[null, null], void>)(null, null);
  return {
    loopNew: p.func('void *pw_loop_new(void *properties)') as Fn<[null], Pointer | null>,
    loopDestroy: p.func('void pw_loop_destroy(void *loop)') as Fn<[Pointer], void>,
    contextNew: p.func('void *pw_context_new(void *loop, void *properties, size_t more)') as Fn<
      [Pointer, null, number],
      Pointer | null
    >,
    contextDestroy: p.func('void pw_context_destroy(void *context)') as Fn<[Pointer], void>,
    connectFd: p.func('void *pw_context_connect_fd(void *context, int fd, void *properties, size_t more)') as Fn<
      [Pointer, number, null, number],
      Pointer | null
    >,
    disconnect: p.func('int pw_core_disconnect(void *core)') as Fn<[Pointer], number>,
    propertiesNew: p.func('void *pw_properties_new_string(const char *text)') as Fn<[string], Pointer | null>,
    streamNew: p.func('void *pw_stream_new(void *core, const char *name, void *properties)') as Fn<
      [Pointer, string, Pointer | null],
      Pointer | null
    >,
    streamListen: p.func('void pw_stream_add_listener(void *stream, void *hook, void *events, void *data)') as Fn<
      [Pointer, Pointer, Pointer, null],
      void
    >,
    streamConnect: p.func(
      'int pw_stream_connect(void *stream, int direction, uint32 target, int flags, const void **params, uint32 n)',
    ) as Fn<[Pointer, number, number, number, Pointer[], number], number>,
    streamUpdate: p.func('int pw_stream_update_params(void *stream, const void **params, uint32 n)') as Fn<
      [Pointer, Pointer[], number],
      number
    >,
    streamDestroy: p.func('void pw_stream_destroy(void *stream)') as Fn<[Pointer], void>,
    dequeue: p.func('void *pw_stream_dequeue_buffer(void *stream)') as Fn<[Pointer], Pointer | null>,
    queue: p.func('int pw_stream_queue_buffer(void *stream, void *buffer)') as Fn<[Pointer, Pointer], number>,
    onState: koffi.pointer(koffi.proto('void PwState(void *data, int old, int state, const char *error)')),
    onParam: koffi.pointer(koffi.proto('void PwParam(void *data, uint32 id, void *pod)')),
    onBuffer: koffi.pointer(koffi.proto('void PwBuffer(void *data, void *buffer)')),
    onProcess: koffi.pointer(koffi.proto('void PwProcess(void *data)')),
    iterate: koffi.proto('int PwIterate(void *object, int timeout)'),
    enter: koffi.proto('void PwEnter(void *object)'),
  };
}

const address = (at: Pointer): Pointer => koffi.decode(at, 'uintptr_t') as unknown as Pointer; // may come as number
const pointerAt = (at: Pointer): Pointer => BigInt(address(at));

/** Memory of C's own, as long as it is needed. */
function copyOut(bytes: Uint8Array): { at: Pointer; free(): void } {
  const at = koffi.alloc('uint8', bytes.length) as bigint; // koffi hands addresses out as bigint
  memory().memcpyIn(at, bytes, bytes.length);
  return { at, free: () => koffi.free(at) };
}

function read(from: Pointer, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  memory().memcpyOut(out, from, bytes);
  return out;
}

/** Takes node `node` of the PipeWire that `fd` leads to (which is PipeWire's from now on). Throws CAPTURE_FAILED. */
export function openCast(fd: number, node: number, fps: number, listener: CastListener): Cast {
  const pw = pipewire();
  const refuse = (what: string): never => {
    throw new StudioError('CAPTURE_FAILED', `PipeWire gave no ${what} for the screen.`, {});
  };
  const loop = pw.loopNew(null) ?? refuse('loop');
  const control = pointerAt(loop + 16n);
  const methods = pointerAt(control + 16n);
  const object = pointerAt(control + 24n);
  const method = (offset: bigint, proto: ReturnType<typeof koffi.proto>) =>
    koffi.decode(pointerAt(methods + offset), proto) as (...args: unknown[]) => number; // as the prototype says
  const iterate = method(CONTROL.iterate, pw.iterate);
  method(CONTROL.enter, pw.enter)(object);
  const context = pw.contextNew(loop, null, 0) ?? refuse('context');
  const core = pw.connectFd(context, fd, null, 0) ?? refuse('connection');
  const properties = pw.propertiesNew(
    'media.type=Video media.category=Capture media.role=Screen node.name=trajectory-studio',
  );
  const stream = pw.streamNew(core, 'trajectory-studio', properties) ?? refuse('stream');

  const keep: { free(): void }[] = [];
  const pods = (list: readonly Buffer[]): Pointer[] =>
    list.map((bytes) => {
      const made = copyOut(bytes);
      keep.push(made);
      return made.at;
    });
  const callbacks: bigint[] = [];
  const callback = (work: (...args: never[]) => void, type: ReturnType<typeof koffi.pointer>): bigint => {
    const made = koffi.register(work, type) as bigint; // koffi hands registered callbacks out as addresses
    callbacks.push(made);
    return made;
  };

  function process(): void {
    for (let buffer = pw.dequeue(stream); buffer; buffer = pw.dequeue(stream)) take(buffer);
  }

  function take(buffer: Pointer): void {
    const inner = pointerAt(buffer);
    const head = read(inner, 24);
    const metas = new Map<number, { at: Pointer; size: number }>();
    const metaCount = head.readUInt32LE(0);
    const table = read(head.readBigUInt64LE(8), metaCount * 16);
    for (let i = 0; i < metaCount; i++)
      metas.set(table.readUInt32LE(i * 16), {
        size: table.readUInt32LE(i * 16 + 4),
        at: table.readBigUInt64LE(i * 16 + 8),
      });
    const ns = timeOf(metas.get(META.header));
    const pointer = pointerOf(metas.get(META.cursor));
    if (pointer !== undefined) listener.onPointer({ ns, at: pointer });
    const picture = head.readUInt32LE(4) > 0 ? pictureOf(head.readBigUInt64LE(16)) : null;
    if (!picture) {
      pw.queue(stream, buffer);
      return;
    }
    let given = false;
    listener.onPicture({ ns, ...picture, rows: rowsOf(metas.get(META.damage)) }, () => {
      if (!given) pw.queue(stream, buffer);
      given = true;
    });
  }

  const onState = callback((_data: unknown, _old: number, state: number, message: string | null) => {
    listener.onState(STATES[state + 1] ?? 'error', message ?? '');
  }, pw.onState);
  const onParam = callback((_data: unknown, param: number, pod: Pointer | null) => {
    if (param !== PARAM.format || !pod) return;
    const format = agreedFormat(read(pod, 8 + read(pod, 4).readUInt32LE(0)));
    if (!format) return listener.onState('error', 'The screen comes in a format that is not known.');
    listener.onFormat(format);
    const params = pods(wantedBuffers());
    pw.streamUpdate(stream, params, params.length);
  }, pw.onParam);
  const onRemove = callback((_data: unknown, buffer: Pointer) => {
    const head = read(pointerAt(buffer), 24);
    if (head.readUInt32LE(4) > 0) listener.onLost(read(head.readBigUInt64LE(16), 40).readBigUInt64LE(24));
  }, pw.onBuffer);
  const onProcess = callback(process, pw.onProcess);

  const events = Buffer.alloc(96);
  events.writeUInt32LE(2, 0);
  events.writeBigUInt64LE(onState, 16);
  events.writeBigUInt64LE(onParam, 40);
  events.writeBigUInt64LE(onRemove, 56);
  events.writeBigUInt64LE(onProcess, 64);
  const table = copyOut(events);
  const hook = copyOut(Buffer.alloc(64));
  keep.push(table, hook);
  pw.streamListen(stream, hook.at, table.at, null);
  if (pw.streamConnect(stream, INPUT, node, AUTOCONNECT | MAP_BUFFERS, pods([wantedFormat(fps)]), 1) < 0)
    refuse('link');

  let open = true;
  return {
    turn(withinMs) {
      if (open) iterate(object, Math.max(0, Math.ceil(withinMs)));
    },
    close() {
      if (!open) return;
      open = false;
      pw.streamDestroy(stream);
      pw.disconnect(core);
      pw.contextDestroy(context);
      method(CONTROL.leave, pw.enter)(object);
      pw.loopDestroy(loop);
      for (const one of callbacks) koffi.unregister(one);
      for (const one of keep) one.free();
    },
  };
}

type Meta = { at: Pointer; size: number } | undefined;

function timeOf(meta: Meta): bigint {
  return meta && meta.size >= META_BYTES.header ? read(meta.at, 16).readBigInt64LE(8) : 0n;
}

/** Undefined: nothing new is said of the pointer. */
function pointerOf(meta: Meta): { x: number; y: number } | null | undefined {
  if (!meta || meta.size < META_BYTES.cursor) return undefined;
  const bytes = read(meta.at, META_BYTES.cursor);
  return bytes.readUInt32LE(0) === 0 ? null : { x: bytes.readInt32LE(8), y: bytes.readInt32LE(12) };
}

function rowsOf(meta: Meta): { from: number; to: number } | null {
  if (!meta || meta.size < META_BYTES.region) return null;
  const bytes = read(meta.at, meta.size);
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    const [y, width, height] = [bytes.readInt32LE(at + 4), bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)];
    // The list ends with an empty region.
    if (width === 0 || height === 0) break;
    from = Math.min(from, y);
    to = Math.max(to, y + height);
  }
  return to > from ? { from, to } : null;
}

/** Null for a buffer that only brings the pointer. */
function pictureOf(datas: Pointer): { data: Pointer; stride: number; size: number } | null {
  const bytes = read(datas, 40);
  const chunk = read(bytes.readBigUInt64LE(32), 16);
  const size = chunk.readUInt32LE(4);
  const data = bytes.readBigUInt64LE(24);
  if (size === 0 || data === 0n || chunk.readInt32LE(12) & CORRUPTED) return null;
  const offset = chunk.readUInt32LE(0);
  const room = bytes.readUInt32LE(20);
  // The producer's word is not taken for what is outside of its memory.
  if (offset >= room) return null;
  return { data: data + BigInt(offset), stride: chunk.readInt32LE(8), size: Math.min(size, room - offset) };
}
